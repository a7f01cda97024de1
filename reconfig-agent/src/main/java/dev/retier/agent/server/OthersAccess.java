package dev.retier.agent.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;

/** What users may read who are neither a file's owner nor of its group. Stateless. */
final class OthersAccess {
    private OthersAccess() {}

    /** Whether {@code file} is there and they may not read it, by its own rights and those of the folders it is in. */
    static boolean mayNotRead(Path file) {
        try {
            return !mayReach(file.toRealPath());
        } catch (IOException e) {
            // It is not there yet.
            return false;
        }
    }

    private static boolean mayReach(Path real) throws IOException {
        boolean isOpen = Files.getPosixFilePermissions(real).contains(PosixFilePermission.OTHERS_READ);
        for (Path folder = real.getParent(); folder != null; folder = folder.getParent()) {
            isOpen &= Files.getPosixFilePermissions(folder).contains(PosixFilePermission.OTHERS_EXECUTE);
        }
        return isOpen;
    }
}
