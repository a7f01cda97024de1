package dev.retier.config.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;

/** Who has rights to a file that holds a secret. Stateless. */
public final class FileRights {
    private static final Set<PosixFilePermission> OF_OTHERS = EnumSet.of(
            PosixFilePermission.OTHERS_READ, PosixFilePermission.OTHERS_WRITE, PosixFilePermission.OTHERS_EXECUTE);

    private FileRights() {}

    /**
     * Whether others than its owner and its group have any right to it; never where files have no such rights.
     *
     * @throws IOException if that cannot be told
     */
    public static boolean haveOthers(Path file) throws IOException {
        PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
        return view != null && view.readAttributes().permissions().stream().anyMatch(OF_OTHERS::contains);
    }
}
