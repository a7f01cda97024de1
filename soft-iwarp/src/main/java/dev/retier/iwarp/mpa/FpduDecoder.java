package dev.retier.iwarp.mpa;

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
    /** The buffer's last size in bytes at most: for the longest FPDUs it grows to twice their length. */
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
    private int ulpduArrived;

    /** Bytes of a split ULPDU that are still to come, but not into the buffer. */
    private int elsewhere;
    /** Bytes of pad and CRC behind a split ULPDU, or 0 if none is under way. */
    private int splitTrailer;

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
        /** The FPDU that was {@link #split} is whole. */
        PLACED,
        /** The CRC does not match. Nothing more is delivered. */
        CRC_MISMATCH,
        /** A marker contradicts the lengths, or a length is above the limit. Nothing more is delivered. */
        MARKER_MISMATCH
    }

    /** Where the next received bytes go: between position and limit. At least one byte of room. */
    public ByteBuffer space() {
        buffer.limit(buffer.capacity());
        if (start == buffer.position()) {
            start = 0;
            buffer.clear();
        } else if (!buffer.hasRemaining() || buffer.capacity() - start < neededFromStart()) {
            makeRoom();
        }
        return buffer;
    }

    /** As {@link #space()}, but {@code most} bytes at most. */
    public ByteBuffer space(int most) {
        space();
        return buffer.limit(Math.min(buffer.capacity(), buffer.position() + most));
    }

    /**
     * Whether an FPDU has begun of which {@code head} bytes of the ULPDU are there, but not all, and of which no CRC
     * will be checked. {@link #ulpduBuffer}, {@link #ulpduOffset}, {@link #ulpduLength} and {@link #ulpduArrived} then
     * tell of it.
     */
    public boolean begun(int head) {
        int arrived = buffer.position() - start - Fpdu.LENGTH_BYTES;
        if (crc || markers || splitTrailer > 0 || arrived < head) {
            return false;
        }
        ulpduBuffer = buffer;
        ulpduOffset = start + Fpdu.LENGTH_BYTES;
        ulpduLength = buffer.getShort(start) & 0xFFFF;
        ulpduArrived = arrived;
        return arrived < ulpduLength;
    }

    /** How many bytes of the ULPDU are there. */
    public int ulpduArrived() {
        return ulpduArrived;
    }

    /** The missing bytes of the ULPDU that has {@link #begun} will not come into {@link #space}. */
    public void split() {
        elsewhere = ulpduLength - ulpduArrived;
        splitTrailer = Fpdu.totalLength(ulpduLength) - Fpdu.LENGTH_BYTES - ulpduLength;
        start = buffer.position();
    }

    /** How many bytes come elsewhere before the next one comes into {@link #space}. */
    public int elsewhere() {
        return elsewhere;
    }

    /** Some of them came. */
    public void arrivedElsewhere(int bytes) {
        elsewhere -= bytes;
    }

    /** Looks for the next ULPDU among the received bytes. */
    public Status next() {
        if (splitTrailer > 0) {
            return nextSplit();
        }
        return markers ? nextMarked() : nextPlain();
    }

    /** Forgets what was received: after a mismatch nothing can be told apart any more. */
    public void discard() {
        elsewhere = 0;
        splitTrailer = 0;
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

    private Status nextSplit() {
        if (elsewhere > 0 || buffer.position() - start < splitTrailer) {
            return Status.NEED_MORE;
        }
        start += splitTrailer;
        splitTrailer = 0;
        return Status.PLACED;
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
        if (markers || splitTrailer > 0 || buffer.position() - start < Fpdu.LENGTH_BYTES) {
            return Math.max(Fpdu.LENGTH_BYTES, splitTrailer);
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
