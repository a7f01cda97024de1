package dev.retier.cli.load;

import dev.retier.cli.options.DurationConverter;
import dev.retier.cli.options.HelpHeading;
import dev.retier.load.schedule.Pacing;
import dev.retier.traces.Trace;
import dev.retier.traces.statistics.PeakSpeed;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Option;

/** When requests are sent: a closed loop unless a rate, a speed or a peak makes it an open one. */
@HelpHeading("When requests are sent")
public final class PaceOptions {
    private static final Logger LOG = LoggerFactory.getLogger(PaceOptions.class);

    /** A peak that is no further off is not worth a word. */
    private static final double TOLERATED = 0.02;

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
            description =
                    "Open loop: at the times of the trace, as fast as gives the busiest second of the run, wherever"
                            + " it begins, this many requests; else as near as there is.")
    private @Nullable Integer peak;

    /**
     * When the requests of {@code trace} are sent; with a peak, the trace is gone through first to find its own.
     *
     * @param limit only the first so many requests are sent; 0: all
     * @param duration only what is due before that is sent; null: all
     * @param isPiped whether the trace can be read only once
     * @throws IllegalArgumentException for options that do not fit
     */
    Pacing pacing(Trace trace, long limit, @Nullable Duration duration, boolean isPiped) {
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
            if (isPiped) {
                throw new IllegalArgumentException(
                        "--peak has to go through the trace before it is sent, which standard"
                                + " input does not allow; write the trace to a file first, or give --speed");
            }
            PeakSpeed found =
                    PeakSpeed.of(trace, peak, new PeakSpeed.Sent(limit == 0 ? Long.MAX_VALUE : limit, duration));
            if (Math.abs(found.requests() - peak) > peak * TOLERATED) {
                LOG.warn(
                        "--peak {}: the busiest second will have {} requests, as many of the trace have the same time;"
                                + " --place spreads them",
                        peak,
                        found.requests());
            }
            return new Pacing.TraceTime(found.speed());
        }
        long thinkNanos = think == null ? 0 : think.toNanos();
        return sessions ? new Pacing.Sessions(thinkNanos) : new Pacing.ClosedLoop(thinkNanos);
    }
}
