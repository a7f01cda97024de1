package dev.retier.cli.trace.options;

import picocli.CommandLine.Option;

/** The seed of made and placed traces. */
public final class SeedOption {
    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Of all that is random: the same options make the same bytes (default: ${DEFAULT-VALUE}).")
    private long seed;

    /** The seed, any number. */
    public long seed() {
        return seed;
    }
}
