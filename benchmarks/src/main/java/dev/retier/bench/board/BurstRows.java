package dev.retier.bench.board;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.ServerKind;
import dev.retier.bench.board.Row.Figure;
import dev.retier.bench.figures.Lab;
import dev.retier.sim.model.NodeCosts;
import dev.retier.sim.run.Allocation;
import dev.retier.sim.run.BurstSeen;
import dev.retier.sim.run.MadeCluster;
import dev.retier.sim.run.Outcome;
import dev.retier.sim.service.Clients;
import dev.retier.sim.service.Demand;
import dev.retier.traces.RequestClass;
import dev.retier.traces.made.Catalogue;
import dev.retier.traces.made.GeneratedTrace;
import dev.retier.traces.made.UnevenBursts;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;

/** E3: static and dynamic bursts in turn, by how long each lasts at the best split for it. Stateless. */
final class BurstRows {
    private static final Allocation RIGID = Allocation.of(2, 5);
    private static final int BEFORE_A_CHANGE = 20;
    private static final int AFTER_A_CHANGE = 10;

    private BurstRows() {}

    /** How many seconds the bursts last. */
    @FunctionalInterface
    private interface Lengths {
        double seconds(int burst, SplittableRandom random);
    }

    /** What comes in bursts, to whom. */
    private record Bursts(
            ClusterConfig config, NodeCosts costs, Catalogue files, int count, int judgedFrom, Lengths lengths) {
        static Bursts of(Allocation first, double dynamicMicros, int count, Lengths lengths) {
            return new Bursts(
                    Situations.cluster(first), Situations.costs(dynamicMicros), Lab.SINGLE, count, 0, lengths);
        }

        Bursts judgedFrom(int burst) {
            return new Bursts(config, costs, files, count, burst, lengths);
        }

        Bursts with(ServerKind kind) {
            return new Bursts(MadeCluster.ofKind(config, kind), costs, files, count, judgedFrom, lengths);
        }

        Bursts with(Catalogue other) {
            return new Bursts(config, costs, other, count, judgedFrom, lengths);
        }

        double ofBest(long seed, int clients, Function<Demand, Demand> asking) {
            SplittableRandom random = new SplittableRandom(seed);
            List<Long> requests = new ArrayList<>();
            List<Double> seconds = new ArrayList<>();
            for (int burst = 0; burst < count; burst++) {
                double lasts = lengths.seconds(burst, random);
                // Where in a burst the agents' looks come is as random as when they began.
                seconds.add(burst == 0 ? lasts * (0.5 + random.nextDouble() / 2) : lasts);
                double rate = Situations.best(config.nodes().size(), costs, burst % 2);
                requests.add(Math.max(1, Math.round(rate * seconds.getLast())));
            }
            Demand demand = Situations.closed(
                    GeneratedTrace.uneven(new UnevenBursts(requests, RequestClass.STATIC), files, seed), clients);
            Outcome outcome = Lab.reconfigured(Situations.setup(config, costs, seed, asking.apply(demand)));
            double took = outcome.bursts().stream()
                    .skip(judgedFrom)
                    .mapToDouble(BurstSeen::seconds)
                    .sum();
            double atBest = seconds.stream()
                    .skip(judgedFrom)
                    .mapToDouble(Double::doubleValue)
                    .sum();
            return atBest / took;
        }
    }

    static List<Row> all() {
        List<Row> rows = new ArrayList<>(durations());
        rows.addAll(rhythms());
        rows.addAll(others());
        return rows;
    }

    private static Row row(String name, String why, Bursts bursts) {
        return row(name, why, bursts, Lab.CLIENTS, demand -> demand);
    }

    private static Row row(String name, String why, Bursts bursts, int clients, Function<Demand, Demand> asking) {
        return Row.of(name, why, Figure.OF_BEST, seed -> bursts.ofBest(seed, clients, asking));
    }

    private static Bursts even(double dynamicMicros, double seconds, int count) {
        return Bursts.of(RIGID, dynamicMicros, count, (_, _) -> seconds);
    }

    private static List<Row> durations() {
        return List.of(
                row(
                        "E3 0.25 s",
                        "bursts far shorter than T: only what is best for both kinds helps",
                        even(1570, 0.25, 120)),
                row("E3 0.5 s", "bursts shorter than T, of the length of a few moves", even(1570, 0.5, 80)),
                row("E3 2 s", "bursts of T and a few moves: following them hardly pays", even(1570, 2, 24)),
                row("E3 8 s", "bursts worth following", even(1570, 8, 10)),
                row("E3 32 s", "bursts so long that the first seconds hardly count", even(1570, 32, 3)),
                row("E3 2 s, cheap", "the same where static and dynamic requests cost alike", even(545, 2, 24)),
                row("E3 8 s, cheap", "the same where static and dynamic requests cost alike", even(545, 8, 10)));
    }

    private static List<Row> rhythms() {
        Lengths uneven = (_, random) -> 2 * (0.5 + random.nextDouble());
        Lengths slower = (burst, _) -> burst < BEFORE_A_CHANGE ? 0.5 : 2;
        Lengths faster = (burst, _) -> burst < BEFORE_A_CHANGE / 2 ? 8 : 2;
        Lengths lulls = (burst, _) -> burst % 2 == 0 ? 1.5 : 20;
        return List.of(
                row(
                        "uneven 2 s",
                        "bursts of 1 to 3 s: how long this one lasts is not known",
                        Bursts.of(RIGID, 1570, 24, uneven)),
                row(
                        "slower",
                        "after bursts of 0.5 s such of 2 s: what was learnt is wrong; the ten that follow",
                        Bursts.of(RIGID, 1570, BEFORE_A_CHANGE + AFTER_A_CHANGE, slower)
                                .judgedFrom(BEFORE_A_CHANGE)),
                row(
                        "faster",
                        "after bursts of 8 s such of 2 s: what was learnt is wrong; the ten that follow",
                        Bursts.of(RIGID, 1570, BEFORE_A_CHANGE / 2 + AFTER_A_CHANGE, faster)
                                .judgedFrom(BEFORE_A_CHANGE / 2)),
                row(
                        "lulls",
                        "20 s of dynamic requests, 1.5 s of static ones: the short kind is not worth moves",
                        Bursts.of(RIGID, 1570, 9, lulls)),
                row(
                        "from a bad split",
                        "bursts of 0.3 s from 5p+2a: who lacks a node is learnt from many spells",
                        Bursts.of(Allocation.of(5, 2), 1570, 150, (_, _) -> 0.3)));
    }

    private static List<Row> others() {
        Bursts large = Bursts.of(Allocation.of(10, 22), 1570, 2, (_, _) -> 8);
        return List.of(
                row(
                        "httpd 1 s",
                        "a move takes longer than a burst lasts: what it costs is all that counts",
                        even(1570, 1, 40).with(ServerKind.HTTPD)),
                row(
                        "httpd 2 s",
                        "a move takes half of what a burst lasts: it costs what it takes",
                        even(1570, 2, 24).with(ServerKind.HTTPD)),
                row("httpd 8 s", "slow moves that pay", even(1570, 8, 10).with(ServerKind.HTTPD)),
                row(
                        "many files 2 s",
                        "caches of nodes that become proxies are empty, so that they press the apps that stay",
                        even(1570, 2, 24).with(Lab.ZIPF)),
                row(
                        "many files 8 s",
                        "the same where bursts are worth following",
                        even(1570, 8, 10).with(Lab.ZIPF)),
                row(
                        "staying 8 s",
                        "clients that keep their connections, so that members are used unequally",
                        even(1570, 8, 8),
                        Lab.CLIENTS,
                        demand -> new Demand(
                                demand.workload(),
                                Clients.staying(demand.clients().count()))),
                row(
                        "32 nodes",
                        "a mix that changes needs a dozen moves at once",
                        large,
                        5 * Lab.CLIENTS,
                        demand -> demand));
    }
}
