package dev.retier.volume.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.volume.pool.JournalIndex.Row;
import dev.retier.volume.pool.JournalIndex.Source;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class JournalIndexTest {
    private static final int VOLUMES = 4;
    private static final int BLOCKS = 40;

    @Test
    void shouldCountItsRows_whateverIsToldAndForgotten() {
        for (int seed = 0; seed < 100; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            JournalIndex index = new JournalIndex();
            for (int step = 0; step < 100; step++) {
                change(index, random);
                assertThat(index.rows()).as("seed %d, step %d", seed, step).isEqualTo(counted(index));
            }
            JournalIndex older = new JournalIndex();
            for (int step = 0; step < 20; step++) {
                change(older, random);
            }
            JournalIndex all = index.over(older, List.of(0, 2, 3));
            assertThat(all.rows()).as("seed %d", seed).isEqualTo(counted(all));
        }
    }

    private static void change(JournalIndex index, SplittableRandom random) {
        int volume = random.nextInt(VOLUMES);
        long first = random.nextLong(BLOCKS);
        long end = first + 1 + random.nextLong(BLOCKS - first);
        switch (random.nextInt(10)) {
            case 0 -> index.cut(volume, first, end);
            case 1 -> index.copy(volume, random.nextInt(VOLUMES));
            case 2 -> index.forget(volume);
            default -> index.set(volume, new Row(first, end, new Source.Zeros()));
        }
    }

    private static long counted(JournalIndex index) {
        return index.volumes().stream()
                .mapToLong(volume -> index.of(volume).size())
                .sum();
    }
}
