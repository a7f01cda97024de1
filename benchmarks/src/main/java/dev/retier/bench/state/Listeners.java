package dev.retier.bench.state;

import dev.retier.state.SharedState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A thread per node but the first that waits for announcements, as an agent does. */
final class Listeners implements AutoCloseable {
    private static final Duration TURN = Duration.ofMillis(200);
    private static final long PATIENCE_SECONDS = 10;

    private final SharedState announcer;
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicLong lastHeardNanos = new AtomicLong();
    private volatile CountDownLatch missing = new CountDownLatch(0);
    private volatile boolean open = true;

    /** Starts the threads. */
    Listeners(List<SharedState> nodes) {
        this.announcer = nodes.getFirst();
        for (SharedState node : nodes.subList(1, nodes.size())) {
            threads.add(
                    Thread.ofPlatform().name("listen-" + node.self()).daemon().start(() -> listen(node)));
        }
    }

    /** Announces once; nanoseconds from before the call until the last of all nodes has heard it. */
    long round() throws InterruptedException {
        CountDownLatch all = new CountDownLatch(threads.size());
        missing = all;
        long begun = System.nanoTime();
        lastHeardNanos.set(begun);
        announcer.announce();
        if (!all.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException(all.getCount() + " nodes have not heard an announcement");
        }
        return lastHeardNanos.get() - begun;
    }

    private void listen(SharedState node) {
        try {
            long heard = node.awaitAnnouncement(Long.MAX_VALUE, Duration.ZERO);
            while (open) {
                long now = node.awaitAnnouncement(heard, TURN);
                if (now > heard) {
                    heard = now;
                    long at = System.nanoTime();
                    lastHeardNanos.accumulateAndGet(at, (one, other) -> one - other > 0 ? one : other);
                    missing.countDown();
                }
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        open = false;
        threads.forEach(Thread::interrupt);
    }
}
