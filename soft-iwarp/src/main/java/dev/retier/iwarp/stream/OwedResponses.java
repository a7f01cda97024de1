package dev.retier.iwarp.stream;

import org.jspecify.annotations.Nullable;

/** The inbound read queue: as many entries as our IRD, answered in order (RFC 5040 section 5.5). */
final class OwedResponses {
    private final OwedResponse[] ring;
    private long head;
    private long tail;

    OwedResponses(int depth) {
        ring = new OwedResponse[depth];
    }

    /** A free entry to fill and {@link #commit}, or null if the peer has more under way than was agreed. */
    @Nullable
    OwedResponse claim() {
        if (tail - head >= ring.length) {
            return null;
        }
        int at = (int) (tail % ring.length);
        OwedResponse entry = ring[at];
        if (entry == null) {
            entry = new OwedResponse();
            ring[at] = entry;
        }
        return entry;
    }

    void commit() {
        tail++;
    }

    @Nullable
    OwedResponse first() {
        return head < tail ? ring[(int) (head % ring.length)] : null;
    }

    void answered() {
        head++;
    }
}
