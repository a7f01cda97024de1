package dev.retier.fabric;

import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvSge;
import dev.retier.link.QueuePair;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/**
 * Memory that one connection may use, until this is closed or the connection ends. Keeps the memory reachable.
 * Thread-safe.
 */
public final class Registration implements AutoCloseable {
    private final QueuePair pair;
    private final MemorySegment memory;
    private final IbvMr region;

    Registration(QueuePair pair, MemorySegment memory, Set<MemoryAccess> access) throws IOException {
        this.pair = pair;
        this.memory = memory;
        this.region = pair.register(memory, MemoryAccess.flags(access));
    }

    /** The registered memory. */
    public MemorySegment memory() {
        return memory;
    }

    /** How the peer names this memory on this connection, if it may touch it. */
    public RemotePlace place() {
        return new RemotePlace(memory.address(), region.getRkey());
    }

    /** The piece of it as a work request names it. */
    IbvSge element(long offset, int lengthBytes) {
        return QueuePair.element(memory.asSlice(offset, lengthBytes), region);
    }

    /** Takes the memory back: a peer that still uses it loses the connection. Idempotent. */
    @Override
    public void close() {
        pair.deregister(region);
    }
}
