package dev.retier.cli.options;

import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;

/** Looks whether a file can be written before work begins whose result should go there. Stateless. */
public final class WritableFile {
    private WritableFile() {}

    /** Returns quietly when {@code file}, given with {@code option}, can be written; else a {@link CommandFailure}. */
    public static void require(String option, Path file) {
        Path folder = file.toAbsolutePath().getParent();
        boolean writable = Files.exists(file)
                ? !Files.isDirectory(file) && Files.isWritable(file)
                : folder != null && Files.isWritable(folder);
        if (!writable) {
            throw new CommandFailure(ExitCode.FAILED, option + " " + file + ": cannot be written; name another file");
        }
    }
}
