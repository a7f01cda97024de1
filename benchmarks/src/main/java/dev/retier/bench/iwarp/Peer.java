package dev.retier.bench.iwarp;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/** The other thread of a measurement: repeats a step until it is closed. */
final class Peer implements AutoCloseable {
    private final AtomicBoolean stop = new AtomicBoolean();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final Thread thread;

    /** One step of the other side; must not block. */
    @FunctionalInterface
    interface Step {
        void run() throws Exception;
    }

    Peer(Step step) {
        thread = Thread.ofPlatform().daemon().name("bench-peer").start(() -> loop(step));
    }

    @SuppressWarnings("CatchAndPrintStackTrace")
    private void loop(Step step) {
        try {
            while (!stop.get()) {
                step.run();
            }
        } catch (Exception e) {
            failure.set(e);
        }
    }

    @Override
    public void close() {
        stop.set(true);
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (failure.get() != null) {
            throw new IllegalStateException("the other side failed", failure.get());
        }
    }
}
