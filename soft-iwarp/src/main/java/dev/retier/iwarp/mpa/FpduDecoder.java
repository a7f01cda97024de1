package dev.retier.iwarp.mpa;

import dev.retier.iwarp.wire.Fpdu;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * Cuts a TCP stream into ULPDUs, whatever its segmentation, and checks each CRC before the ULPDU is passed up
 * (RFC 5044 section 4.4).
 *
 * <p>Use: fill {@link #space}, then call {@link #next} until it says {@link Status#NEED_MORE}. Owned by one thread at
 * a time. Memory is bounded: the buffer grows to {@link #MAX_CAPACITY} and no further.
 */
public final class FpduDecoder {
    /** The buffer's first size in bytes. */
    public static final int INITIAL_CAPACITY = 16 * 1024;
    /** The buffer's last size in bytes: room for the longest FPDU and as much again, to save system calls. */
    public static final int MAX_CAPACITY = 256 * 1024;

    private final boolean crc;
    private final CRC32C sum = new CRC32C();
    private final MarkerStripper stripper;
    private final boolean markers;
    private ByteBuffer buffer = allocate(INITIAL_CAPACITY);
    /** A second view of the buffer, so that a CRC needs no new object. */
    private ByteBuffer crcView = buffer.duplicate();
    /** First byte not yet consumed; the buffer's position is the end of what was received. */
    private int start;

    private ByteBuffer ulpduBuffer = buffer;
    private int ulpduOffset;
    private int ulpduLength;

    /** A decoder at the first byte of full operation. */
    public FpduDecoder(boolean crc, boolean markers) {
        this.crc = crc;
        this.markers = markers;
        this.stripper = new MarkerStripper(crc);
    }

    /** What {@link #next} found. */
    public enum Status {
        /** No whole FPDU; fill {@link #space}. */
        NEED_MORE,
        /** A ULPDU at {@link #ulpduOffset} of {@link #ulpduBuffer}, good until the next call of this object. */
        ULPDU,
        /** The CRC does not match. Nothing more is delivered. */
        CRC_MISMATCH,
        /** A marker contradicts the lengths, or a length is above the limit. Nothing more is delivered. */
        MARKER_MISMATCH
    }

    /** Where the next received bytes go: between position and limit. At least one byte of room. */
    public ByteBuffer space() {
        if (start == buffer.position()) {
            start = 0;
            buffer.clear();
        } else if (!buffer.hasRemaining() || buffer.capacity() - start < neededFromStart()) {
            makeRoom();
        }
        return buffer;
    }

    /** Looks for the next ULPDU among the received bytes. */
    public Status next() {
        return markers ? nextMarked() : nextPlain();
    }

    /** Forgets what was received: after a mismatch nothing can be told apart any more. */
    public void discard() {
        start = 0;
        buffer.clear();
    }

    /** The buffer that holds the ULPDU; big-endian. */
    public ByteBuffer ulpduBuffer() {
        return ulpduBuffer;
    }

    /** Where the ULPDU starts. */
    public int ulpduOffset() {
        return ulpduOffset;
    }

    /** Bytes of the ULPDU. */
    public int ulpduLength() {
        return ulpduLength;
    }

    /** Bytes of memory held, for the cap per connection. */
    public int capacity() {
        return buffer.capacity() + (markers ? Fpdu.MAX_TOTAL : 0);
    }

    private Status nextPlain() {
        int available = buffer.position() - start;
        if (available < Fpdu.LENGTH_BYTES) {
            return Status.NEED_MORE;
        }
        int length = buffer.getShort(start) & 0xFFFF;
        if (length > Fpdu.MAX_ULPDU) {
            return Status.MARKER_MISMATCH;
        }
        int total = Fpdu.totalLength(length);
        if (available < total) {
            return Status.NEED_MORE;
        }
        int crcAt = start + total - Fpdu.CRC_BYTES;
        if (crc && !crcMatches(crcAt)) {
            return Status.CRC_MISMATCH;
        }
        ulpduBuffer = buffer;
        ulpduOffset = start + Fpdu.LENGTH_BYTES;
        ulpduLength = length;
        start += total;
        return Status.ULPDU;
    }

    private boolean crcMatches(int crcAt) {
        sum.reset();
        crcView.limit(crcAt).position(start);
        sum.update(crcView);
        return Integer.reverseBytes(buffer.getInt(crcAt)) == (int) sum.getValue();
    }

    private Status nextMarked() {
        buffer.flip().position(start);
        Status status = stripper.next(buffer);
        start = buffer.position();
        buffer.position(buffer.limit()).limit(buffer.capacity());
        ulpduBuffer = stripper.assembled();
        ulpduOffset = Fpdu.LENGTH_BYTES;
        ulpduLength = stripper.ulpduLength();
        return status;
    }

    /** How many bytes from {@link #start} the FPDU under way needs, as far as that is known. */
    private int neededFromStart() {
        if (markers || buffer.position() - start < Fpdu.LENGTH_BYTES) {
            return Fpdu.LENGTH_BYTES;
        }
        return Math.min(Fpdu.totalLength(buffer.getShort(start) & 0xFFFF), Fpdu.MAX_TOTAL);
    }

    /** Moves what is left to the front, into a bigger buffer if it filled this one. */
    private void makeRoom() {
        int needed = neededFromStart();
        int left = buffer.position() - start;
        int capacity = buffer.capacity();
        if ((left > capacity / 2 || needed > capacity) && capacity < MAX_CAPACITY) {
            ByteBuffer bigger = allocate(Math.min(MAX_CAPACITY, Math.max(2 * capacity, 2 * needed)));
            bigger.put(buffer.flip().position(start));
            buffer = bigger;
            crcView = bigger.duplicate();
        } else {
            buffer.flip().position(start);
            buffer.compact();
        }
        start = 0;
    }

    private static ByteBuffer allocate(int capacity) {
        return ByteBuffer.allocateDirect(capacity).order(ByteOrder.BIG_ENDIAN);
    }
}
