package dev.retier.volume.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PlacesTest {
    /** Some near each other, at the borders of what is kept together. */
    private static long any(SplittableRandom random) {
        return random.nextInt(3) * 65_535L + random.nextInt(4);
    }

    @Test
    void shouldCountAsAMapDoes() {
        SplittableRandom random = new SplittableRandom(1);
        Places places = new Places();
        Map<Long, Integer> counted = new HashMap<>();
        for (int step = 0; step < 50_000; step++) {
            long place = any(random);
            int users = counted.getOrDefault(place, 0);
            if (users == 0 || random.nextInt(8) > 0) {
                places.take(place);
                counted.put(place, users + 1);
            } else {
                assertThat(places.free(place)).isEqualTo(users == 1);
                counted.put(place, users - 1);
            }
            assertThat(places.isShared(place)).isEqualTo(counted.getOrDefault(place, 0) > 1);
        }
        assertThat(counted.values()).as("more than a byte has").anyMatch(users -> users > 2_000);
        assertThat(places.used())
                .isEqualTo(counted.values().stream().filter(users -> users > 0).count());
        counted.forEach((place, users) -> {
            for (int i = users; i > 0; i--) {
                assertThat(places.free(place)).isEqualTo(i == 1);
            }
        });
        assertThat(places.used()).isZero();
    }

    @Test
    void shouldGiveTheLowestThatIsFree() {
        Places places = new Places();
        for (int i = 0; i < 70_000; i++) {
            assertThat(places.give()).isEqualTo(i);
        }
        places.free(66_000);
        places.free(3);
        assertThat(places.nextUnused(0)).isEqualTo(3);
        assertThat(places.nextUnused(4)).isEqualTo(66_000);
        assertThat(places.nextUnused(66_001)).isEqualTo(70_000);
        assertThat(places.nextUsed(66_000, 80_000)).isEqualTo(66_001);
        assertThat(places.nextUsed(70_000, 200_000)).isEqualTo(200_000);
        assertThat(places.give()).isEqualTo(3);
        assertThat(places.give()).isEqualTo(66_000);
        assertThat(places.give()).isEqualTo(70_000);
    }
}
