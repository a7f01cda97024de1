package dev.retier.cli.load;

import dev.retier.cli.options.DurationConverter;
import dev.retier.cli.options.HelpHeading;
import dev.retier.cli.options.InstantConverter;
import dev.retier.load.drive.StartSignal;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of a whole run, whatever the number of its sites. */
@HelpHeading("The start")
public final class RunOptions {
    /** Somebody who starts generators by hand is quicker. */
    private static final Duration LONGEST_WAIT = Duration.ofHours(1);

    @Mixin
    private ResultOptions results = new ResultOptions();

    @Option(
            names = "--warm-up",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            defaultValue = "2s",
            description = "Warm this process up for so long against a server of its own, before anything is sent to the"
                    + " site, so that its own start is not in the figures (default: ${DEFAULT-VALUE}; 0s: not at all).")
    private Duration warmUp = Duration.ofSeconds(2);

    @Option(
            names = "--start-at",
            paramLabel = "TIME",
            converter = InstantConverter.class,
            description = "Begin at this time, such as 2026-01-31T12:00:00Z: for several generators together.")
    private @Nullable Instant startAt;

    @Option(
            names = "--start-when",
            paramLabel = "FILE",
            description = "Begin when this file appears: the same, for machines that share a folder.")
    private @Nullable Path startWhen;

    ResultOptions results() {
        return results;
    }

    Duration warmUp() {
        return warmUp;
    }

    /** When to begin; {@link IllegalArgumentException} when two ways to say it are given. */
    StartSignal startSignal() {
        if (startAt != null && startWhen != null) {
            throw new IllegalArgumentException("--start-at and --start-when exclude each other; give one of them");
        }
        if (startAt != null) {
            return StartSignal.at(startAt);
        }
        return startWhen == null ? StartSignal.NOW : StartSignal.whenExists(startWhen, LONGEST_WAIT);
    }
}
