package dev.retier.fabric;

import com.ibm.disni.verbs.IbvMr;
import java.util.Set;

/** What a connection may do with registered memory. */
public enum MemoryAccess {
    /** This side writes it: what reads and atomics of this side return. */
    LOCAL_WRITE(IbvMr.IBV_ACCESS_LOCAL_WRITE),
    /** The peer reads it. */
    REMOTE_READ(IbvMr.IBV_ACCESS_REMOTE_READ),
    /** The peer writes it. */
    REMOTE_WRITE(IbvMr.IBV_ACCESS_LOCAL_WRITE | IbvMr.IBV_ACCESS_REMOTE_WRITE),
    /** The peer compares and swaps, or fetches and adds, aligned 8-byte words. */
    REMOTE_ATOMIC(IbvMr.IBV_ACCESS_LOCAL_WRITE | IbvMr.IBV_ACCESS_REMOTE_ATOMIC);

    private final int flags;

    MemoryAccess(int flags) {
        this.flags = flags;
    }

    static int flags(Set<MemoryAccess> access) {
        return access.stream().mapToInt(one -> one.flags).reduce(0, (one, other) -> one | other);
    }
}
