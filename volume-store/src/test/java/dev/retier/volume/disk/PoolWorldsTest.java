package dev.retier.volume.disk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.testsupport.Repeats;
import org.junit.jupiter.api.Test;

/**
 * Pools by seed: written, zeroed, resized, made, deleted, flushed and checkpointed while processes are killed and
 * machines lose their power at any call. What was answered is there after a kill, what was flushed after a power cut.
 */
class PoolWorldsTest {
    private static final int WORLDS = 500;

    @Test
    void shouldKeepWhatIsPromised_whateverEnds() throws Exception {
        for (long seed = 1; seed <= Repeats.of(WORLDS); seed++) {
            PoolWorld world = new PoolWorld(seed);
            assertThat(world.breaches()).as("seed %d", seed).isEmpty();
        }
    }
}
