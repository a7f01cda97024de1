package dev.retier.bench.state;

import dev.retier.state.SharedState;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/** All nodes of a cell looking at each other at a steady pace, each on a thread of its own. Stateless. */
final class Cadence {
    private static final long INTERVAL_NANOS = 100_000_000;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double PERCENT = 100;

    private Cadence() {}

    /**
     * Processor time of all looks together, both ends, in percent of one core: what the process used more than in the
     * same time without looks.
     */
    static double percentOfACore(List<SharedState> nodes, double seconds) throws InterruptedException {
        long nanos = (long) (seconds * NANOS_PER_SECOND);
        run(nodes, nanos / 2, true);
        double idle = run(nodes, nanos, false);
        double looking = run(nodes, 2 * nanos, true);
        return (looking - idle) * PERCENT;
    }

    private static double run(List<SharedState> nodes, long nanos, boolean looks) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(nodes.size());
        long begun = System.nanoTime();
        long cpuNanos = Cpu.nanos();
        for (int i = 0; i < nodes.size(); i++) {
            SharedState node = nodes.get(i);
            long first = begun + INTERVAL_NANOS * i / nodes.size();
            Thread.ofPlatform().name("look-" + node.self()).daemon().start(() -> {
                for (long due = first; due - begun < nanos; due += INTERVAL_NANOS) {
                    for (long now = System.nanoTime(); due - now > 0; now = System.nanoTime()) {
                        LockSupport.parkNanos(due - now);
                    }
                    if (looks) {
                        node.look();
                    }
                }
                done.countDown();
            });
        }
        done.await();
        return (double) (Cpu.nanos() - cpuNanos) / (System.nanoTime() - begun);
    }
}
