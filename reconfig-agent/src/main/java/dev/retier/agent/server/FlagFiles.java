package dev.retier.agent.server;

import dev.retier.agent.apply.AtomicFile;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Files whose being there, or whose few bytes, a server asks for with each request. Stateless. */
final class FlagFiles {
    private static final Set<PosixFilePermission> ALL_READ = PosixFilePermissions.fromString("rw-r--r--");

    private FlagFiles() {}

    /**
     * Has it be there or not, also after a crash of the machine.
     *
     * @return whether it was otherwise
     * @throws IOException when it is not so
     */
    static boolean set(Path flag, boolean isThere) throws IOException {
        if (Files.exists(flag) == isThere) {
            return false;
        }
        if (isThere) {
            try {
                Files.createFile(flag);
            } catch (FileAlreadyExistsException e) {
                // A link that leads nowhere: to whoever asks it is not there.
                throw new IOException(flag + " is a link that leads nowhere; remove it", e);
            }
        } else {
            Files.delete(flag);
        }
        AtomicFile.forceDirectory(AtomicFile.parent(flag));
        return true;
    }

    /**
     * Puts {@code text} in the place of what it held, so that a reader finds the one or the other. It is not forced to
     * disk: what is left after a crash of the machine says at worst that nothing is known. All may read it, whatever
     * the agent's umask is, as the workers of the server run as a user of their own.
     *
     * @throws IOException when it cannot be written
     */
    static void write(Path file, String text) throws IOException {
        Path staged = file.resolveSibling("." + file.getFileName() + ".staged");
        Files.writeString(staged, text);
        Files.setPosixFilePermissions(staged, ALL_READ);
        Files.move(staged, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
