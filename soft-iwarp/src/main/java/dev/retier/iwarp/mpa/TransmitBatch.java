package dev.retier.iwarp.mpa;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Bytes on their way to a socket: a staging buffer of our own, with references to user memory in between.
 *
 * <p>Use: let an encoder fill it, write {@link #pieces} with one gathering call, then {@link #written}. If that says
 * that something is left, what was referred to has been copied, so that user memory is free again either way. Owned by
 * one thread at a time.
 */
public final class TransmitBatch {
    /** A batch with no room, for encoders that have none yet. */
    static final TransmitBatch NONE = new TransmitBatch(0);
    /** Pieces at most: enough for the scatter/gather elements of one segment, and the staging around them. */
    public static final int MAX_PIECES = 40;

    private static final int FIRST_CAPACITY = 4 * 1024;
    /** Bytes in staging from which a batch counts as full. */
    private static final int FULL = 32 * 1024;
    /** Bytes referred to from which a batch counts as full. */
    private static final int REFERRED_FULL = 128 * 1024;

    private ByteBuffer staging;
    private ByteBuffer rangeView;
    /** Where in staging the piece under construction starts. */
    private int pieceStart;

    private final ByteBuffer[] pieces = new ByteBuffer[MAX_PIECES];
    private final ByteBuffer[] stagingViews = new ByteBuffer[MAX_PIECES];
    private int count;
    private int referred;

    /** An empty batch. */
    public TransmitBatch() {
        this(FIRST_CAPACITY);
    }

    private TransmitBatch(int capacity) {
        staging = ByteBuffer.allocateDirect(capacity).order(ByteOrder.BIG_ENDIAN);
        rangeView = staging.duplicate();
    }

    /** Whether nothing waits to be written. */
    public boolean isEmpty() {
        return staging.position() == 0 && count == 0;
    }

    /** Whether it is time to write before adding more. */
    public boolean isFull() {
        return staging.position() >= FULL || referred >= REFERRED_FULL || count > MAX_PIECES / 2;
    }

    /** Bytes of memory held, for the cap per connection. */
    public int capacity() {
        return staging.capacity();
    }

    /** Appends bytes as they are: a start-up frame. */
    public void append(byte[] bytes) {
        room(bytes.length).put(bytes);
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
        pieces[count++] = payload;
        referred += payload.remaining();
    }

    /** All pieces in order; valid until {@link #written}. Use the first {@link #pieceCount} elements. */
    public ByteBuffer[] pieces() {
        closePiece();
        return pieces;
    }

    /** How many pieces there are. */
    public int pieceCount() {
        return count;
    }

    /** Says that the pieces' positions show what was written. Returns whether all of it was. */
    public boolean written() {
        int first = 0;
        while (first < count && !pieces[first].hasRemaining()) {
            first++;
        }
        if (first == count) {
            clear();
            return true;
        }
        retain(first);
        return false;
    }

    private void retain(int first) {
        if (count == 1 && referred == 0) {
            staging.limit(pieces[0].limit()).position(pieces[0].position());
            staging.compact();
        } else {
            copyFrom(first);
        }
        count = 0;
        referred = 0;
        pieceStart = 0;
    }

    private void copyFrom(int first) {
        int left = 0;
        for (int i = first; i < count; i++) {
            left += pieces[i].remaining();
        }
        ByteBuffer kept = allocate(left);
        for (int i = first; i < count; i++) {
            kept.put(pieces[i]);
        }
        replaceStaging(kept);
    }

    private void clear() {
        staging.clear();
        count = 0;
        referred = 0;
        pieceStart = 0;
    }

    private void closePiece() {
        if (staging.position() > pieceStart) {
            ByteBuffer view = stagingViews[count];
            if (view == null) {
                view = staging.duplicate();
                stagingViews[count] = view;
            }
            pieces[count++] = view.limit(staging.position()).position(pieceStart);
            pieceStart = staging.position();
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
        java.util.Arrays.fill(stagingViews, null);
    }

    private ByteBuffer allocate(int needed) {
        int capacity = Math.max(staging.capacity(), FIRST_CAPACITY);
        while (capacity < needed) {
            capacity *= 2;
        }
        return ByteBuffer.allocateDirect(capacity).order(ByteOrder.BIG_ENDIAN);
    }
}
