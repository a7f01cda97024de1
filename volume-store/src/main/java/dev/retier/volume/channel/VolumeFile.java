package dev.retier.volume.channel;

import dev.retier.volume.Volume;
import dev.retier.volume.Volume.Option;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.OpenOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * The one file on a volume, from its second block on; how long it is stands in the first, so that it survives what a
 * file's length does: once a write that made it longer has returned, the death of any process; once it was forced, a
 * power cut; before that the length is old or new, and never new with bytes that are neither written nor zeros. Make
 * one of these for a volume, and open as many channels on it as there is need for. Thread-safe.
 *
 * <p>A write that makes the file longer is two requests, one after the other, all others are one.
 */
public final class VolumeFile {
    private final Volume volume;
    /** Its write lock is for who changes the length, and held meanwhile, also while the volume is written. */
    private final ReentrantReadWriteLock length = new ReentrantReadWriteLock();

    private volatile long bytes;

    /** Guarded by itself. */
    private final List<FileLock> locks = new ArrayList<>();

    private VolumeFile(Volume volume, long bytes) {
        this.volume = volume;
        this.bytes = bytes;
    }

    /**
     * The file on a volume; an empty one where nothing was ever written.
     *
     * @param volume stays the caller's, to be closed after the last channel
     * @throws IOException if it cannot be read, or has something else
     */
    public static VolumeFile on(Volume volume) throws IOException {
        if (volume.bytes() < EndMark.BLOCK_BYTES) {
            throw new IOException("a volume of " + volume.bytes() + " bytes has no room for a file");
        }
        return new VolumeFile(volume, EndMark.read(volume).orElse(0L));
    }

    /** How long it is. */
    public long size() {
        return bytes;
    }

    /** How long it can be. */
    public long capacity() {
        return volume.bytes() - EndMark.BLOCK_BYTES;
    }

    /**
     * A channel on it, as {@link FileChannel#open} gives one: for reading if nothing else is said. {@code CREATE} and
     * {@code SPARSE} change nothing; with {@code SYNC} or {@code DSYNC} each write is on the disk when it returns.
     *
     * @throws UnsupportedOperationException for {@code CREATE_NEW} and {@code DELETE_ON_CLOSE}: a volume is not made or
     *     taken away by its use; and for what is no {@link StandardOpenOption}
     */
    public FileChannel open(OpenOption... options) throws IOException {
        Set<OpenOption> all = Set.of(options);
        for (OpenOption option : all) {
            if (!(option instanceof StandardOpenOption)
                    || option == StandardOpenOption.CREATE_NEW
                    || option == StandardOpenOption.DELETE_ON_CLOSE) {
                throw new UnsupportedOperationException(option + " with a volume");
            }
        }
        boolean isAppending = all.contains(StandardOpenOption.APPEND);
        boolean writes = isAppending || all.contains(StandardOpenOption.WRITE);
        boolean reads = all.contains(StandardOpenOption.READ) || !writes;
        if (isAppending && (all.contains(StandardOpenOption.READ) || truncates(all))) {
            throw new IllegalArgumentException("APPEND together with READ or TRUNCATE_EXISTING");
        }
        if (writes && truncates(all)) {
            truncate(0);
        }
        boolean isForced = all.contains(StandardOpenOption.SYNC) || all.contains(StandardOpenOption.DSYNC);
        return new VolumeChannel(this, new VolumeChannel.Rights(reads, writes, isAppending, isForced));
    }

    private static boolean truncates(Set<OpenOption> all) {
        return all.contains(StandardOpenOption.TRUNCATE_EXISTING);
    }

    /** Reads up to its end; -1 if {@code from} is not before that. */
    long read(long from, List<ByteBuffer> into) throws IOException {
        long wanted = remaining(into);
        long left = bytes - from;
        if (wanted == 0) {
            return 0;
        }
        if (left <= 0) {
            return -1;
        }
        long count = Math.min(wanted, left);
        List<ByteBuffer> parts = new ArrayList<>();
        long room = count;
        for (ByteBuffer buffer : into) {
            int some = (int) Math.min(room, buffer.remaining());
            parts.add(buffer.duplicate().limit(buffer.position() + some));
            room -= some;
        }
        volume.read(EndMark.BLOCK_BYTES + from, parts);
        for (int i = 0; i < parts.size(); i++) {
            into.get(i).position(parts.get(i).limit());
        }
        return count;
    }

    private static long remaining(List<ByteBuffer> buffers) {
        return buffers.stream().mapToLong(ByteBuffer::remaining).sum();
    }

    /** Where what is written begins, and how much it is. */
    record Written(long from, long count) {}

    /** Writes all of them, at {@code at}, or at its end if that is negative. */
    Written write(long at, List<ByteBuffer> from, boolean isForced) throws IOException {
        long count = remaining(from);
        if (at >= 0 && count <= capacity() - at) {
            length.readLock().lock();
            try {
                if (at + count <= bytes) {
                    volume.write(EndMark.BLOCK_BYTES + at, from, isForced ? Set.of(Option.FORCED) : Set.of());
                    return new Written(at, count);
                }
            } finally {
                length.readLock().unlock();
            }
        }
        return extend(at, from, isForced);
    }

    private Written extend(long at, List<ByteBuffer> from, boolean isForced) throws IOException {
        long count = remaining(from);
        length.writeLock().lock();
        try {
            long begin = at < 0 ? bytes : at;
            if (count == 0) {
                return new Written(begin, 0);
            }
            if (begin > capacity() - count) {
                throw new IOException("No space left on the volume: " + count + " bytes at " + begin + " of a file that"
                        + " can have " + capacity() + "; resize the volume");
            }
            if (begin > bytes) {
                volume.zero(EndMark.BLOCK_BYTES + bytes, begin - bytes);
            }
            volume.write(EndMark.BLOCK_BYTES + begin, from, Set.of());
            if (begin + count > bytes) {
                EndMark.write(volume, begin + count, isForced);
                bytes = begin + count;
            } else if (isForced) {
                volume.flush();
            }
            return new Written(begin, count);
        } finally {
            length.writeLock().unlock();
        }
    }

    /** Makes it shorter, if it is longer. */
    void truncate(long to) throws IOException {
        length.writeLock().lock();
        try {
            long before = bytes;
            if (to < before) {
                EndMark.write(volume, to, false);
                bytes = to;
                volume.discard(EndMark.BLOCK_BYTES + to, before - to, Set.of());
            }
        } finally {
            length.writeLock().unlock();
        }
    }

    void force() throws IOException {
        volume.flush();
    }

    /** Keeps a lock, unless one is held that overlaps. */
    void add(FileLock lock) {
        synchronized (locks) {
            locks.removeIf(held -> !held.isValid());
            if (locks.stream().anyMatch(held -> held.overlaps(lock.position(), lock.size()))) {
                throw new OverlappingFileLockException();
            }
            locks.add(lock);
        }
    }
}
