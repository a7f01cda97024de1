package dev.retier.iwarp.rdmap;

import org.jspecify.annotations.Nullable;

/** The inbound read queue: as many entries as our IRD, answered in order (RFC 5040 section 5.5). */
final class InboundReadQueue {
    private final InboundRead[] ring;
    private long head;
    private long tail;

    InboundReadQueue(int depth) {
        ring = new InboundRead[depth];
    }

    /** A free entry to fill and {@link #commit}, or null if the peer has more under way than was agreed. */
    @Nullable
    InboundRead claim() {
        if (tail - head >= ring.length) {
            return null;
        }
        int at = (int) (tail % ring.length);
        InboundRead entry = ring[at];
        if (entry == null) {
            entry = new InboundRead();
            ring[at] = entry;
        }
        return entry;
    }

    void commit() {
        tail++;
    }

    @Nullable
    InboundRead first() {
        return head < tail ? ring[(int) (head % ring.length)] : null;
    }

    void answered() {
        head++;
    }
}
