package dev.retier.bench.iwarp;

import java.util.concurrent.atomic.AtomicReference;

/** The far side of a measurement: a thread that repeats a step until it is closed. */
final class Peer implements AutoCloseable {
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final Thread thread;
    private volatile boolean stop;

    /** One step of the far side; must not block for longer than a moment, unless its connection is closed first. */
    @FunctionalInterface
    interface Step {
        void run() throws Exception;
    }

    Peer(Step step) {
        thread = Thread.ofPlatform().daemon().name("bench-peer").start(() -> loop(step));
    }

    private void loop(Step step) {
        try {
            while (!stop) {
                step.run();
            }
        } catch (Exception e) {
            if (!stop) {
                failure.set(e);
            }
        }
    }

    /** From here on a step that fails does so because the connection is being closed. */
    void stopping() {
        stop = true;
    }

    @Override
    public void close() {
        stop = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (failure.get() != null) {
            throw new IllegalStateException("the far side failed", failure.get());
        }
    }
}
