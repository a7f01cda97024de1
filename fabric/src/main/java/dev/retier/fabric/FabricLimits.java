package dev.retier.fabric;

import dev.retier.fabric.calls.RingLimits;
import java.time.Duration;

/**
 * How much of everything a node of a fabric uses.
 *
 * @param rings of each connection; a node has four times {@code ringBytes} for each peer
 * @param waitingCalls calls to one node that may wait at this one; one more is refused
 * @param handlers functions that may run at once
 * @param oneSided one-sided operations under way on one connection; one more is refused
 * @param elements pieces of memory that one operation may gather or scatter
 * @param stallBound an operation without an end for so long ends its connection; a silent peer is asked for a
 * keepalive four times in it
 */
public record FabricLimits(
        RingLimits rings, int waitingCalls, int handlers, int oneSided, int elements, Duration stallBound) {
    private static final int MAX_ONE_SIDED = 4096;
    private static final int MAX_ELEMENTS = 32;
    private static final int MAX_HANDLERS = 256;

    /** Refuses limits that cannot work by {@link IllegalArgumentException}. */
    public FabricLimits {
        within("waiting calls", waitingCalls, 1 << 20);
        within("handlers", handlers, MAX_HANDLERS);
        within("one-sided operations", oneSided, MAX_ONE_SIDED);
        within("elements", elements, MAX_ELEMENTS);
        if (stallBound.compareTo(Duration.ofMillis(100)) < 0) {
            throw new IllegalArgumentException("stall bound of " + stallBound.toMillis() + " ms is below 100 ms");
        }
    }

    /** 64 KiB and 64 messages per ring, bodies up to 8 KiB, 4 handlers, 128 one-sided operations, 2 s. */
    public static FabricLimits defaults() {
        return new FabricLimits(new RingLimits(64 * 1024, 64, 8 * 1024), 1024, 4, 128, 16, Duration.ofSeconds(2));
    }

    private static void within(String what, int value, int most) {
        if (value < 1 || value > most) {
            throw new IllegalArgumentException(what + ": " + value + ", must be 1 to " + most);
        }
    }
}
