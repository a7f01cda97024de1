package dev.retier.bench.board;

import dev.retier.link.NodeId;
import dev.retier.sim.cluster.Cluster;
import dev.retier.sim.run.Setup;
import dev.retier.sim.service.Service;
import dev.retier.sim.time.VirtualTime;
import dev.retier.state.Role;
import java.time.Duration;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** A cluster in virtual time to which something happens. Not thread-safe. */
final class Scene {
    private static final long HOP_NANOS = 100_000;
    private static final double NANOS_PER_SECOND = 1e9;

    private final VirtualTime time = new VirtualTime();
    private final Service service;
    private final Cluster cluster;
    private final long beginNanos;
    private final int nodes;
    private final int sites;

    /** All agents start; the clients begin after the first lease, in which no move is made. */
    Scene(Setup setup) {
        nodes = setup.config().nodes().size();
        sites = setup.config().sites().size();
        service = new Service(
                time,
                new Service.Parts(
                        setup.costs(),
                        setup.config().nodes().stream()
                                .map(node -> units(setup, node.id()))
                                .toList(),
                        setup.config().sites().size(),
                        setup.demands(),
                        HOP_NANOS));
        cluster = new Cluster(time, setup.config(), service, setup.settings());
        beginNanos = setup.config().timing().lease().plus(Duration.ofSeconds(1)).toNanos();
        service.beginAt(beginNanos);
        cluster.startAgents();
    }

    private static double units(Setup setup, NodeId node) {
        return setup.costs().capacityPerSecond() * setup.factors().getOrDefault(node, 1.0);
    }

    Cluster cluster() {
        return cluster;
    }

    Service service() {
        return service;
    }

    /** Goes on until so many seconds after the clients began. */
    void run(double untilSeconds) {
        long untilNanos = beginNanos + (long) (untilSeconds * NANOS_PER_SECOND);
        while (time.step(untilNanos, service::on)) {
            // Each step is one event.
        }
    }

    /** How many nodes serve that role, with an agent that lives. */
    int serving(Role role) {
        return (int) IntStream.range(0, nodes)
                .filter(node -> cluster.isAgentUp(node) && cluster.word(node).serves(role))
                .count();
    }

    /** Share of the time between the two moments in which {@code isGood} holds, looked at ten times a second. */
    double share(double fromSeconds, double untilSeconds, Predicate<Scene> isGood) {
        int looks = (int) Math.round(10 * (untilSeconds - fromSeconds));
        int good = 0;
        for (int look = 1; look <= looks; look++) {
            run(fromSeconds + look / 10.0);
            good += isGood.test(this) ? 1 : 0;
        }
        return (double) good / looks;
    }

    /** Requests of the first site that were answered per second between the two moments. */
    double perSecond(double fromSeconds, double untilSeconds) {
        run(untilSeconds);
        return perSecond(0, fromSeconds, untilSeconds);
    }

    /** The same of all sites. */
    double perSecondOfAll(double fromSeconds, double untilSeconds) {
        run(untilSeconds);
        return IntStream.range(0, sites)
                .mapToDouble(site -> perSecond(site, fromSeconds, untilSeconds))
                .sum();
    }

    private double perSecond(int site, double fromSeconds, double untilSeconds) {
        int first = (int) (10 * fromSeconds);
        int count = (int) (10 * untilSeconds) - first;
        return service.ledger(site).done(first, count) / (untilSeconds - fromSeconds);
    }

    /** How many orders were undone so far. */
    long undone() {
        return cluster.chronicle().moves().stream()
                .filter(move -> move.undone() != null)
                .count();
    }
}
