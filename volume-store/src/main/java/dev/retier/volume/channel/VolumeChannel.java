package dev.retier.volume.channel;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A channel on the {@link VolumeFile file} of a volume. It does what a {@link FileChannel} on a file of the local disk
 * does, but for this: the file can be no longer than its volume; what is mapped is refused; a lock is what the
 * attachment of the volume is already, so that it is always free but for locks of this process. While the server is
 * away calls wait, as they do of a disk; whoever closes the channel meanwhile lets them wait, and they end with {@link
 * java.nio.channels.AsynchronousCloseException} if they have failed then. An interrupt closes the channel, as
 * everywhere.
 *
 * <p>Thread-safe. What moves the position is done one after the other.
 */
final class VolumeChannel extends FileChannel {
    private static final int TRANSFER_BYTES = 1 << 20;

    private final VolumeFile file;
    private final Rights rights;
    /** Held while what moves the position is done. */
    private final ReentrantLock moving = new ReentrantLock();

    /** Guarded by {@link #moving}. */
    private long position;

    /** What it may do, and how it writes. */
    record Rights(boolean reads, boolean writes, boolean isAppending, boolean isForced) {}

    VolumeChannel(VolumeFile file, Rights rights) {
        this.file = file;
        this.rights = rights;
    }

    private void requireOpen() throws ClosedChannelException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
    }

    private void requireReads() throws ClosedChannelException {
        requireOpen();
        if (!rights.reads) {
            throw new NonReadableChannelException();
        }
    }

    private void requireWrites() throws ClosedChannelException {
        requireOpen();
        if (!rights.writes) {
            throw new NonWritableChannelException();
        }
    }

    private static void requireNotNegative(long value) {
        if (value < 0) {
            throw new IllegalArgumentException("Negative position or size: " + value);
        }
    }

    private static List<ByteBuffer> writable(ByteBuffer... buffers) {
        for (ByteBuffer buffer : buffers) {
            if (buffer.isReadOnly()) {
                throw new IllegalArgumentException("Read-only buffer");
            }
        }
        return List.of(buffers);
    }

    /** What waits for the volume. */
    private interface Step<T> {
        T run() throws IOException;
    }

    /** What is closed meanwhile, and has failed, says so. */
    private <T> T waiting(Step<T> step) throws IOException {
        boolean isDone = false;
        try {
            begin();
            requireOpen();
            T result = step.run();
            isDone = true;
            return result;
        } finally {
            end(isDone);
        }
    }

    /** The same for what moves the position. */
    private <T> T moving(Step<T> step) throws IOException {
        moving.lock();
        try {
            return waiting(step);
        } finally {
            moving.unlock();
        }
    }

    private long readOn(List<ByteBuffer> into) throws IOException {
        return moving(() -> {
            long count = file.read(position, into);
            position += Math.max(0, count);
            return count;
        });
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        requireReads();
        return (int) readOn(writable(into));
    }

    @Override
    public long read(ByteBuffer[] into, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, into.length);
        requireReads();
        return readOn(writable(Arrays.copyOfRange(into, offset, offset + length)));
    }

    @Override
    public int read(ByteBuffer into, long from) throws IOException {
        Objects.requireNonNull(into);
        requireNotNegative(from);
        requireReads();
        return (int) (long) waiting(() -> file.read(from, writable(into)));
    }

    private long writeOn(List<ByteBuffer> from) throws IOException {
        return moving(() -> {
            VolumeFile.Written written = file.write(rights.isAppending ? -1 : position, from, rights.isForced);
            position = written.from() + written.count();
            return written.count();
        });
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        Objects.requireNonNull(from);
        requireWrites();
        return (int) writeOn(List.of(from));
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, from.length);
        requireWrites();
        return writeOn(List.of(Arrays.copyOfRange(from, offset, offset + length)));
    }

    @Override
    public int write(ByteBuffer from, long at) throws IOException {
        Objects.requireNonNull(from);
        requireNotNegative(at);
        requireWrites();
        return (int)
                waiting(() -> file.write(at, List.of(from), rights.isForced)).count();
    }

    @Override
    public long position() throws IOException {
        requireOpen();
        return moving(() -> rights.isAppending ? file.size() : position);
    }

    @Override
    public FileChannel position(long to) throws IOException {
        requireOpen();
        requireNotNegative(to);
        return moving(() -> {
            position = to;
            return this;
        });
    }

    @Override
    public long size() throws IOException {
        requireOpen();
        return waiting(file::size);
    }

    @Override
    public FileChannel truncate(long to) throws IOException {
        requireOpen();
        requireNotNegative(to);
        requireWrites();
        return moving(() -> {
            file.truncate(to);
            position = Math.min(position, to);
            return this;
        });
    }

    /** Brings to the disk all that was written, by whichever channel, and how long the file is. */
    @Override
    public void force(boolean withItsLength) throws IOException {
        requireOpen();
        var _ = waiting(() -> {
            file.force();
            return this;
        });
    }

    @Override
    public long transferTo(long from, long count, WritableByteChannel target) throws IOException {
        requireOpen();
        if (!target.isOpen()) {
            throw new ClosedChannelException();
        }
        requireReads();
        requireNotNegative(from);
        requireNotNegative(count);
        ByteBuffer some = ByteBuffer.allocate((int) Math.min(count, TRANSFER_BYTES));
        long done = 0;
        while (done < count) {
            some.clear().limit((int) Math.min(some.capacity(), count - done));
            if (read(some, from + done) <= 0) {
                return done;
            }
            int taken = target.write(some.flip());
            done += taken;
            if (some.hasRemaining()) {
                return done;
            }
        }
        return done;
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long at, long count) throws IOException {
        requireOpen();
        if (!source.isOpen()) {
            throw new ClosedChannelException();
        }
        requireWrites();
        requireNotNegative(at);
        requireNotNegative(count);
        ByteBuffer some = ByteBuffer.allocate((int) Math.min(count, TRANSFER_BYTES));
        long done = 0;
        while (done < count) {
            some.clear().limit((int) Math.min(some.capacity(), count - done));
            int got = source.read(some);
            if (got <= 0) {
                return done;
            }
            done += write(some.flip(), at + done);
        }
        return done;
    }

    /** Refused: memory of this process cannot be that of a volume. */
    @Override
    public MappedByteBuffer map(MapMode mode, long from, long size) {
        throw new UnsupportedOperationException("a file on a volume cannot be mapped; read and write it");
    }

    @Override
    public FileLock lock(long from, long size, boolean isShared) throws IOException {
        requireOpen();
        if (isShared) {
            requireReads();
        } else {
            requireWrites();
        }
        Held lock = new Held(from, size == 0 ? Long.MAX_VALUE - Math.max(0, from) : size, isShared);
        file.add(lock);
        return lock;
    }

    @Override
    public FileLock tryLock(long from, long size, boolean isShared) throws IOException {
        return lock(from, size, isShared);
    }

    /** Held until it is released or the channel is closed. */
    private final class Held extends FileLock {
        private volatile boolean isReleased;

        Held(long from, long size, boolean isShared) {
            super(VolumeChannel.this, from, size, isShared);
        }

        @Override
        public boolean isValid() {
            return !isReleased && VolumeChannel.this.isOpen();
        }

        @Override
        public void release() throws IOException {
            requireOpen();
            isReleased = true;
        }
    }

    @Override
    protected void implCloseChannel() {
        // The volume is whose it was; what is under way ends as it may.
    }
}
