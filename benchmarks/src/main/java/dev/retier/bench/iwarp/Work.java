package dev.retier.bench.iwarp;

import java.io.IOException;

/** Something to measure, set up and ready: both ends of a connection, the far one served by a thread of its own. */
interface Work extends AutoCloseable {
    /** Does {@code count} operations, until the last one is known to be done. */
    void run(int count) throws Exception;

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
