package dev.retier.bench;

import dev.retier.report.OutputFormat;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What becomes of the result of every measurement: how it is printed, and whether it is kept. */
public final class ResultOptions {
    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description =
                    "How to print the result: table, json or csv (default: table). Progress is on standard error.")
    private OutputFormat format = OutputFormat.TABLE;

    @Option(
            names = "--record",
            arity = "0..1",
            fallbackValue = "docs/results",
            paramLabel = "DIRECTORY",
            description = "Keep the result there as .md, with a chart also as .html (docs/results if no directory is"
                    + " given), and repeat rounds in which other processes took more than 10 %% of the machine.")
    private @Nullable Path directory;

    @Option(
            names = "--repeat-minutes",
            paramLabel = "N",
            description =
                    "With --record: for how long such rounds are repeated in all; then they count, and the verdict"
                            + " is undecided (default: ${DEFAULT-VALUE}).")
    private int repeatMinutes = 20;

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec measurement;

    /** Whether the result is to be kept. */
    public boolean isRecorded() {
        return directory != null;
    }

    /**
     * A result with nothing in it. Reads the machine's facts, so begin before the load does.
     *
     * @param name of the files, such as {@code iwarp}
     * @param title what was measured
     * @param command that repeats it
     */
    public Results begin(String name, String title, String command) {
        return new Results(
                new Results.About(name, title, command),
                format,
                measurement.commandLine().getOut(),
                new QuietRounds(isRecorded() ? Duration.ofMinutes(repeatMinutes) : Duration.ZERO));
    }

    /**
     * Prints what was not printed as it came, and keeps {@code results} if that was asked for.
     *
     * @throws IOException if a file cannot be written
     */
    public void end(Results results) throws IOException {
        results.printRest();
        if (directory != null) {
            results.record(directory);
        }
    }
}
