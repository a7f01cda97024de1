package dev.retier.iwarp.net;

import dev.retier.iwarp.rdmap.StreamEngine;

/** Fills the engine's queues. */
@FunctionalInterface
public interface Poster {
    /**
     * Claims, fills and commits entries.
     *
     * @throws IwarpException if an entry is wrong or a queue is full; entries committed before stay
     */
    void post(StreamEngine engine) throws IwarpException;

    /** Whether there may be something to send now. */
    default boolean isToSend() {
        return true;
    }
}
