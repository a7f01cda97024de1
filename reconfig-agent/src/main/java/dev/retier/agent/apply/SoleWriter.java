package dev.retier.agent.apply;

import dev.retier.agent.ReconfigException;
import dev.retier.config.IoReason;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * That a process is the only one on this machine that writes a journal or a generated file: two of them would undo each
 * other's. It ends when it is closed, and with the process, however that ends (fcntl(2), F_SETLK).
 */
public final class SoleWriter implements AutoCloseable {
    private static final String NAME = "lock";

    private final @Nullable FileChannel channel;

    private SoleWriter(@Nullable FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Of the journal in a folder, which is created if missing.
     *
     * @throws ReconfigException when another agent has it, or the folder cannot be used
     */
    public static SoleWriter ofJournal(Path directory) {
        Path file = file(directory);
        try {
            return take(file)
                    .orElseThrow(() -> refused(directory
                            + ": another agent of this node runs here; a node has one: end the other one, or give"
                            + " each node a journal-directory of its own"));
        } catch (IOException e) {
            throw new ReconfigException(
                    ReconfigException.Category.FATAL,
                    file + ": cannot be locked (" + IoReason.of(e)
                            + "); check the folder and its owner, or set journal-directory",
                    e);
        }
    }

    /**
     * Of a generated file, by a file beside it. Where none can be made, neither can the other be written, which is for
     * {@link FolderRoom} to tell.
     *
     * @throws ReconfigException when another agent or edge has it, as by another cluster file
     */
    public static SoleWriter ofGenerated(Path file) {
        try {
            Path target = AtomicFile.target(file);
            Path lock = AtomicFile.parent(target).resolve("." + target.getFileName() + "." + NAME);
            return take(lock)
                    .orElseThrow(() -> refused(file + ": another agent or edge of this machine writes it, perhaps of"
                            + " another cluster file; end that one, or give each its own server and file"));
        } catch (IOException e) {
            return new SoleWriter(null);
        }
    }

    /** The file of a journal's folder that is locked. */
    public static Path file(Path directory) {
        return directory.resolve(NAME);
    }

    private static ReconfigException refused(String why) {
        return new ReconfigException(ReconfigException.Category.FATAL, why);
    }

    /** Empty when another has it. */
    private static Optional<SoleWriter> take(Path file) throws IOException {
        Files.createDirectories(AtomicFile.parent(file));
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (isLocked(channel)) {
            return Optional.of(new SoleWriter(channel));
        }
        channel.close();
        return Optional.empty();
    }

    private static boolean isLocked(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false; // of the same process
        }
    }

    @Override
    public void close() {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            throw new ReconfigException(
                    ReconfigException.Category.FATAL, NAME + ": cannot be closed (" + e.getMessage() + ")", e);
        }
    }
}
