package dev.retier.load.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.load.schedule.Pacing;
import dev.retier.traces.EventStream;
import dev.retier.traces.TraceEvent;
import dev.retier.traces.file.ReadOptions;
import dev.retier.traces.file.TraceFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import org.junit.jupiter.api.Test;

/** The made World Cup log at its own speed, in virtual time: it pauses for 68 and for 78 s. */
class SilentTraceTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long STALL_LIMIT = 60 * SECOND;
    private static final Path LOG = Path.of("../traces/samples/worldcup.log.gz");

    @Test
    void shouldNotStall_whenTheLogPausesForLongerThanTheLimit() {
        assertThat(longestSilence(SECOND / 100)).isLessThanOrEqualTo(SECOND);
        assertThat(longestSilence(3 * SECOND)).isLessThan(STALL_LIMIT);
    }

    @Test
    void shouldStall_whenNobodyAnswers() {
        assertThat(longestSilence(100_000 * SECOND)).isGreaterThanOrEqualTo(STALL_LIMIT);
    }

    /** Of a replay in which each answer takes {@code answerNanos}; looked at every second, as the run does oftener. */
    private static long longestSilence(long answerNanos) {
        Pacing.TraceTime pacing = new Pacing.TraceTime(1);
        RunMeter meter = new RunMeter(SECOND, SECOND, true);
        PriorityQueue<Long> ends = new PriorityQueue<>();
        List<TraceEvent> events = new ArrayList<>();
        try (EventStream log =
                TraceFiles.of(List.of(LOG), ReadOptions.FOR_WEB_NODE).open()) {
            for (TraceEvent event = log.next(); event != null; event = log.next()) {
                events.add(event);
            }
        }
        TraceEvent any = events.getFirst();
        long now = 0;
        long longest = 0;
        long widestPause = 0;
        for (int i = 0; i < events.size(); i++) {
            long due = pacing.dueNanos(i, events.get(i));
            widestPause = Math.max(widestPause, due - now);
            while (now < due) {
                now += Math.min(SECOND, due - now);
                while (!ends.isEmpty() && ends.peek() <= now) {
                    long end = ends.poll();
                    meter.over(Outcomes.answered(any, 1, answerNanos, answerNanos, end));
                }
                longest = Math.max(longest, meter.silentNanos(now).orElse(0));
            }
            meter.sent(events.get(i), due, due);
            ends.add(due + answerNanos);
        }
        assertThat(widestPause).as("of the sample").isGreaterThan(77 * SECOND);
        return longest;
    }
}
