package dev.retier.bench.iwarp;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Something to measure, set up and ready: both ends of a connection, the far one served by a thread of its own. */
interface Work extends AutoCloseable {
    /** Who serves the far side; null where nobody has to. */
    @Nullable
    Peer peer();

    /** Does {@code count} operations, until the last one is known to be done; while the far side attends. */
    void run(int count) throws Exception;

    /** The far side begins to poll, if that is how it waits. */
    default void attend() {
        Peer far = peer();
        if (far != null) {
            far.attend();
        }
    }

    /** The far side stops polling. */
    default void rest() {
        Peer far = peer();
        if (far != null) {
            far.rest();
        }
    }

    /** Ends both sides. */
    @Override
    void close() throws IOException;

    /** Sets one up. */
    @FunctionalInterface
    interface Opening {
        /** Both ends connected, the far one served. */
        Work open() throws Exception;
    }
}
