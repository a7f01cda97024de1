package dev.retier.bench.board;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.ServerKind;
import dev.retier.agent.config.TierBounds;
import dev.retier.bench.board.Row.Figure;
import dev.retier.bench.figures.Lab;
import dev.retier.link.NodeId;
import dev.retier.sim.model.NodeCosts;
import dev.retier.sim.run.Allocation;
import dev.retier.sim.run.MadeCluster;
import dev.retier.sim.run.Setup;
import dev.retier.sim.service.Clients;
import dev.retier.sim.service.Demand;
import dev.retier.sim.service.Workload;
import dev.retier.state.Role;
import dev.retier.state.SiteId;
import dev.retier.state.Tier;
import dev.retier.traces.RequestClass;
import dev.retier.traces.made.BurstPlan;
import dev.retier.traces.made.GeneratedTrace;
import java.util.List;
import java.util.Map;

/** Clusters of which not every node is like another, or in which not every node works. Stateless. */
final class ShapeRows {
    private static final Figure RATE = new Figure("requests/s", 4);
    private static final Role APP = Role.serving(new SiteId(1), Tier.APP);
    private static final double SECONDS = 20;

    private ShapeRows() {}

    static List<Row> all() {
        return List.of(unequal(), swap(), both(), dear(), dozen(), chain(), lost(), dead(), stuck());
    }

    private static Demand mix(long requests, double dynamicShare, long seed) {
        return Lab.closed(GeneratedTrace.mixed(requests, dynamicShare, Lab.SINGLE, seed));
    }

    /** Requests for longer than {@link #SECONDS}. */
    private static Demand mix(double dynamicShare, long seed) {
        return mix(60_000, dynamicShare, seed);
    }

    private static double answered(Setup setup) {
        return new Scene(setup).perSecond(0, SECONDS);
    }

    private static Row unequal() {
        Map<NodeId, Double> factors =
                Map.of(new NodeId(1), 0.5, new NodeId(3), 0.5, new NodeId(6), 2.0, new NodeId(7), 2.0);
        return Row.of(
                "unequal", "machines of half to double the usual capacity, asked for in long bursts", RATE, seed -> {
                    BurstPlan plan = BurstPlan.of(8192, 6, RequestClass.STATIC);
                    Demand demand = Lab.closed(GeneratedTrace.alternating(plan, Lab.SINGLE, seed));
                    Setup setup = Situations.setup(Situations.cluster(Allocation.of(2, 5)), Lab.HTTPD, seed, demand);
                    return Lab.reconfigured(Situations.with(setup, factors)).perSecond();
                });
    }

    private static Row swap() {
        ClusterConfig config = Situations.cluster(
                List.of(Situations.site(1, null, new TierBounds(1, 2), new TierBounds(1, 5))), Allocation.of(2, 3), 0);
        Map<NodeId, Double> factors = Map.of(new NodeId(1), 0.5, new NodeId(2), 0.5, new NodeId(5), 3.0);
        return Row.of(
                "change places",
                "a full proxy tier of small machines, a large one that idles as app: only two moves together help",
                RATE,
                seed -> answered(Situations.with(Situations.setup(config, Lab.HTTPD, seed, mix(0.05, seed)), factors)));
    }

    private static Row both() {
        ClusterConfig config = Situations.cluster(List.of(Lab.site(1, null, 6)), Allocation.of(2, 2), 2);
        return Row.of(
                "both tiers",
                "two spares, and a mix that both tiers limit alike: one node alone gains nothing",
                RATE,
                seed -> answered(Situations.setup(config, Lab.BALANCED, seed, mix(0.4476, seed))));
    }

    private static Row dear() {
        ClusterConfig config = Situations.cluster(
                List.of(Lab.site(1, null, 7), Lab.site(2, null, 7)), new Allocation(List.of(1, 4), List.of(1, 1)), 0);
        return Row.of(
                "dear requests",
                "saturated sites, of which one answers in the time of one request seventeen of the other: all count",
                new Figure("requests/s of both", 4),
                seed -> {
                    Demand cheap = new Demand(
                            Workload.read(GeneratedTrace.mixed(60_000, 0, Lab.SINGLE, seed + 1), 1, Long.MAX_VALUE),
                            Clients.closed(Lab.CLIENTS));
                    return new Scene(Situations.setup(config, Lab.HTTPD, seed, mix(1, seed), cheap))
                            .perSecondOfAll(0, SECONDS);
                });
    }

    private static Row dozen() {
        ClusterConfig config = Situations.cluster(Allocation.of(2, 30));
        return Row.of(
                "twelve of 32",
                "a mix for which twelve of 32 nodes are in the wrong tier: one order is enough",
                Figure.MOVES,
                seed -> {
                    Scene scene = new Scene(Situations.setup(
                            config,
                            Lab.HTTPD,
                            seed,
                            Situations.closed(GeneratedTrace.mixed(60_000, 0.25, Lab.SINGLE, seed), 5 * Lab.CLIENTS)));
                    scene.run(SECONDS / 4);
                    return -scene.cluster().chronicle().moves().size();
                });
    }

    private static Row chain() {
        ClusterConfig config = Situations.cluster(List.of(Lab.site(1, null, 4)), Allocation.of(1, 2), 1);
        ClusterConfig mixed = MadeCluster.ofKinds(config, node -> node == 3 ? ServerKind.HAPROXY : ServerKind.HTTPD);
        return Row.of(
                "chain",
                "apps are wanted, and the spare is HAProxy: it becomes proxy so that the httpd there becomes app",
                RATE,
                seed -> answered(Situations.setup(mixed, Lab.HTTPD, seed, mix(0.9, seed))));
    }

    private static Row lost() {
        ClusterConfig config = Situations.cluster(
                List.of(Situations.site(1, null, new TierBounds(1, 7), new TierBounds(4, 7))), Allocation.of(3, 4), 0);
        return Row.of(
                "lost members",
                "a machine of a tier at its minimum ends, and nothing is pressed: the minimum is mended",
                new Figure("of the time at the minimum", 0.005),
                seed -> {
                    Scene scene = new Scene(Situations.setup(
                            config,
                            Lab.HTTPD,
                            seed,
                            Situations.closed(GeneratedTrace.mixed(8_000, 0.5, Lab.SINGLE, seed), 1)));
                    scene.run(2);
                    scene.cluster().crash(5, true);
                    return scene.share(2, 22, seen -> seen.serving(APP) >= 4);
                });
    }

    private static Row dead() {
        return Row.of(
                "dead machine",
                "a machine of a saturated tier ends for good: what is left is divided anew",
                RATE,
                seed -> {
                    Scene scene = new Scene(Situations.setup(
                            Situations.cluster(Allocation.of(2, 5)), Lab.HTTPD, seed, mix(30_000, 0.3, seed)));
                    scene.run(3);
                    scene.cluster().crash(1, true); // not the witness, without which nothing may move
                    return scene.perSecond(3, 30);
                });
    }

    /** Nodes of a twentieth of the usual speed: half an hour of them is soon simulated. */
    private static Row stuck() {
        NodeCosts slow = new NodeCosts(Lab.CAPACITY / 20, 363, 363, 97, 1570);
        return new Row(
                "stuck nodes",
                "two of seven nodes refuse their files: others move instead, and the two are tried seldom",
                List.of(new Figure("requests/s", 0.2), new Figure("undone, negative", 0.5)),
                seed -> {
                    Demand demand = Situations.closed(GeneratedTrace.mixed(60_000, 0, Lab.SINGLE, seed), 48);
                    Scene scene =
                            new Scene(Situations.setup(Situations.cluster(Allocation.of(2, 5)), slow, seed, demand));
                    scene.cluster().trouble(2).refuse(true);
                    scene.cluster().trouble(3).refuse(true);
                    double soon = scene.perSecond(0, 60);
                    scene.run(600);
                    return new double[] {soon, -scene.undone()};
                });
    }
}
