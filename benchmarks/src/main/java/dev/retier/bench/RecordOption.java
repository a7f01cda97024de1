package dev.retier.bench;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The {@code --record} option of every measurement. */
public final class RecordOption {
    @Option(
            names = "--record",
            arity = "0..1",
            fallbackValue = "docs/results",
            paramLabel = "DIRECTORY",
            description = "Keep the results as .md, .html and .csv there (docs/results if no directory is given).")
    private @Nullable Path directory;

    /** Whether the results are to be kept. */
    public boolean isAsked() {
        return directory != null;
    }

    /**
     * Keeps {@code results} if that was asked for.
     *
     * @throws IOException if a file cannot be written
     */
    public void keep(Results results) throws IOException {
        if (directory != null) {
            results.record(directory);
        }
    }
}
