package dev.retier.webnode.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.testsupport.Seeded;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ContentCacheTest {
    private static final long FOREVER = Long.MAX_VALUE / 2;

    @Test
    void shouldDropWhatWasUsedLeastRecently_whenFull() {
        ContentCache<String> cache = new ContentCache<>(3_000);
        cache.put("a", "A", 1_000, FOREVER);
        cache.put("b", "B", 1_000, FOREVER);
        assertThat(cache.get("a", 0)).contains("A");
        cache.put("c", "C", 1_000, FOREVER);
        assertThat(cache.get("b", 0)).isEmpty();
        assertThat(cache.get("a", 0)).contains("A");
        assertThat(cache.get("c", 0)).contains("C");
    }

    @Test
    void shouldForget_whenTheTimeIsOver() {
        ContentCache<String> cache = new ContentCache<>(3_000);
        cache.put("a", "A", 10, 100);
        assertThat(cache.get("a", 99)).contains("A");
        assertThat(cache.get("a", 100)).isEmpty();
        assertThat(cache.bytes()).isZero();
    }

    @Test
    void shouldKeepNothingOfIt_whenAValueIsLargerThanTheCache() {
        ContentCache<String> cache = new ContentCache<>(3_000);
        cache.put("a", "small", 10, FOREVER);
        cache.put("b", "other", 10, FOREVER);
        cache.put("a", "large", 5_000, FOREVER);
        assertThat(cache.get("a", 0)).isEmpty();
        assertThat(cache.get("b", 0)).contains("other");
    }

    @Seeded(tries = 100)
    void shouldStayWithinItsLimitAndNeverReturnAnOldValue(SplittableRandom random) {
        long limit = 1 + random.nextLong(20_000);
        ContentCache<Integer> cache = new ContentCache<>(limit);
        Map<String, Integer> newest = new HashMap<>();
        for (int i = 0; i < 400; i++) {
            String key = "k" + random.nextInt(20);
            if (random.nextBoolean()) {
                cache.put(key, i, random.nextInt(4_000), FOREVER);
                newest.put(key, i);
            }
            Optional<Integer> found = cache.get(key, i);
            found.ifPresent(value -> assertThat(value).isEqualTo(newest.get(key)));
            assertThat(cache.bytes()).isBetween(0L, limit);
            assertThat(cache.entries()).isLessThanOrEqualTo(20);
        }
    }
}
