package dev.retier.bench.volumes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.sim.blocks.BlockRequest;
import dev.retier.volume.wire.Operation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DayTraceTest {
    private static BlockRequest at(long micros) {
        return new BlockRequest(micros, Operation.WRITE, micros, 4096);
    }

    private static List<Long> times(DayTrace trace, long from, long until) {
        return trace.between(from, until).stream().map(BlockRequest::micros).toList();
    }

    /** 10 us long, as the last request is the end of it. */
    private final DayTrace trace = new DayTrace(List.of(at(0), at(9), at(4), at(4)));

    @Test
    void shouldHaveRequestsInTheOrderOfTheirTime_fromTheFirstTimeOnAndBeforeTheLast() {
        assertThat(times(trace, 0, 10)).containsExactly(0L, 4L, 4L, 9L);
        assertThat(times(trace, 1, 9)).containsExactly(4L, 4L);
        assertThat(times(trace, 4, 4)).isEmpty();
    }

    @Test
    void shouldBeginAnew_whenTheRecordingIsOver() {
        assertThat(times(trace, 9, 21)).containsExactly(9L, 0L, 4L, 4L, 9L, 0L);
        assertThat(times(trace, 1_000_005, 1_000_011)).containsExactly(9L, 0L);
    }

    @Test
    void shouldHaveAllOnce_whenItIsReplayedPartByPart() {
        long count = 0;
        for (long from = 7; from < 7 + 100; from += 4) {
            count += trace.between(from, from + 4).size();
        }

        assertThat(count).isEqualTo(10L * trace.count());
    }

    @Test
    void shouldSpreadPlacesOverTheRecording() {
        assertThat(List.of(trace.place(0, 5), trace.place(1, 5), trace.place(4, 5)))
                .containsExactly(0L, 2L, 8L);
    }

    @Test
    void shouldReadWhatWasRecorded(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(
                folder.resolve("blocks.csv"), BlockRequest.HEAD + "\n5,flush,0,0\n999999,read,4096,8192\n7,zero,0,1\n");

        DayTrace read = DayTrace.read(file);

        assertThat(read.length()).isEqualTo(Duration.ofSeconds(1));
        assertThat(read.count()).isEqualTo(3);
        assertThat(read.mostBytes()).isEqualTo(8192);
    }

    @Test
    void shouldRefuseARecordingOfNothing() {
        assertThatThrownBy(() -> new DayTrace(List.of())).hasMessageContaining("nothing was recorded");
    }
}
