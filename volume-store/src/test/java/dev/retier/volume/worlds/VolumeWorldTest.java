package dev.retier.volume.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.retier.testsupport.Repeats;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** What ships, under faults by seed; more of them: {@code ./retier bench faults --world volume}. */
class VolumeWorldTest {
    private static final int WORLDS = 60;

    private final Logger log = (Logger) LoggerFactory.getLogger("dev.retier.volume");

    /** Processes end by the hundred, as they should. */
    @BeforeEach
    void silence() {
        log.setLevel(Level.OFF);
    }

    @AfterEach
    void speak() {
        log.setLevel(null);
    }

    @Test
    void shouldKeepWhatIsPromised_whateverFails() {
        long requests = 0;
        long faults = 0;
        long powerCuts = 0;
        long starts = 0;
        for (long seed = 0; seed < Repeats.of(WORLDS); seed++) {
            VolumeWorld.Report report = VolumeWorld.run(seed);
            assertThat(report.violation()).as("seed %d", seed).isEmpty();
            requests += report.requests();
            faults += report.faults();
            powerCuts += report.powerCuts();
            starts += report.starts();
        }
        assertThat(requests).as("so many that it says something").isGreaterThan(WORLDS * 50L);
        assertThat(faults).as("faults").isGreaterThan(WORLDS * 5L);
        assertThat(powerCuts).as("power cuts").isGreaterThan(WORLDS / 2);
        assertThat(starts).as("starts of the server").isGreaterThan(WORLDS * 2L);
    }

    /** An older change of a part of a block was made again over a newer one, and then its client died or was fenced. */
    @ParameterizedTest
    @ValueSource(longs = {434, 712, 904})
    void shouldStayMended_whereItOnceBroke(long seed) {
        assertThat(VolumeWorld.run(seed).violation()).isEmpty();
    }

    @Test
    void shouldBeTheSameAgain_whenTheSeedIs() {
        assertThat(VolumeWorld.run(7)).isEqualTo(VolumeWorld.run(7));
    }
}
