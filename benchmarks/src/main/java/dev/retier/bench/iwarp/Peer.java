package dev.retier.bench.iwarp;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * The far side of a measurement: a thread that repeats a step until it is closed. One that polls does so only while it
 * attends: beside others it would take their processor.
 */
final class Peer implements AutoCloseable {
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final boolean isPolling;
    private final Thread thread;
    private volatile boolean isAwake;
    private volatile boolean isResting;
    private volatile boolean stop;

    /** One step of the far side; must not block for longer than a moment, unless its connection is closed first. */
    @FunctionalInterface
    interface Step {
        void run() throws Exception;
    }

    /** One that sleeps in its step until something comes. */
    static Peer sleeping(Step step) {
        return new Peer(step, false);
    }

    /** One whose step returns at once, which rests until it is to attend. */
    static Peer polling(Step step) {
        return new Peer(step, true);
    }

    private Peer(Step step, boolean isPolling) {
        this.isPolling = isPolling;
        this.isResting = isPolling;
        this.thread = Thread.ofPlatform().daemon().name("bench-peer").start(() -> loop(step));
    }

    private void loop(Step step) {
        try {
            while (!stop) {
                if (isResting) {
                    isAwake = false;
                    LockSupport.park(this);
                } else {
                    if (!isAwake) {
                        isAwake = true;
                    }
                    step.run();
                }
            }
        } catch (Exception e) {
            if (!stop) {
                failure.set(e);
            }
        }
    }

    /** Polls from now on: returns once it does. */
    @SuppressWarnings("ThreadPriorityCheck") // it is about to run
    void attend() {
        if (isPolling) {
            isResting = false;
            LockSupport.unpark(thread);
            while (!isAwake && thread.isAlive()) {
                Thread.yield();
            }
        }
    }

    /** Stops polling. */
    void rest() {
        isResting = isPolling;
    }

    /** From here on a step that fails does so because the connection is being closed. */
    void stopping() {
        stop = true;
    }

    @Override
    public void close() {
        stop = true;
        LockSupport.unpark(thread);
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
