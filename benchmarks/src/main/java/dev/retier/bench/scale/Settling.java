package dev.retier.bench.scale;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.bench.Stats;
import dev.retier.sim.cluster.Cluster;
import dev.retier.sim.cluster.Delays;
import dev.retier.sim.cluster.Looks;
import dev.retier.sim.cluster.MoveSeen;
import dev.retier.sim.cluster.Traffic;
import dev.retier.sim.model.Split;
import dev.retier.sim.service.Clients;
import dev.retier.sim.service.Demand;
import dev.retier.sim.service.Ledger;
import dev.retier.sim.service.Service;
import dev.retier.sim.service.Workload;
import dev.retier.sim.time.VirtualTime;
import dev.retier.traces.made.BodySizes;
import dev.retier.traces.made.Catalogue;
import dev.retier.traces.made.GeneratedTrace;
import java.util.List;
import java.util.stream.IntStream;

/**
 * One cell in virtual time, every agent of it: it begins in the split that is best for a fifth of dynamic requests,
 * while half of those that come are dynamic. Not thread-safe.
 */
final class Settling {
    private static final double MIX = 0.5;

    /** Nothing has moved for so long: several times T. */
    private static final double REST_SECONDS = 5;

    private static final double LONGEST_SECONDS = 600;
    private static final long HOP_NANOS = 100_000;
    private static final long BEGIN_NANOS = 3_000_000_000L;
    private static final long STEP_NANOS = 500_000_000L;
    private static final double NANOS_PER_SECOND = 1e9;

    private final Shape shape;
    private final VirtualTime time = new VirtualTime();
    private final Service service;
    private final Cluster cluster;
    private Before before = new Before(0, 0, 0, 0);

    /** What had been sent when the load began. */
    private record Before(long bytes, long words, long looks, long slots) {
        static Before of(Traffic traffic) {
            return new Before(Wire.bytes(traffic), traffic.wordOperations(), traffic.looks(), traffic.slotReads());
        }
    }

    /**
     * What is run.
     *
     * @param nodes of the cell
     * @param sites that share it, each with as many nodes
     * @param looks how agents look
     * @param clientsPerNode each asks again as soon as it is answered
     * @param mostMoves it ends after so many moves, settled or not
     */
    record Shape(int nodes, int sites, Looks looks, double clientsPerNode, int mostMoves) {
        /** As many clients as keep every node busy. */
        private static final double BUSY = 8;

        /** A fifth of what a node can do. */
        private static final double CALM = 0.2;

        static Shape busy(int nodes, int sites, Looks looks, int mostMoves) {
            return new Shape(nodes, sites, looks, BUSY, mostMoves);
        }

        static Shape calm(int nodes, Looks looks) {
            return new Shape(nodes, 1, looks, CALM, Integer.MAX_VALUE);
        }
    }

    /**
     * How it went.
     *
     * @param isSettled whether nothing moved any more
     * @param moves that were completed
     * @param undone moves that were rolled back
     * @param seconds from the change of the load to the end of the last move
     * @param secondsPerMove from one order to the next, the median
     * @param bytesPerMove on the wire, of all nodes, from the change of the load to the end, by moves
     * @param lockWordsPerMove lock and role words read or swapped
     * @param slotsPerLook read from other nodes
     * @param bitsPerSecondAndNode on the wire, what a node sends and what it receives
     * @param shareOfBest of the requests per second that the best split answers, at the end
     */
    record Settled(
            boolean isSettled,
            int moves,
            int undone,
            double seconds,
            double secondsPerMove,
            double bytesPerMove,
            double lockWordsPerMove,
            double slotsPerLook,
            double bitsPerSecondAndNode,
            double shareOfBest) {}

    private Settling(Shape shape) {
        this.shape = shape;
        ClusterConfig config = Cells.config(shape.nodes(), shape.sites());
        this.service = new Service(
                time,
                new Service.Parts(
                        Cells.COSTS,
                        config.nodes().stream()
                                .map(_ -> Cells.COSTS.capacityPerSecond())
                                .toList(),
                        shape.sites(),
                        demands(shape),
                        HOP_NANOS));
        service.beginAt(BEGIN_NANOS);
        this.cluster = new Cluster(time, config, service, new Cluster.Settings(Delays.MEASURED, 0, 1, shape.looks()));
    }

    /** Enough requests for the longest run that there can be. */
    private static List<Demand> demands(Shape shape) {
        int each = shape.nodes() / shape.sites();
        double moves = Math.min(shape.mostMoves(), 0.3 * each);
        long requests = (long) (best(each) * (30 + moves));
        Catalogue one = new Catalogue(1, 0, new BodySizes.Fixed(1024), new BodySizes.Fixed(1024));
        return IntStream.range(0, shape.sites())
                .mapToObj(site -> new Demand(
                        Workload.read(GeneratedTrace.mixed(requests, MIX, one, site + 1L), site, requests),
                        Clients.closed((int) Math.ceil(shape.clientsPerNode() * each))))
                .toList();
    }

    private static double best(int nodes) {
        return Split.of(nodes)
                .mapToDouble(split -> Cells.COSTS.requestsPerSecond(split, MIX))
                .max()
                .orElseThrow();
    }

    static Settled run(Shape shape) {
        return new Settling(shape).run();
    }

    private Settled run() {
        cluster.startAgents();
        advance(BEGIN_NANOS);
        before = Before.of(cluster.traffic());
        List<MoveSeen> moves = List.of();
        double seconds = 0;
        while (seconds < LONGEST_SECONDS && !service.isOver() && !isAtRest(moves, seconds) && !isEnough(moves)) {
            advance(time.nowNanos() + STEP_NANOS);
            seconds = service.elapsedNanos() / NANOS_PER_SECOND;
            moves = cluster.chronicle().moves();
        }
        return settled(moves, seconds);
    }

    private void advance(long untilNanos) {
        boolean isMore = true;
        while (isMore) {
            isMore = time.step(untilNanos, service::on);
        }
    }

    private static boolean isAtRest(List<MoveSeen> moves, double seconds) {
        double last = moves.stream()
                .mapToDouble(move -> move.endedSeconds() < 0 ? seconds : move.endedSeconds())
                .max()
                .orElse(0);
        return seconds - last >= REST_SECONDS;
    }

    private boolean isEnough(List<MoveSeen> moves) {
        return moves.stream().filter(MoveSeen::isComplete).count() >= shape.mostMoves();
    }

    private Settled settled(List<MoveSeen> moves, double seconds) {
        int complete = (int) moves.stream().filter(MoveSeen::isComplete).count();
        Before after = Before.of(cluster.traffic());
        double bytes = after.bytes - before.bytes;
        int nodes = shape.nodes();
        return new Settled(
                isAtRest(moves, seconds),
                complete,
                (int) moves.stream().filter(move -> move.undone() != null).count(),
                moves.stream().mapToDouble(MoveSeen::endedSeconds).max().orElse(0),
                medianGap(moves),
                bytes / Math.max(1, complete),
                (double) (after.words - before.words) / Math.max(1, complete),
                (double) (after.slots - before.slots) / (after.looks - before.looks),
                2 * 8 * bytes / seconds / nodes,
                answered() / (shape.sites() * best(nodes / shape.sites())));
    }

    private static double medianGap(List<MoveSeen> moves) {
        Stats gaps = new Stats();
        for (int next = 1; next < moves.size(); next++) {
            gaps.add(moves.get(next).orderedSeconds() - moves.get(next - 1).orderedSeconds());
        }
        return gaps.count() == 0 ? 0 : gaps.median();
    }

    /** Requests per second of all sites in the last two seconds. */
    private double answered() {
        double sum = 0;
        int window = (int) (2 * NANOS_PER_SECOND / Ledger.BUCKET_NANOS);
        for (int site = 0; site < shape.sites(); site++) {
            Ledger ledger = service.ledger(site);
            sum += ledger.done(ledger.buckets() - 1 - window, window) / 2.0;
        }
        return sum;
    }
}
