package dev.retier.cli;

import dev.retier.load.schedule.Pacing;
import dev.retier.load.trace.Trace;
import dev.retier.load.trace.TraceStatistics;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** When requests are sent: a closed loop unless a rate, a speed or a peak makes it an open one. */
final class PaceOptions {
    @Option(
            names = "--think",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            description = "Closed loop: pause of a client after each answer (default: none).")
    private @Nullable Duration think;

    @Option(
            names = "--sessions",
            description = "Closed loop: the requests of one client of the trace go over one connection, in order.")
    private boolean sessions;

    @Option(
            names = "--rate",
            paramLabel = "RATE",
            converter = RatesConverter.class,
            description = "Open loop: requests per second, evenly; or steps such as 100:30s,500:30s,1000.")
    private Pacing.@Nullable Rates rate;

    @Option(
            names = "--speed",
            paramLabel = "FACTOR",
            description = "Open loop: at the times of the trace, so many times as fast; 1 as recorded.")
    private @Nullable Double speed;

    @Option(
            names = "--peak",
            paramLabel = "RATE",
            description = "Open loop: at the times of the trace, as fast as gives its busiest second this many"
                    + " requests per second.")
    private @Nullable Double peak;

    /**
     * When the requests of {@code trace} are sent; with a peak, the trace is gone through once to find its own.
     *
     * @throws IllegalArgumentException for options that do not fit
     */
    Pacing pacing(Trace trace) {
        List<String> given = Stream.of(
                        rate == null ? "" : "--rate",
                        speed == null ? "" : "--speed",
                        peak == null ? "" : "--peak",
                        sessions || think != null ? "--sessions or --think" : "")
                .filter(name -> !name.isEmpty())
                .toList();
        if (given.size() > 1) {
            throw new IllegalArgumentException(String.join(", ", given) + " exclude each other; give one of them");
        }
        if (rate != null) {
            return rate;
        }
        if (speed != null) {
            return new Pacing.TraceTime(speed);
        }
        if (peak != null) {
            return new Pacing.TraceTime(TraceStatistics.of(trace).speedForPeak(peak));
        }
        long thinkNanos = think == null ? 0 : think.toNanos();
        return sessions ? new Pacing.Sessions(thinkNanos) : new Pacing.ClosedLoop(thinkNanos);
    }
}
