package dev.retier.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Reads a configuration file that the user named. */
final class InputFile {
    /** Far above any real configuration, far below what would hurt. */
    private static final long MAX_BYTES = 16L << 20;

    private InputFile() {}

    /**
     * The content of {@code file}; a {@link CommandFailure} that names the file and the remedy when it cannot be had.
     */
    static byte[] bytes(Path file) {
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw new CommandFailure(ExitCode.CONFIG, file + ": larger than 16 MiB; this is no configuration file");
            }
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            throw new CommandFailure(ExitCode.CONFIG, file + ": no such file; check the path", e);
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.CONFIG, file + ": cannot be read (" + e.getMessage() + ")", e);
        }
    }
}
