package dev.retier.bench.iwarp;

import java.io.IOException;

/** Something to measure, set up and ready: both ends of a connection, the far one served by a thread of its own. */
interface Work extends AutoCloseable {
    /** The far side begins to poll, if that is how it waits. */
    default void attend() {}

    /** Does {@code count} operations, until the last one is known to be done; while the far side attends. */
    void run(int count) throws Exception;

    /** The far side stops polling. */
    default void rest() {}

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
