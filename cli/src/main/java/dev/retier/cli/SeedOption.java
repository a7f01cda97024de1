package dev.retier.cli;

import picocli.CommandLine.Option;

/** The seed of made and placed traces. */
final class SeedOption {
    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Of all that is random: the same options make the same bytes (default: ${DEFAULT-VALUE}).")
    private long seed;

    long seed() {
        return seed;
    }
}
