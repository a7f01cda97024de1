package dev.retier.fabric;

import dev.retier.link.NodeId;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/**
 * The connection through which a node calls. What is registered for it is good on this connection alone, and gone when
 * the connection is. Thread-safe.
 */
public interface Caller {
    /** The node that calls. */
    NodeId node();

    /** Whether the connection still stands. */
    boolean isOpen();

    /**
     * Lets the caller use {@code memory} by one-sided operations on this very connection.
     *
     * @throws IOException if the device has no room for one more, or the connection is over
     */
    Registration register(MemorySegment memory, Set<MemoryAccess> access) throws IOException;

    /** Runs {@code action} once, when the connection is over; at once if it is. It must not block. */
    void whenOver(Runnable action);
}
