package dev.retier.cli.trace.options;

import dev.retier.cli.options.DurationConverter;
import dev.retier.cli.options.HelpHeading;
import dev.retier.traces.Trace;
import dev.retier.traces.shape.Placement;
import dev.retier.traces.shape.Shaping;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What is made of a trace before it is sent or written; in the order of the options. */
@HelpHeading("What is made of the trace first")
public final class ShapeOptions {
    @Option(
            names = "--from",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            description = "Leave out what comes before this time of the trace, as in 90m.")
    private @Nullable Duration from;

    @Option(
            names = "--until",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            description = "Leave out what comes from this time of the trace on.")
    private @Nullable Duration until;

    @Option(
            names = "--thin",
            paramLabel = "N",
            defaultValue = "1",
            description = "Only one client in N, chosen by a hash, so that sessions stay whole.")
    private int thin;

    @Option(
            names = "--amplify",
            paramLabel = "N",
            defaultValue = "1",
            description = "Each request N times, each copy from a client of its own.")
    private int amplify;

    @Option(
            names = "--max-gap",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            description = "Cut longer silences down to this.")
    private @Nullable Duration maxGap;

    @Option(
            names = "--place",
            defaultValue = "as_logged",
            description = "Where the requests of a second go in it, as logs have whole seconds: as_logged (all at its"
                    + " start), even, or uniform (at random, as Poisson arrivals; default: ${DEFAULT-VALUE}).")
    private Placement place = Placement.AS_LOGGED;

    /** {@code trace} as wanted; {@link IllegalArgumentException} for values out of range. */
    public Trace shape(Trace trace, long seed) {
        Trace shaped = trace;
        if (from != null || until != null) {
            shaped = Shaping.window(
                    shaped, from == null ? 0 : from.toNanos(), until == null ? Long.MAX_VALUE : until.toNanos());
        }
        shaped = thin == 1 ? shaped : Shaping.thin(shaped, thin);
        shaped = amplify == 1 ? shaped : Shaping.amplify(shaped, amplify);
        shaped = maxGap == null ? shaped : Shaping.clipGaps(shaped, maxGap.toNanos());
        return Shaping.place(shaped, place, seed);
    }
}
