package dev.retier.iwarp.net;

/** The time by which a queue pair must have come further, if there is one; it is aborted otherwise. */
final class PairDeadline implements Timed {
    private final SocketQueuePair pair;
    private final ProgressLoop loop;
    /** Written under the queue pair's lock before the loop is told to watch. */
    private volatile long deadlineNanos;

    PairDeadline(SocketQueuePair pair, ProgressLoop loop) {
        this.pair = pair;
        this.loop = loop;
    }

    /** Starts to count. */
    void watch(long nanos) {
        deadlineNanos = System.nanoTime() + nanos;
        loop.execute(() -> loop.watch(this));
    }

    /** The queue pair has come further. */
    void unwatch() {
        loop.execute(() -> loop.unwatch(this));
    }

    @Override
    public long deadlineNanos() {
        return deadlineNanos;
    }

    @Override
    public void expired() {
        pair.abort("the peer neither said ready-to-receive nor closed in time");
    }
}
