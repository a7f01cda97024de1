package dev.retier.agent.apply;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Whether a file could be written in a folder now, found out without writing. Stateless. */
public final class FolderRoom {
    /** What a move puts into its journal, and a generated file, take less. */
    private static final long LEAST_BYTES = 16 << 10;

    private FolderRoom() {}

    /** Why none could be; empty when one can, or nobody knows, as of a folder that is not there yet. */
    public static Optional<String> problem(Path folder) {
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            return Optional.of(folder + " is no folder");
        }
        if (Files.isDirectory(folder) && !(Files.isWritable(folder) && Files.isExecutable(folder))) {
            return Optional.of(folder + " may not be written by this user, or its file system is read-only");
        }
        File disk = folder.toFile();
        long bytes = disk.getUsableSpace();
        return bytes >= LEAST_BYTES || disk.getTotalSpace() == 0
                ? Optional.empty()
                : Optional.of(folder + ": " + bytes + " bytes left on its disk; free space");
    }

    /** The same of the folder in which {@link AtomicFile} replaces {@code file}. */
    public static Optional<String> problemOf(Path file) {
        try {
            return problem(AtomicFile.folder(file));
        } catch (IOException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }
}
