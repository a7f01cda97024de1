package dev.retier.state.verbs.region;

import dev.retier.state.verbs.rpc.RemotePlace;
import java.lang.foreign.MemorySegment;

/** How this node reaches one part. */
sealed interface Route {
    /** In its own memory. */
    record Local(MemorySegment memory) implements Route {}

    /** Over a connection, as long as that stands. */
    record Remote(Staging staging, RemotePlace place) implements Route {
        boolean isOpen() {
            return staging.link().isOpen();
        }
    }
}
