package dev.retier.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.testsupport.Seeded;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EpochsTest {
    private static final SiteId ONE = new SiteId(1);

    @Test
    void shouldGrowByOne_whenThereIsOneSite() {
        Epochs epochs = new Epochs(List.of(ONE));

        assertThat(epochs.next(ONE, 0)).isEqualTo(1);
        assertThat(epochs.next(ONE, 41)).isEqualTo(42);
    }

    /** Each site sees its own moves at once, and those of others late or never. */
    @Seeded(tries = 100)
    void shouldNeverGiveOneTwice_whenSitesOrderUnseenByEachOther(SplittableRandom random) {
        List<SiteId> sites = IntStream.range(0, random.nextInt(1, 12))
                .mapToObj(index -> new SiteId(63 - 5 * index))
                .toList();
        Epochs epochs = new Epochs(sites);
        List<Long> own = new ArrayList<>(sites.stream().map(_ -> 0L).toList());
        Set<Long> given = new HashSet<>();
        for (int move = 0; move < 300; move++) {
            int index = random.nextInt(sites.size());
            long seen = Math.max(own.get(index), own.get(random.nextInt(sites.size())));
            long epoch = epochs.next(sites.get(index), seen);

            assertThat(epoch).isBetween(seen + 1, seen + sites.size());
            assertThat(given.add(epoch)).as("epoch %s given again", epoch).isTrue();
            own.set(index, epoch);
        }
    }

    @Test
    void shouldSeeWhetherAnEpochOfTheSiteIsBetween() {
        Epochs two = new Epochs(List.of(new SiteId(1), new SiteId(2)));

        assertThat(two.isNext(two.next(new SiteId(1), 7), 7)).isTrue();
        assertThat(two.isNext(two.next(new SiteId(2), 7), 7)).isTrue();
        assertThat(two.isNext(two.after(two.next(new SiteId(1), 7)), 7)).isFalse();
        assertThat(two.isNext(7, 7)).isFalse();
    }

    @Test
    void shouldRefuse_whenTheSiteIsNotTheClusters() {
        assertThatThrownBy(() -> new Epochs(List.of(ONE)).next(new SiteId(2), 0))
                .hasMessageContaining("not among");
        assertThatThrownBy(() -> new Epochs(List.of())).hasMessageContaining("without sites");
    }
}
