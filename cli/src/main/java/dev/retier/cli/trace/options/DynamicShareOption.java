package dev.retier.cli.trace.options;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How much of a recorded trace is dynamic. */
public final class DynamicShareOption {
    @Option(
            names = "--dynamic-share",
            paramLabel = "SHARE",
            description = "Make this share of a recorded trace's requests dynamic, 0 to 1, by a hash of what they ask"
                    + " for (default: as recorded).")
    private @Nullable Double share;

    /** From 0 to 1, as given; null: as recorded. */
    public @Nullable Double share() {
        return share;
    }
}
