package dev.retier.sim.cluster;

import dev.retier.sim.time.VirtualTime;
import java.util.BitSet;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Carries one-sided operations between nodes: a hop there, a hop back, no processor of the other side. A link that is
 * cut loses what is sent over it. An operation reaches only the life of the target that it was posted to. Not
 * thread-safe.
 */
final class Fabric {
    private final VirtualTime time;
    private final long hopNanos;
    private final Node[] nodes;
    private final BitSet cut = new BitSet();

    Fabric(VirtualTime time, long hopNanos, Node[] nodes) {
        this.time = time;
        this.hopNanos = hopNanos;
        this.nodes = nodes;
    }

    long hopNanos() {
        return hopNanos;
    }

    void cut(int from, int to, boolean isCut) {
        cut.set(from * nodes.length + to, isCut && from != to);
    }

    /** Whether both agents live. */
    boolean isConnected(int from, int to) {
        return nodes[from].isAgentUp && nodes[to].isAgentUp;
    }

    /** Whether what is sent now arrives. */
    boolean isOpen(int from, int to) {
        return isConnected(from, to) && !cut.get(from * nodes.length + to);
    }

    /** Applies {@code effect} at {@code to} a hop later, and hands what it gives to {@code reply} another hop later. */
    <T> void call(int from, int to, Function<Slot, T> effect, Consumer<T> reply) {
        long targetLife = nodes[to].slot.incarnation();
        long callerLife = nodes[from].slot.incarnation();
        time.after(hopNanos, () -> {
            if (!isOpen(from, to) || nodes[to].slot.incarnation() != targetLife) {
                return;
            }
            T result = effect.apply(nodes[to].slot);
            time.after(hopNanos, () -> {
                if (isOpen(to, from) && nodes[from].slot.incarnation() == callerLife) {
                    reply.accept(result);
                }
            });
        });
    }
}
