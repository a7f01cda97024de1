package dev.retier.iwarp.stream;

import dev.retier.iwarp.memory.MemoryRegion;
import dev.retier.iwarp.wire.AtomicOperands;
import dev.retier.iwarp.wire.AtomicRequestHeader;

/**
 * Runs atomic operations on memory (RFC 7306 section 5.1), in the memory's own byte order and by the processor's
 * compare-and-set, so that they exclude local atomic access to the same word, too.
 */
final class Atomics {
    private Atomics() {}

    /** Applies the operation; the region is acquired and the word checked. Returns what the word held before. */
    static long apply(MemoryRegion region, OwedResponse request) {
        AtomicOperands operands = request.operands();
        boolean add = request.operation == AtomicRequestHeader.FETCH_ADD;
        while (true) {
            long old = region.word(request.sourceOffset);
            if (!add && !operands.matches(old)) {
                return old;
            }
            long fresh = add ? operands.added(old) : operands.swapped(old);
            if (region.compareAndSet(request.sourceOffset, old, fresh)) {
                return old;
            }
        }
    }
}
