package dev.retier.state.verbs.rpc;

import com.ibm.disni.verbs.IbvMr;
import java.util.Set;

/** What a connection may do with registered memory. */
public enum Access {
    /** This side writes it: what reads and atomics of this side return. */
    LOCAL_WRITE(IbvMr.IBV_ACCESS_LOCAL_WRITE),
    /** The peer reads it. */
    REMOTE_READ(IbvMr.IBV_ACCESS_REMOTE_READ),
    /** The peer writes it. */
    REMOTE_WRITE(IbvMr.IBV_ACCESS_LOCAL_WRITE | IbvMr.IBV_ACCESS_REMOTE_WRITE),
    /** The peer compares and swaps, or fetches and adds, aligned 8-byte words. */
    REMOTE_ATOMIC(IbvMr.IBV_ACCESS_LOCAL_WRITE | IbvMr.IBV_ACCESS_REMOTE_ATOMIC);

    private final int flags;

    Access(int flags) {
        this.flags = flags;
    }

    static int flags(Set<Access> access) {
        return access.stream().mapToInt(one -> one.flags).reduce(0, (one, other) -> one | other);
    }
}
