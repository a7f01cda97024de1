package dev.retier.iwarp.mpa;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Bytes on their way to a socket: a staging buffer of our own, with references to user memory in between.
 *
 * <p>Use: let an encoder fill it, write {@link #pieces} with one gathering call, then {@link #written}. What that says
 * is left is written by the next call, perhaps with more behind it; so long user memory is referred to.
 *
 * <p>If it {@linkplain #keepWithin keeps FPDUs within segments} of TCP, it consists of runs of FPDUs, each of which
 * fits a segment: {@link #runEnd}. Owned by one thread at a time.
 */
public final class TransmitBatch {
    /** A batch with no room, for encoders that have none yet. */
    static final TransmitBatch NONE = new TransmitBatch(0);
    /** Pieces of a batch at first; a segment of many scatter/gather elements may need more. */
    private static final int FIRST_PIECES = 128;
    /** Pieces from which a batch counts as full. */
    private static final int PIECES_FULL = 120;

    /** Stands where a piece was, so that the memory it referred to can go. */
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private static final int FIRST_CAPACITY = 4 * 1024;
    /**
     * Bytes in staging from which a batch counts as full: two of the longest FPDUs leave in one call. With one, a read
     * of 1 MiB takes 7 % longer; with three, what is copied no longer stays in the processor's cache until TCP has it.
     */
    private static final int FULL = 96 * 1024;
    /** Bytes referred to from which a batch counts as full. */
    private static final int REFERRED_FULL = 192 * 1024;

    private ByteBuffer staging;
    private ByteBuffer rangeView;
    /** Where in staging the piece under construction starts. */
    private int pieceStart;

    private ByteBuffer[] pieces = new ByteBuffer[FIRST_PIECES];
    /** At each index a view of staging, if there ever was a piece of staging. */
    private ByteBuffer[] stagingViews = new ByteBuffer[FIRST_PIECES];
    /** The first piece that is not all written. */
    private int first;

    private int count;
    private int referred;
    /** Bytes of a segment of TCP within which FPDUs lie whole, or 0. */
    private int segmentBytes;
    /** Bytes of the FPDUs since the last end of a run. */
    private int runBytes;
    /** At each index whether a run ends with this piece. */
    private boolean[] endsRun = new boolean[FIRST_PIECES];

    /** An empty batch. */
    public TransmitBatch() {
        this(FIRST_CAPACITY);
    }

    private TransmitBatch(int capacity) {
        staging = ByteBuffer.allocateDirect(capacity).order(ByteOrder.BIG_ENDIAN);
        rangeView = staging.duplicate();
    }

    /** From now on no FPDU is to begin in one segment of TCP and end in another; 0: it does not matter. */
    public void keepWithin(int bytes) {
        segmentBytes = bytes;
    }

    /** An FPDU of {@code bytes} bytes, markers not counted, is about to be added. */
    void beginFpdu(int bytes) {
        if (segmentBytes > 0 && runBytes > 0 && runBytes + bytes > segmentBytes) {
            endRun();
        }
        runBytes += bytes;
    }

    private void endRun() {
        closePiece();
        endsRun[count - 1] = true;
        runBytes = 0;
    }

    /** The index behind the last piece of the run to which the piece at {@code from} belongs. */
    public int runEnd(int from) {
        int end = from + 1;
        while (end < count && !endsRun[end - 1]) {
            end++;
        }
        return end;
    }

    /** Whether nothing waits to be written. */
    public boolean isEmpty() {
        return staging.position() == 0 && count == 0;
    }

    /** Whether it is time to write before adding more. */
    public boolean isFull() {
        return staging.position() >= FULL || referred >= REFERRED_FULL || count >= PIECES_FULL;
    }

    /** Bytes of memory held, for the cap per connection. */
    public int capacity() {
        return staging.capacity();
    }

    /** Appends bytes as they are: a start-up frame. */
    public void append(byte[] bytes) {
        room(bytes.length).put(bytes);
        if (segmentBytes > 0) {
            endRun();
        }
    }

    /** The staging buffer, with room for {@code bytes} more behind its position. */
    ByteBuffer room(int bytes) {
        if (staging.remaining() < bytes) {
            grow(staging.position() + bytes);
        }
        return staging;
    }

    /** The bytes of staging between two positions, as a view that the next call changes. */
    ByteBuffer range(int from, int to) {
        return rangeView.limit(to).position(from);
    }

    /** Adds user memory after all that is in staging so far. */
    void refer(ByteBuffer payload) {
        closePiece();
        makeRoomForPiece();
        pieces[count++] = payload;
        referred += payload.remaining();
    }

    /**
     * All pieces in order; valid until {@link #written}. Use {@link #pieceCount} elements from {@link #firstPiece}.
     */
    public ByteBuffer[] pieces() {
        closePiece();
        return pieces;
    }

    /** The index of the first piece that is not all written. */
    public int firstPiece() {
        return first;
    }

    /** How many pieces there are from that on. */
    public int pieceCount() {
        return count - first;
    }

    /** Says that the pieces' positions show what was written. Returns whether all of it was. */
    public boolean written() {
        while (first < count && !pieces[first].hasRemaining()) {
            pieces[first] = NOTHING;
            first++;
        }
        if (first < count) {
            return false;
        }
        staging.clear();
        Arrays.fill(endsRun, 0, count, false);
        runBytes = 0;
        first = 0;
        count = 0;
        referred = 0;
        pieceStart = 0;
        return true;
    }

    private void closePiece() {
        if (staging.position() > pieceStart) {
            makeRoomForPiece();
            ByteBuffer view = stagingViews[count];
            if (view == null) {
                view = staging.duplicate();
                stagingViews[count] = view;
            }
            pieces[count++] = view.limit(staging.position()).position(pieceStart);
            pieceStart = staging.position();
        }
    }

    private void makeRoomForPiece() {
        if (count == pieces.length) {
            pieces = Arrays.copyOf(pieces, 2 * count);
            endsRun = Arrays.copyOf(endsRun, 2 * count);
            stagingViews = Arrays.copyOf(stagingViews, 2 * count);
        }
    }

    /** Makes staging bigger. Pieces that are views of the old buffer stay valid: its bytes no longer change. */
    private void grow(int needed) {
        ByteBuffer bigger = allocate(needed);
        bigger.put(staging.flip());
        replaceStaging(bigger);
    }

    private void replaceStaging(ByteBuffer buffer) {
        staging = buffer;
        rangeView = buffer.duplicate();
        Arrays.fill(stagingViews, null);
    }

    private ByteBuffer allocate(int needed) {
        int capacity = Math.max(staging.capacity(), FIRST_CAPACITY);
        while (capacity < needed) {
            capacity *= 2;
        }
        return ByteBuffer.allocateDirect(capacity).order(ByteOrder.BIG_ENDIAN);
    }
}
