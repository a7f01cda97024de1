package dev.retier.volume.disk;

import dev.retier.volume.NoSpaceException;
import dev.retier.volume.pool.ForcedMark;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps beside the segments which records are on the disk for certain. It is written after each force of these and
 * forced itself with each new segment alone: after a power cut it may be one from before, and what that says is as
 * true. Guarded by the lock of whoever forces the journal.
 */
final class JournalMark implements AutoCloseable {
    private static final String FILE = "forced";
    static final String NAME = Journal.FOLDER + "/" + FILE;

    private final Disk disk;
    private Disk.@Nullable DiskFile file;

    JournalMark(Disk disk) {
        this.disk = disk;
    }

    /** All records before the one of that number were forced; 0 if nothing is known. */
    static long read(Disk disk) throws IOException {
        if (!disk.list(Journal.FOLDER).contains(FILE)) {
            return 0; // of a program of before, or there was no room
        }
        try (Disk.DiskFile file = disk.open(NAME)) {
            ByteBuffer bytes = ByteBuffer.allocate(ForcedMark.BYTES);
            file.read(bytes, 0);
            return ForcedMark.parse(bytes).map(ForcedMark::number).orElse(0L);
        }
    }

    /** From now on all records before the one of that number count as forced; without room for it as many as before. */
    void put(long number) throws IOException {
        try {
            Disk.DiskFile open = file == null ? disk.open(NAME) : file;
            file = open;
            open.write(new ForcedMark(number).encode(), 0);
        } catch (NoSpaceException full) {
            // It says less than it might.
        }
    }

    /** What was put is on the disk. */
    void force() throws IOException {
        if (file != null) {
            file.force();
        }
    }

    @Override
    public void close() throws IOException {
        if (file != null) {
            file.close();
        }
    }
}
