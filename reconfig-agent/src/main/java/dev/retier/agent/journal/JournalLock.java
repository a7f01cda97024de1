package dev.retier.agent.journal;

import dev.retier.agent.ReconfigException;
import dev.retier.config.IoReason;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * That a process is the only agent of its node on this machine: two of them would undo each other's files. It ends when
 * it is closed, and with the process, however that ends (fcntl(2), F_SETLK).
 */
public final class JournalLock implements AutoCloseable {
    private static final String NAME = "lock";

    private final FileChannel channel;

    private JournalLock(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Takes the lock of a journal's folder, which is created if missing.
     *
     * @throws ReconfigException when another agent has it, or the folder cannot be used
     */
    public static JournalLock take(Path directory) {
        Path file = file(directory);
        try {
            Files.createDirectories(directory);
            FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (isLocked(channel)) {
                return new JournalLock(channel);
            }
            channel.close();
        } catch (IOException e) {
            throw new ReconfigException(
                    ReconfigException.Category.FATAL,
                    file + ": cannot be locked (" + IoReason.of(e)
                            + "); check the folder and its owner, or set journal-directory",
                    e);
        }
        throw new ReconfigException(
                ReconfigException.Category.FATAL,
                directory + ": another agent of this node runs here; a node has one: end the other one, or give each"
                        + " node a journal-directory of its own");
    }

    /** The file that is locked. */
    public static Path file(Path directory) {
        return directory.resolve(NAME);
    }

    private static boolean isLocked(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false; // an agent of the same process
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new ReconfigException(
                    ReconfigException.Category.FATAL, NAME + ": cannot be closed (" + e.getMessage() + ")", e);
        }
    }
}
