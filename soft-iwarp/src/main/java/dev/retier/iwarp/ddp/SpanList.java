package dev.retier.iwarp.ddp;

import dev.retier.iwarp.memory.AccessResult;
import dev.retier.iwarp.memory.MemoryRegion;
import dev.retier.iwarp.mpa.FpduEncoder;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Pieces of registered memory that are acquired, so that they cannot be revoked before {@link #release}.
 * Owned by one thread at a time; reused.
 */
public final class SpanList {
    private final MemoryRegion[] regions;
    private final long[] offsets;
    private final int[] lengths;
    /** Views that were borrowed from the regions, and go back with them. */
    private final @Nullable ByteBuffer[] views;

    private int count;

    /** An empty list with room for {@code capacity} pieces. */
    public SpanList(int capacity) {
        regions = new MemoryRegion[capacity];
        offsets = new long[capacity];
        lengths = new int[capacity];
        views = new ByteBuffer[capacity];
    }

    /**
     * Acquires one piece, and checks it only then: a region may be revoked at any moment until it is acquired
     * (RFC 5042 section 6.2.3). On any result but GRANTED nothing was added.
     */
    public AccessResult add(LocalMemory memory, int stag, int rights, long offset, int bytes) {
        MemoryRegion region = memory.table().find(stag);
        if (region == null) {
            return AccessResult.INVALID_STAG;
        }
        if (!region.acquire()) {
            return AccessResult.INVALID_STAG;
        }
        AccessResult result = region.check(memory.who(), rights, offset, bytes);
        if (result != AccessResult.GRANTED) {
            region.release();
            return result;
        }
        put(region, offset, bytes);
        return AccessResult.GRANTED;
    }

    private void put(MemoryRegion region, long offset, int bytes) {
        regions[count] = region;
        offsets[count] = offset;
        lengths[count] = bytes;
        count++;
    }

    /** Copies all pieces behind each other to the end of {@code target}. */
    public void copyTo(ByteBuffer target) {
        for (int i = 0; i < count; i++) {
            regions[i].get(offsets[i], target, lengths[i]);
        }
    }

    /** Fills all pieces from {@code source}, starting at {@code at}. */
    public void copyFrom(ByteBuffer source, int at) {
        int done = 0;
        for (int i = 0; i < count; i++) {
            regions[i].put(offsets[i], source, at + done, lengths[i]);
            done += lengths[i];
        }
    }

    /** The region, if there is one piece only and it can be shown to a socket as it is; null otherwise. */
    @Nullable
    MemoryRegion only() {
        return count == 1 && lends() ? regions[0] : null;
    }

    /** The offset of the only piece. */
    long onlyOffset() {
        return offsets[0];
    }

    /** Whether all pieces can be shown to a socket as they are. */
    public boolean lends() {
        for (int i = 0; i < count; i++) {
            if (!regions[i].lends(offsets[i], lengths[i])) {
                return false;
            }
        }
        return true;
    }

    /** Hands all pieces, which {@link #lends}, to the encoder by reference, and the duty to release to {@code to}. */
    public void referTo(FpduEncoder encoder, SpanList to) {
        for (int i = 0; i < count; i++) {
            ByteBuffer view = regions[i].borrow(offsets[i], lengths[i]);
            to.views[to.count] = view;
            to.put(regions[i], offsets[i], lengths[i]);
            encoder.refer(view);
        }
        count = 0;
    }

    /** How many pieces. */
    public int count() {
        return count;
    }

    /** Pieces that can still be added. */
    public int room() {
        return regions.length - count;
    }

    /** Ends the access to all pieces. */
    public void release() {
        suspend();
        forget();
    }

    /** Ends the access to all pieces, but keeps them for {@link #resume}. */
    public void suspend() {
        for (int i = 0; i < count; i++) {
            regions[i].release();
        }
    }

    /** Acquires all pieces anew after {@link #suspend}. If one was revoked, acquires none and returns false. */
    public boolean resume() {
        for (int i = 0; i < count; i++) {
            if (!regions[i].acquire()) {
                while (--i >= 0) {
                    regions[i].release();
                }
                return false;
            }
        }
        return true;
    }

    /** Empties the list, whose pieces are suspended. */
    public void forget() {
        for (int i = 0; i < count; i++) {
            ByteBuffer view = views[i];
            if (view != null) {
                regions[i].giveBack(view);
                views[i] = null;
            }
        }
        count = 0;
    }
}
