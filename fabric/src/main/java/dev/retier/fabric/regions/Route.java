package dev.retier.fabric.regions;

import dev.retier.fabric.RemotePlace;
import java.lang.foreign.MemorySegment;

/** How this node reaches one part. */
sealed interface Route {
    /** By its processors, in its own memory. */
    record Local(MemorySegment memory) implements Route {}

    /** Over a connection, as long as that stands: the part's address and key there. */
    record Remote(ChunkPool staging, RemotePlace place) implements Route {
        /** The byte at {@code inPart}. */
        RemotePlace at(long inPart) {
            return place.plus(inPart);
        }

        boolean isOpen() {
            return staging.link.isOpen();
        }
    }
}
