package dev.retier.volume.worlds;

import static dev.retier.testsupport.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.retier.testsupport.Repeats;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
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
        Map<String, Long> sum = new LinkedHashMap<>();
        for (long seed = 0; seed < Repeats.of(WORLDS); seed++) {
            VolumeWorld.Report report = VolumeWorld.run(seed);
            assertThat(report.violation()).as("seed %d", seed).isEmpty();
            report.figures().forEach((what, times) -> sum.merge(what, times, Long::sum));
        }
        assertThat(sum.get("requests")).as("so many that it says something").isGreaterThan(WORLDS * 50L);
        assertThat(sum.get("faults_injected")).as("faults").isGreaterThan(WORLDS * 5L);
        assertThat(sum.get("power_cuts")).as("power cuts").isGreaterThan(WORLDS / 2);
        assertThat(sum.get("starts")).as("starts of the server").isGreaterThan(WORLDS * 2L);
        assertThat(sum)
                .as("each of it has happened")
                .allSatisfy((_, times) -> assertThat(times).isPositive());
    }

    /** Java keeps threads that have not ended: ten thousand worlds would not fit into memory with theirs. */
    @Test
    void shouldLeaveNothing_whenItIsOver() throws IOException {
        VolumeWorld world = new VolumeWorld(7);
        assertThat(world.run().violation()).isEmpty();
        WeakReference<VolumeWorld> left = new WeakReference<>(world);
        world = null;
        await().until(() -> {
            System.gc();
            return left.get() == null;
        });
    }

    @Test
    void shouldBeTheSameAgain_whenTheSeedIs() {
        assertThat(VolumeWorld.run(7)).isEqualTo(VolumeWorld.run(7));
    }

    @Test
    void shouldSayWhatToDo_whenItsThreadsWouldWaitForALog() {
        log.setLevel(Level.ERROR);

        assertThatThrownBy(() -> VolumeWorld.run(7))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("dev.retier.volume to OFF");
    }
}
