package dev.retier.cli.load;

import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.config.IoReason;
import dev.retier.load.LoadException;
import dev.retier.load.report.LoadResult;
import dev.retier.load.report.ResultJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Reads results that {@code retier load} wrote. Stateless. */
final class ResultFiles {
    private ResultFiles() {}

    /** The results in {@code file}, at least one; else a {@link CommandFailure} that names it. */
    static List<LoadResult> read(Path file) {
        try {
            List<LoadResult> results = ResultJson.read(file.toString(), Files.readString(file));
            if (results.isEmpty()) {
                throw new CommandFailure(ExitCode.FAILED, "result " + file + ": holds no result");
            }
            return results;
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.FAILED, "result " + file + ": cannot be read (" + IoReason.of(e) + "); name another", e);
        } catch (LoadException e) {
            throw new CommandFailure(ExitCode.FAILED, String.valueOf(e.getMessage()), e);
        }
    }
}
