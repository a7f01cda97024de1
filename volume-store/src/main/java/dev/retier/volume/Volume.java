package dev.retier.volume;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A row of bytes that is kept. Requests may begin and end at any byte; those that are under way at the same time must
 * not touch the same bytes, else any of them may win. What is not in the volume is refused with {@link
 * IllegalArgumentException}. Thread-safe.
 */
public interface Volume {
    /** Its size. */
    long bytes();

    /**
     * Fills {@code into} from {@code offset} on.
     *
     * @throws IOException if it cannot be read, or is not what was written
     */
    void read(long offset, ByteBuffer into) throws IOException;

    /**
     * Writes all of {@code from}: kept over the death of any process when it returns, over a power cut after the next
     * {@link #flush}. After any crash each block of 4,096 bytes is old or new.
     */
    void write(long offset, ByteBuffer from) throws IOException;

    /** These bytes read as zeros from now on, and need no room where whole clusters of them do. */
    void zero(long offset, long length) throws IOException;

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
}
