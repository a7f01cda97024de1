package dev.retier.sim.cluster;

import dev.retier.sim.time.VirtualTime;
import java.util.BitSet;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Carries one-sided operations between nodes: a hop there, a hop back, no processor of the other side. A link that is
 * cut loses what is sent over it; one that is stalled holds it back and then delivers it in order. An operation reaches
 * only the life of the target that it was posted to. Not thread-safe.
 */
final class Fabric {
    private final VirtualTime time;
    private final long hopNanos;
    private final Node[] nodes;
    private final BitSet cut = new BitSet();
    private final BitSet unasked = new BitSet();
    private final long[] stalledUntilNanos;

    Fabric(VirtualTime time, long hopNanos, Node[] nodes) {
        this.time = time;
        this.hopNanos = hopNanos;
        this.nodes = nodes;
        this.stalledUntilNanos = new long[nodes.length * nodes.length];
    }

    void cut(int from, int to, boolean isCut) {
        cut.set(link(from, to), isCut && from != to);
    }

    /** Whether {@code from} can ask the server of {@code to} anything. */
    void cutRequests(int from, int to, boolean isCut) {
        unasked.set(link(from, to), isCut && from != to);
    }

    boolean mayAsk(int from, int to) {
        return !unasked.get(link(from, to));
    }

    void stall(int from, int to, long untilNanos) {
        stalledUntilNanos[link(from, to)] = from == to ? 0 : untilNanos;
    }

    private int link(int from, int to) {
        return from * nodes.length + to;
    }

    /** Whether both agents live. */
    boolean isConnected(int from, int to) {
        return nodes[from].isAgentUp && nodes[to].isAgentUp;
    }

    /** Whether what is sent now arrives, be it late. */
    boolean isOpen(int from, int to) {
        return isConnected(from, to) && !cut.get(link(from, to));
    }

    /** Whether what is sent now arrives a hop later. */
    boolean isPrompt(int from, int to) {
        return isOpen(from, to) && delayNanos(from, to) == hopNanos;
    }

    private long delayNanos(int from, int to) {
        return Math.max(hopNanos, stalledUntilNanos[link(from, to)] - time.nowNanos());
    }

    /** Applies {@code effect} at {@code to} a hop later, and hands what it gives to {@code reply} another hop later. */
    <T> void call(int from, int to, Function<Slot, T> effect, Consumer<T> reply) {
        long targetLife = nodes[to].slot.incarnation();
        long callerLife = nodes[from].slot.incarnation();
        time.after(delayNanos(from, to), () -> {
            boolean isSameCaller = nodes[from].slot.incarnation() == callerLife;
            if (!isOpen(from, to) || nodes[to].slot.incarnation() != targetLife || !isSameCaller) {
                return;
            }
            T result = effect.apply(nodes[to].slot);
            time.after(delayNanos(to, from), () -> {
                if (isOpen(to, from) && nodes[from].slot.incarnation() == callerLife) {
                    reply.accept(result);
                }
            });
        });
    }
}
