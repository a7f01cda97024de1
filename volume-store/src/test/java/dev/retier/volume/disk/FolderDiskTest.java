package dev.retier.volume.disk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.volume.VolumeName;
import dev.retier.volume.pool.Geometry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderDiskTest {
    private static final Pool.Limits LIMITS = new Pool.Limits(1 << 16, 4L << 16);

    /** A file system has one of root's at its top; here it is one that root cannot force either. */
    @Test
    void shouldLeaveFoldersAloneThatAreNotThePools(@TempDir Path folder) throws IOException {
        Files.createSymbolicLink(folder.resolve("lost+found"), Path.of("/proc"));
        try (FolderDisk disk = FolderDisk.open(folder)) {
            Pool.make(disk, new UUID(1, 2), Geometry.DEFAULT);
            Pool.open(disk, LIMITS, Runnable::run).close();
        }

        try (Pool pool = Pool.open(FolderDisk.open(folder), LIMITS, Runnable::run)) {
            pool.create(new VolumeName("accounts"), 1 << 20);
            pool.flush();
            assertThat(pool.catalogue().volumes()).hasSize(1);
        }
    }
}
