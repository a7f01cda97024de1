package dev.retier.fabric.directory;

import dev.retier.link.NodeId;
import java.util.Optional;

/** The memory of a holder. Calls return at once. */
public interface PartRegistrar {
    /** Lets {@code peer} use the part as {@code permissions} say. Empty if the peer is not connected, or no room. */
    Optional<PartKey> register(NodeId peer, PartId part, Permissions permissions);

    /** Ends a registration; when it returns the peer changes and reads nothing by it any more. */
    void deregister(NodeId peer, PartKey key);

    /** Gives the part's memory back. Nothing is registered on it. */
    void release(PartId part);
}
