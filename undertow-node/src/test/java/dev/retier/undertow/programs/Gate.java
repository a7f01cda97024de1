package dev.retier.undertow.programs;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Holds requests in the programs of a test until it opens them. Thread-safe. */
final class Gate {
    private static volatile CountDownLatch closed = new CountDownLatch(0);

    private Gate() {}

    static void shut() {
        closed = new CountDownLatch(1);
    }

    static void open() {
        closed.countDown();
    }

    static void pass() {
        try {
            if (!closed.await(20, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the gate was not opened");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
