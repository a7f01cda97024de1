package dev.retier.bench.upgrade;

import dev.retier.bench.agent.AgentCell;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.locks.LockSupport;

/** Asks agents all the time what they see, from a thread of its own, until it is closed. */
final class Watch implements AutoCloseable {
    private static final long EVERY_NANOS = 20_000_000;

    private final AgentCell agents;
    private final List<Integer> watched;
    private final List<Sight> sights;
    private final Thread thread;
    private volatile boolean isOver;
    private volatile boolean isAllKnown;

    private Watch(AgentCell agents, List<Integer> watched) {
        this.agents = agents;
        this.watched = List.copyOf(watched);
        this.sights = watched.stream().map(_ -> new Sight()).toList();
        this.thread = Thread.ofPlatform().name("watch").unstarted(this::look);
    }

    /** Begins to ask the agents of these nodes, which nobody else asks meanwhile. */
    static Watch of(AgentCell agents, List<Integer> watched) {
        Watch watch = new Watch(agents, watched);
        watch.thread.start();
        return watch;
    }

    private void look() {
        while (!isOver) {
            boolean isEachKnown = true;
            for (int index = 0; index < watched.size(); index++) {
                // One that does not answer in time, on a busy machine, has said nothing of the others.
                OptionalDouble unknown = agents.toldUnknownShare(watched.get(index));
                if (unknown.isPresent()) {
                    sights.get(index).saw(System.nanoTime(), unknown.getAsDouble());
                }
                isEachKnown &= unknown.isPresent() && unknown.getAsDouble() == 0;
            }
            isAllKnown = isEachKnown;
            LockSupport.parkNanos(EVERY_NANOS);
        }
    }

    /** Waits until none of them missed a node when they were last asked, or the time is over. */
    void awaitAllKnown(long patienceNanos) {
        long beganNanos = System.nanoTime();
        while (!isAllKnown && System.nanoTime() - beganNanos < patienceNanos) {
            LockSupport.parkNanos(EVERY_NANOS);
        }
    }

    /** Once it is closed: for how long the one that missed a node longest missed one. */
    long unseenNanos() {
        long nowNanos = System.nanoTime();
        return sights.stream()
                .mapToLong(sight -> sight.unseenNanos(nowNanos))
                .max()
                .orElse(0);
    }

    /** Once it is closed: the largest share of nodes that one of them missed at once. */
    double mostUnknown() {
        return sights.stream().mapToDouble(Sight::mostUnknown).max().orElse(0);
    }

    @Override
    public void close() {
        isOver = true;
        boolean isInterrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
