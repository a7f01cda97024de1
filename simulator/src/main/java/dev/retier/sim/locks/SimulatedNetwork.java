package dev.retier.sim.locks;

import dev.retier.sim.time.VirtualTime;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Carries one-sided operations between simulated nodes: late, twice as late, or never. A link may be cut one way
 * only. An operation reaches only the life of the target that it was posted to, since its STag dies with that life,
 * and comes no more once a later life of the caller has connected. Not thread-safe.
 */
final class SimulatedNetwork {
    private static final long SHORTEST_NANOS = 500_000;
    private static final long USUAL_NANOS = 10_000_000;
    private static final long LONGEST_NANOS = 900_000_000;

    private final VirtualTime time;
    private final SplittableRandom random;
    private final SimulatedNode[] nodes;
    private final boolean[][] cut;
    private double lossShare;
    private double lateShare;

    SimulatedNetwork(VirtualTime time, SplittableRandom random, SimulatedNode[] nodes) {
        this.time = time;
        this.random = random;
        this.nodes = nodes;
        this.cut = new boolean[nodes.length][nodes.length];
    }

    /** From now on this share of messages is lost, and this share takes up to {@value #LONGEST_NANOS} ns. */
    void disturb(double lost, double late) {
        lossShare = lost;
        lateShare = late;
    }

    void cut(int from, int to, boolean isCut) {
        cut[from][to] = isCut && from != to;
    }

    void heal() {
        disturb(0, 0);
        for (int from = 0; from < nodes.length; from++) {
            for (int to = 0; to < nodes.length; to++) {
                cut(from, to, false);
            }
        }
    }

    /** Applies {@code effect} at {@code to} some time later, and hands what it gives to {@code reply} later still. */
    <T> void call(int from, int to, Function<SimulatedNode, T> effect, Consumer<T> reply) {
        int targetLife = nodes[to].incarnation;
        int callerLife = nodes[from].incarnation;
        send(from, to, targetLife, () -> {
            if (!nodes[to].hears(from, callerLife)) {
                return;
            }
            T result = effect.apply(nodes[to]);
            send(to, from, callerLife, () -> reply.accept(result));
        });
    }

    private void send(int from, int to, int life, Runnable action) {
        if (random.nextDouble() < lossShare) {
            return;
        }
        time.after(delayNanos(), () -> {
            if (nodes[to].up && nodes[to].incarnation == life && !cut[from][to]) {
                action.run();
            }
        });
    }

    private long delayNanos() {
        long longest = random.nextDouble() < lateShare ? LONGEST_NANOS : USUAL_NANOS;
        return random.nextLong(SHORTEST_NANOS, longest);
    }
}
