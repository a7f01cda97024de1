package dev.retier.cli.demo;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.event.AgentListener;
import dev.retier.agent.event.HealthEvent;
import dev.retier.agent.event.MoveEvent;
import dev.retier.agent.move.MovePhase;
import dev.retier.agent.view.RoleText;
import dev.retier.cli.demo.PassResult.EndedMove;
import dev.retier.cli.demo.PassResult.TierSizes;
import dev.retier.link.NodeId;
import dev.retier.sim.model.Split;
import dev.retier.state.Role;
import dev.retier.state.Tier;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Writes down what the agents of one pass do: moves, tier sizes, and servers that go or come. Thread-safe: guarded by
 * its own lock, as all agents call it.
 */
final class Chronicle implements AgentListener {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MILLI = 1e6;

    private final ClusterConfig cluster;
    private final Consumer<String> teller;
    private final Map<Long, MoveEvent> open = new HashMap<>();
    private final Map<NodeId, Boolean> serving = new HashMap<>();
    private final List<EndedMove> moves = new ArrayList<>();
    private final List<TierSizes> sizes = new ArrayList<>();
    private final List<String> incidents = new ArrayList<>();
    private long startNanos;
    private boolean started;

    /** Tells {@code teller} each thing that happens after {@link #begin}, as a line for people. */
    Chronicle(ClusterConfig cluster, Consumer<String> teller) {
        this.cluster = cluster;
        this.teller = teller;
    }

    /** The load begins: time counts from here. */
    synchronized void begin(Split split, long nowNanos) {
        startNanos = nowNanos;
        started = true;
        sizes.add(new TierSizes(0, split.proxies(), split.apps()));
    }

    /** The load has ended: what comes now is no part of the pass. */
    synchronized void end() {
        started = false;
    }

    @Override
    public synchronized void movePhase(MoveEvent event) {
        if (!started) {
            return;
        }
        if (event.phase() == MovePhase.ORDERED) {
            open.put(event.epoch(), event);
            resize(event.from(), -1, event.atNanos());
        } else if (event.phase().isFinal()) {
            boolean active = event.phase() == MovePhase.ACTIVE;
            resize(active ? event.to() : event.from(), 1, event.atNanos());
            MoveEvent ordered = open.remove(event.epoch());
            ended(ordered == null ? event : ordered, event);
        }
    }

    @Override
    public synchronized void serverHealthChanged(HealthEvent event) {
        Boolean before = serving.put(event.node(), event.isServing());
        if (started && (before == null || before != event.isServing())) {
            incident(
                    cluster.node(event.node()).name()
                            + (event.isServing() ? " serves again: " : " is left out: ")
                            + event.reason(),
                    System.nanoTime());
        }
    }

    /** Notes something that the demo itself did. */
    synchronized void incident(String text, long nowNanos) {
        String line = String.format(Locale.ROOT, "%.1f s: %s", seconds(nowNanos), text);
        incidents.add(line);
        teller.accept(line);
    }

    synchronized List<EndedMove> moves() {
        return moves.stream()
                .sorted(Comparator.comparingDouble(EndedMove::seconds))
                .toList();
    }

    synchronized List<TierSizes> sizes() {
        return List.copyOf(sizes);
    }

    synchronized List<String> incidents() {
        return List.copyOf(incidents);
    }

    private void ended(MoveEvent ordered, MoveEvent end) {
        String outcome = end.phase() == MovePhase.ACTIVE ? "active" : "rolled back (" + end.rollback() + ")";
        EndedMove move = new EndedMove(
                seconds(ordered.atNanos()),
                cluster.node(end.node()).name(),
                RoleText.of(end.from(), cluster),
                RoleText.of(end.to(), cluster),
                outcome,
                (end.atNanos() - ordered.atNanos()) / NANOS_PER_MILLI);
        moves.add(move);
        teller.accept(String.format(
                Locale.ROOT,
                "%5.1f s  %s  %s -> %s  %s in %.0f ms%s",
                move.seconds(),
                move.node(),
                move.from(),
                move.to(),
                outcome,
                move.millis(),
                ordered.why() == null ? "" : "  (" + ordered.why() + ")"));
    }

    private void resize(Role role, int change, long nowNanos) {
        if (role instanceof Role.Serving(var _, Tier tier)) {
            TierSizes last = sizes.getLast();
            sizes.add(new TierSizes(
                    seconds(nowNanos),
                    last.proxies() + (tier == Tier.PROXY ? change : 0),
                    last.apps() + (tier == Tier.APP ? change : 0)));
        }
    }

    private double seconds(long nowNanos) {
        return (nowNanos - startNanos) / NANOS_PER_SECOND;
    }
}
