package dev.retier.fabric.regions;

import dev.retier.fabric.MemoryAccess;
import dev.retier.fabric.OneSided;
import dev.retier.fabric.PeerLink;
import dev.retier.fabric.Registration;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Registered memory for the operations on one connection. An operation has its chunk until the connection is done with
 * it, whatever its caller has waited for, so that a late answer lands in nobody else's memory.
 *
 * <p>Thread-safe.
 */
final class ChunkPool {
    private static final int MAX_WAITING = 4096;

    private final PeerLink link;
    private final int chunkBytes;
    private final Registration registration;
    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by lock. */
    private final Queue<Chunk> free = new ArrayDeque<>();
    /** Guarded by lock. */
    private final Queue<Consumer<@Nullable Chunk>> waiting = new ArrayDeque<>();

    /** Some bytes for one operation. */
    final class Chunk {
        private final long offset;
        private final MemorySegment memory;

        private Chunk(int index) {
            this.offset = (long) index * chunkBytes;
            this.memory = registration.memory().asSlice(offset, chunkBytes);
        }

        MemorySegment memory() {
            return memory;
        }

        OneSided.Piece piece(int lengthBytes) {
            return new OneSided.Piece(registration, offset, lengthBytes);
        }

        /** The connection is done with it. */
        void giveBack() {
            Consumer<@Nullable Chunk> next;
            lock.lock();
            try {
                next = waiting.poll();
                if (next == null) {
                    free.add(this);
                }
            } finally {
                lock.unlock();
            }
            if (next != null) {
                next.accept(this);
            }
        }
    }

    ChunkPool(PeerLink link, int chunkBytes, int chunks) throws IOException {
        this.link = link;
        this.chunkBytes = chunkBytes;
        MemorySegment memory = Arena.ofAuto().allocate((long) chunkBytes * chunks, Long.BYTES);
        this.registration = link.register(memory, Set.of(MemoryAccess.LOCAL_WRITE));
        for (int i = 0; i < chunks; i++) {
            free.add(new Chunk(i));
        }
    }

    PeerLink link() {
        return link;
    }

    int chunkBytes() {
        return chunkBytes;
    }

    /** Gives {@code use} a chunk, at once or when there is one; none if too many wait already. */
    void take(Consumer<@Nullable Chunk> use) {
        Chunk chunk;
        lock.lock();
        try {
            chunk = free.poll();
            if (chunk == null && waiting.size() < MAX_WAITING) {
                waiting.add(use);
                return;
            }
        } finally {
            lock.unlock();
        }
        use.accept(chunk);
    }
}
