package dev.retier.state.region.directory;

import dev.retier.state.NodeId;
import dev.retier.state.region.Permissions;
import java.util.Optional;

/** The memory of a holder. Calls return at once. */
public interface ExtentMemory {
    /** Lets {@code peer} use the part as {@code permissions} say. Empty if the peer is not connected, or no room. */
    Optional<ExtentKey> register(NodeId peer, ExtentId extent, Permissions permissions);

    /** Ends a registration; when it returns the peer changes and reads nothing by it any more. */
    void deregister(NodeId peer, ExtentId extent, ExtentKey key);

    /** Gives the part's memory back. Nothing is registered on it. */
    void release(ExtentId extent);
}
