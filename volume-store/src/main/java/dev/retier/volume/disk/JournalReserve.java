package dev.retier.volume.disk;

import dev.retier.volume.NoSpaceException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Room on the disk that nothing else takes, for records that make room when there is none: a file, which is taken away
 * for them. Beside the segments, where no program looks for it. Thread-safe.
 */
final class JournalReserve {
    static final String NAME = Journal.FOLDER + "/reserve";

    private static final int BYTES = 64 << 10;

    private final Disk disk;
    /** Guarded by this. */
    private boolean isThere;

    JournalReserve(Disk disk) {
        this.disk = disk;
    }

    /** It is there from now on, if there is room for it. */
    synchronized void make() throws IOException {
        if (isThere) {
            return;
        }
        Disk.DiskFile file;
        try {
            file = disk.open(NAME);
        } catch (NoSpaceException full) {
            return; // not even for a file with nothing in it, so that there is none
        }
        try (file) {
            file.write(ByteBuffer.allocateDirect(BYTES), 0);
            file.force(); // a file system may find only then that it has no room
            isThere = true;
        } catch (NoSpaceException full) {
            disk.delete(NAME);
        }
    }

    /** Whether there is more room now than before. */
    synchronized boolean giveUp() throws IOException {
        boolean was = isThere;
        if (was) {
            disk.delete(NAME);
            isThere = false;
        }
        return was;
    }
}
