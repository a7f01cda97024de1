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

    final PeerLink link;
    private final int chunkBytes;
    private final Registration registration;
    /** Guarded by this. */
    private final Queue<Chunk> free = new ArrayDeque<>();
    /** Guarded by this. */
    private final Queue<Consumer<@Nullable Chunk>> waiting = new ArrayDeque<>();
    /** Guarded by this: whether a thread is in {@link #handOut}. */
    private boolean handingOut;

    /** Some bytes for one operation. */
    final class Chunk {
        private final long offset;
        final MemorySegment memory;

        private Chunk(int index) {
            this.offset = (long) index * chunkBytes;
            this.memory = registration.memory().asSlice(offset, chunkBytes);
        }

        OneSided.Piece piece(int lengthBytes) {
            return new OneSided.Piece(registration, offset, lengthBytes);
        }

        /** The connection is done with it. */
        void giveBack() {
            synchronized (ChunkPool.this) {
                free.add(this);
                if (handingOut) {
                    return;
                }
                handingOut = true;
            }
            handOut();
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

    /** Gives {@code use} a chunk, at once or when there is one; none if too many wait already. */
    void take(Consumer<@Nullable Chunk> use) {
        Chunk chunk;
        synchronized (this) {
            chunk = waiting.isEmpty() ? free.poll() : null;
            if (chunk == null && waiting.size() < MAX_WAITING) {
                waiting.add(use);
                return;
            }
        }
        use.accept(chunk);
    }

    /** What is given back by this goes on here, so that however many end at once, none ends within the other. */
    private void handOut() {
        try {
            for (Runnable next = next(); next != null; next = next()) {
                next.run();
            }
        } catch (RuntimeException | Error fault) {
            synchronized (this) {
                handingOut = false;
            }
            throw fault;
        }
    }

    private synchronized @Nullable Runnable next() {
        handingOut = !free.isEmpty() && !waiting.isEmpty();
        if (!handingOut) {
            return null;
        }
        Chunk chunk = free.remove();
        Consumer<@Nullable Chunk> use = waiting.remove();
        return () -> use.accept(chunk);
    }
}
