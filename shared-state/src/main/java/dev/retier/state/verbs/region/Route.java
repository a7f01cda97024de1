package dev.retier.state.verbs.region;

import dev.retier.state.verbs.rpc.RemotePlace;
import java.lang.foreign.MemorySegment;

/** How this node reaches one part. */
sealed interface Route {
    /** In its own memory. */
    record Local(MemorySegment memory) implements Route {}

    /** Over a connection, as long as that stands: the part's address and key there. */
    record Remote(Staging staging, long address, int key) implements Route {
        /** The byte at {@code inExtent}. */
        RemotePlace at(long inExtent) {
            return new RemotePlace(address + inExtent, key);
        }

        boolean isOpen() {
            return staging.link().isOpen();
        }
    }
}
