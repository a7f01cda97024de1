package dev.retier.volume.connect;

import dev.retier.volume.slots.SlotLink;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Memory of a client's program from which requests are sent without a copy, as each connection registers it once.
 * It lives as long as the client or a buffer of it is reachable. Thread-safe.
 */
final class Arenas {
    /** What one client may register; RDMA devices register less than there is memory. */
    static final long MOST_BYTES = 1L << 30;

    /** RDMA devices translate addresses by pages. */
    private static final long PAGE_BYTES = 4096;

    private final ConcurrentSkipListMap<Long, MemorySegment> byAddress = new ConcurrentSkipListMap<>();
    private final AtomicLong bytes = new AtomicLong();

    /** New memory, of zeros. */
    ByteBuffer make(int size) {
        if (size < 1 || bytes.addAndGet(size) > MOST_BYTES) {
            bytes.addAndGet(-Math.max(0, size));
            throw new IllegalArgumentException(size + " bytes of registered memory, where a client has from 1 byte to "
                    + MOST_BYTES + " in all: use what you have again");
        }
        MemorySegment arena = Arena.ofAuto().allocate(size, PAGE_BYTES);
        byAddress.put(arena.address(), arena);
        return arena.asByteBuffer();
    }

    /** Where in it what remains of {@code buffer} lies; empty if it does not. */
    Optional<SlotLink.Piece> find(ByteBuffer buffer) {
        if (!buffer.isDirect()) {
            return Optional.empty();
        }
        MemorySegment piece = MemorySegment.ofBuffer(buffer);
        var below = byAddress.floorEntry(piece.address());
        boolean isInside = below != null
                && piece.address() + piece.byteSize() - below.getKey()
                        <= below.getValue().byteSize();
        return isInside ? Optional.of(new SlotLink.Piece(below.getValue(), piece)) : Optional.empty();
    }
}
