package dev.retier.volume.disk;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.retier.testsupport.Repeats;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/**
 * Pools by seed: written, zeroed, resized, made, copied, rolled back, deleted, flushed and checkpointed while disks are
 * full, processes are killed and machines lose their power at any call. What was answered is there after a kill, what
 * was flushed after a power cut.
 */
class PoolWorldsTest {
    private static final int WORLDS = 300;

    private final Logger log = (Logger) LoggerFactory.getLogger(Checkpoints.class);

    /** Checkpoints fail by the hundred, as they should. */
    @BeforeEach
    void silence() {
        log.setLevel(Level.OFF);
    }

    @AfterEach
    void speak() {
        log.setLevel(null);
    }

    @Test
    void shouldKeepWhatIsPromised_whateverEnds() throws Exception {
        int refused = 0;
        for (long seed = 1; seed <= Repeats.of(WORLDS); seed++) {
            PoolWorld world = new PoolWorld(seed);
            assertThat(world.breaches()).as("seed %d", seed).isEmpty();
            refused += world.refused();
        }
        assertThat(refused).as("changes for which there was no room").isGreaterThan(WORLDS);
    }
}
