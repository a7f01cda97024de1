package dev.retier.iwarp.net;

import dev.retier.iwarp.rdmap.StreamEngine;

/**
 * The clock of a queue pair's first moments, as {@link StreamEngine#attend} wants it. Guarded by the queue pair's lock,
 * but for the deadline.
 */
final class Beginning implements Timed {
    private final SocketQueuePair pair;
    /** Written before the loop is told to watch. */
    private volatile long deadlineNanos;

    Beginning(SocketQueuePair pair) {
        this.pair = pair;
    }

    /** Now, and whenever the engine asks for it. */
    void attend(StreamEngine engine) {
        long nowNanos = System.nanoTime();
        long waitNanos = engine.attend(nowNanos);
        if (waitNanos >= 0) {
            deadlineNanos = nowNanos + waitNanos;
            ProgressLoop loop = pair.device().loop();
            loop.execute(() -> loop.watch(this));
        }
    }

    @Override
    public long deadlineNanos() {
        return deadlineNanos;
    }

    @Override
    public void expired() {
        try {
            pair.post(this::attend);
        } catch (IwarpException e) {
            throw new IllegalStateException(e); // nothing was posted that could be refused
        }
    }
}
