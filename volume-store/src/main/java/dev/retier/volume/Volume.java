package dev.retier.volume;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A row of bytes that is kept. Requests may begin and end at any byte; those that are under way at the same time must
 * not touch the same bytes, else any of them may win. What is not in the volume is refused with {@link
 * IllegalArgumentException}. Thread-safe.
 */
public interface Volume {
    /** Of a block, which is old or new after any crash. */
    int BLOCK_BYTES = 4096;

    /** Of the largest volume: 1 PiB. */
    long MOST_BYTES = 1L << 50;

    /** Of the longest change that can be asked for as {@link Option#WHOLE}. */
    int MOST_WHOLE_BYTES = 16 << 10;

    /** What is promised of a change beside that it is done. */
    enum Option {
        /** It is on the disk when it is answered, and with it all that was answered before it was asked for. */
        FORCED,
        /**
         * After any crash all of it is old or new. Its length is a power of two, up to {@link #MOST_WHOLE_BYTES}, and
         * its offset a multiple of that; else it is refused with {@link IllegalArgumentException}.
         */
        WHOLE,
        /**
         * Nobody changes the memory that it is written from until a flush has ended that was begun after it, so that
         * no copy of it has to be kept. If it is changed, the write may fail.
         */
        LENT
    }

    /**
     * What a program knows of what it will do. That rows of reads will go on is found out by whoever keeps the volume,
     * after a few of them, so that there is no hint for it: who knows sooner says what it {@link #WILL_NEED}.
     */
    enum Hint {
        /** It will be read soon, and better be in memory then. */
        WILL_NEED,
        /**
         * It will not be read soon, and need not take memory: its whole blocks. What it holds stays. Means nothing
         * where the volume is attached for reading: others may use what is in memory.
         */
        WILL_NOT_NEED
    }

    /** Its size. */
    long bytes();

    /** Whether it cannot be changed: then what would change it throws {@link IOException}, and a flush does nothing. */
    default boolean isReadOnly() {
        return false;
    }

    /**
     * Fills {@code into} from {@code offset} on.
     *
     * @throws IOException if it cannot be read, or is not what was written
     */
    void read(long offset, ByteBuffer into) throws IOException;

    /** Fills all of {@code into}, one behind the other, from {@code offset} on. */
    default void read(long offset, List<ByteBuffer> into) throws IOException {
        long at = offset;
        for (ByteBuffer buffer : into) {
            int count = buffer.remaining();
            read(at, buffer);
            at += count;
        }
    }

    /**
     * Writes all of {@code from}: kept over the death of any process when it returns, over a power cut after the next
     * {@link #flush}. After any crash each block of 4,096 bytes is old or new.
     */
    default void write(long offset, ByteBuffer from) throws IOException {
        write(offset, from, Set.of());
    }

    /** As {@link #write(long, ByteBuffer)}, with {@code options}. */
    void write(long offset, ByteBuffer from, Set<Option> options) throws IOException;

    /** Writes all of {@code from}, one behind the other; with {@code options} for each. */
    default void write(long offset, List<ByteBuffer> from, Set<Option> options) throws IOException {
        long at = offset;
        for (ByteBuffer buffer : from) {
            int count = buffer.remaining();
            write(at, buffer, options);
            at += count;
        }
    }

    /** These bytes read as zeros from now on, and need no room where whole clusters of them do. */
    default void zero(long offset, long length) throws IOException {
        zero(offset, length, Set.of());
    }

    /** As {@link #zero(long, long)}; only {@link Option#FORCED} says something about zeros. */
    void zero(long offset, long length, Set<Option> options) throws IOException;

    /** Nobody needs these bytes any more: whole blocks of them are zeros from now on, the ends are as they were. */
    default void discard(long offset, long length, Set<Option> options) throws IOException {
        Range whole = Range.ofWholeBlocks(offset, length);
        if (offset + length > bytes()) {
            throw new IllegalArgumentException(length + " bytes at " + offset + " of a volume of " + bytes());
        }
        zero(whole.offset(), whole.bytes(), options);
    }

    /**
     * Says what will become of these bytes to whoever keeps them, who may heed it, in part or not at all. Does not wait
     * for a disk.
     *
     * @throws IOException if the volume is not there any more
     */
    default void hint(long offset, long length, Hint hint) throws IOException {
        if (offset < 0 || length < 0 || length > bytes() || offset > bytes() - length) {
            throw new IllegalArgumentException(length + " bytes at " + offset + " of a volume of " + bytes());
        }
    }

    /** All that was answered before is on the disk. */
    void flush() throws IOException;

    /**
     * Which parts hold something, from {@code offset} on, together {@code length} long, each of at least a byte.
     *
     * @throws IOException if that cannot be told
     */
    List<Extent> extents(long offset, long length) throws IOException;

    /**
     * A part.
     *
     * @param bytes its length
     * @param isHole whether nothing is kept of it, so that it reads as zeros
     */
    record Extent(long bytes, boolean isHole) {}

    /** What can be begun. */
    sealed interface Task {
        /**
         * Fills {@code into}, which nobody touches until that ends, from {@code offset} on.
         *
         * @param isOnce whether nobody will read it again soon: then it takes no memory from what others use
         */
        record Read(long offset, ByteBuffer into, boolean isOnce) implements Task {
            /** Of what may be read again. */
            public Read(long offset, ByteBuffer into) {
                this(offset, into, false);
            }
        }

        /** Writes all of {@code from}, which nobody changes until that ends. */
        record Write(long offset, ByteBuffer from, Set<Option> options) implements Task {}

        /** Brings to the disk all that was answered before it was begun. */
        record Flush() implements Task {}
    }

    /** Told once how a task has ended. */
    @FunctionalInterface
    interface Done {
        /** Must not block. {@code failure} is why it failed, or null. */
        void ended(@Nullable IOException failure);
    }

    /**
     * Begins a task, and does not wait for its end, but may wait for room. What is begun need not be under way before
     * {@link #go} is called.
     *
     * @throws IOException if it is refused at once, so that {@code done} is not told
     */
    default void begin(Task task, Done done) throws IOException {
        Thread.ofVirtual().name("retier-volume-task").start(() -> {
            IOException failure = null;
            try {
                switch (task) {
                    case Task.Read read -> read(read.offset(), read.into().duplicate());
                    case Task.Write(long offset, ByteBuffer from, Set<Option> options) ->
                        write(offset, from.duplicate(), options);
                    case Task.Flush() -> flush();
                }
            } catch (IOException failed) {
                failure = failed;
            } catch (RuntimeException impossible) {
                failure = new IOException(impossible.getMessage(), impossible);
            }
            done.ended(failure);
        });
    }

    /**
     * Does {@code action}, which must not block: at once, or, where others tell of ends at this moment, when they have
     * told of all that they found; what is given again meanwhile is done once. From any thread, also while it is told
     * of an end.
     */
    default void afterwards(Runnable action) {
        action.run();
    }

    /** What was begun is under way, together. */
    default void go() {}

    /** A part, by its place. */
    record Range(long offset, long bytes) {
        /** The whole blocks of a range, which may be none. */
        public static Range ofWholeBlocks(long offset, long length) {
            if (offset < 0 || length < 0 || offset > Long.MAX_VALUE - length - BLOCK_BYTES) {
                throw new IllegalArgumentException(length + " bytes at " + offset);
            }
            long first = (offset + BLOCK_BYTES - 1) / BLOCK_BYTES * BLOCK_BYTES;
            long end = (offset + length) / BLOCK_BYTES * BLOCK_BYTES;
            return end > first ? new Range(first, end - first) : new Range(offset, 0);
        }
    }

    /** Refuses with {@link IllegalArgumentException} what cannot be written as a whole. */
    static void requireWhole(long offset, int length) {
        if (length < 1 || length > MOST_WHOLE_BYTES || Integer.bitCount(length) != 1 || offset % length != 0) {
            throw new IllegalArgumentException(length + " bytes at " + offset + " cannot be written as a whole: their"
                    + " number must be a power of two up to " + MOST_WHOLE_BYTES + ", their place a multiple of it");
        }
    }
}
