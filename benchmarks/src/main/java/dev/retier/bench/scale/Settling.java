package dev.retier.bench.scale;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.ServerKind;
import dev.retier.sim.cluster.Cluster;
import dev.retier.sim.cluster.ClusterListener;
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

    private static final double LONGEST_SECONDS = 60;
    private static final long HOP_NANOS = 100_000;
    private static final long BEGIN_NANOS = 3_000_000_000L;
    private static final long STEP_NANOS = 500_000_000L;
    private static final long REST_NANOS = 1_000_000_000L;
    private static final double NANOS_PER_SECOND = 1e9;

    /** What clients are answered is counted over so long. */
    private static final double WINDOW_SECONDS = 1;

    private static final int WINDOW = (int) (WINDOW_SECONDS * NANOS_PER_SECOND / Ledger.BUCKET_NANOS);

    /** Of what the best split answers; from then on the change of the load is met. */
    private static final double MET = 0.9;

    private final Shape shape;
    private final VirtualTime time = new VirtualTime();
    private final Service service;
    private final Cluster cluster;
    private Before before = new Before(0, 0, 0, 0);
    private double restBytesPerSecond;
    private int orders;

    /** What had been sent when the load began. */
    private record Before(long bytes, long words, long looks, long slots) {
        static Before of(Traffic traffic) {
            return new Before(Wire.bytes(traffic), traffic.wordOperations(), traffic.looks(), traffic.slotReads());
        }
    }

    /**
     * What is run.
     *
     * @param kind of all servers
     * @param nodes of the cell
     * @param sites that share it, each with as many nodes
     * @param looks how agents look
     */
    record Shape(ServerKind kind, int nodes, int sites, Looks looks, Load load) {
        private static final Load BUSY = new Load(8, Integer.MAX_VALUE);
        private static final Load CALM = new Load(0.2, Integer.MAX_VALUE);

        /** As many clients as keep every node busy; it ends once nothing moves any more. */
        static Shape busy(ServerKind kind, int nodes, int sites, Looks looks) {
            return new Shape(kind, nodes, sites, looks, BUSY);
        }

        /** Clients that take a fifth of what a node can do. */
        static Shape calm(int nodes, Looks looks) {
            return new Shape(ServerKind.WEB_NODE, nodes, 1, looks, CALM);
        }

        Shape untilMoves(int most) {
            return new Shape(kind, nodes, sites, looks, new Load(load.clientsPerNode, most));
        }
    }

    /**
     * What clients do.
     *
     * @param clientsPerNode each asks again as soon as it is answered
     * @param mostMoves it ends after so many moves, settled or not
     */
    record Load(double clientsPerNode, int mostMoves) {}

    /**
     * How it went.
     *
     * @param isSettled whether nothing moved any more
     * @param moves that were completed
     * @param orders how often nodes were ordered, one or several at once
     * @param undone moves that were rolled back
     * @param seconds from the change of the load to the end of the last move
     * @param metSeconds from the change of the load until clients are answered nine tenths of what the best split
     *     answers, and no less any more
     * @param restBitsPerSecondAndNode on the wire, what a node sends and what it receives, before the load begins
     * @param bytesPerMove on the wire, of all nodes, what is beyond that, by moves
     * @param lockWordsPerMove lock and role words read or swapped
     * @param slotsPerLook read from other nodes
     * @param bitsPerSecondAndNode on the wire, what a node sends and what it receives
     * @param shareOfBest of the requests per second that the best split answers, at the end
     */
    record Settled(
            boolean isSettled,
            int moves,
            int orders,
            int undone,
            double seconds,
            double metSeconds,
            double restBitsPerSecondAndNode,
            double bytesPerMove,
            double lockWordsPerMove,
            double slotsPerLook,
            double bitsPerSecondAndNode,
            double shareOfBest) {}

    private Settling(Shape shape) {
        this.shape = shape;
        ClusterConfig config = Cells.config(shape.kind(), shape.nodes(), shape.sites());
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
        cluster.listen(List.of(new ClusterListener() {
            @Override
            public void ordering(Order order) {
                boolean isFirst = order.together().getFirst().equals(order.move());
                orders += isFirst ? 1 : 0;
            }
        }));
    }

    /** Enough requests for the longest run that there can be. */
    private static List<Demand> demands(Shape shape) {
        int each = shape.nodes() / shape.sites();
        double moves = Math.min(shape.load().mostMoves(), 0.3 * each);
        long requests = (long) (best(each) * (30 + moves));
        Catalogue one = new Catalogue(1, 0, new BodySizes.Fixed(1024), new BodySizes.Fixed(1024));
        return IntStream.range(0, shape.sites())
                .mapToObj(site -> new Demand(
                        Workload.read(GeneratedTrace.mixed(requests, MIX, one, site + 1L), site, requests),
                        Clients.closed((int) Math.ceil(shape.load().clientsPerNode() * each))))
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
        advance(BEGIN_NANOS - REST_NANOS);
        Before resting = Before.of(cluster.traffic());
        advance(BEGIN_NANOS);
        before = Before.of(cluster.traffic());
        restBytesPerSecond = (before.bytes - resting.bytes) / (REST_NANOS / NANOS_PER_SECOND);
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
        return moves.stream().filter(MoveSeen::isComplete).count()
                >= shape.load().mostMoves();
    }

    private Settled settled(List<MoveSeen> moves, double seconds) {
        int complete = (int) moves.stream().filter(MoveSeen::isComplete).count();
        Before after = Before.of(cluster.traffic());
        double bytes = after.bytes - before.bytes;
        int nodes = shape.nodes();
        return new Settled(
                isAtRest(moves, seconds),
                complete,
                orders,
                (int) moves.stream().filter(move -> move.undone() != null).count(),
                moves.stream().mapToDouble(MoveSeen::endedSeconds).max().orElse(0),
                metSeconds(),
                2 * 8 * restBytesPerSecond / nodes,
                (bytes - seconds * restBytesPerSecond) / Math.max(1, complete),
                (double) (after.words - before.words) / Math.max(1, complete),
                (double) (after.slots - before.slots) / (after.looks - before.looks),
                2 * 8 * bytes / seconds / nodes,
                answered(end() - WINDOW) / best());
    }

    /** Requests per second that the best split of each site answers. */
    private double best() {
        return shape.sites() * best(shape.nodes() / shape.sites());
    }

    private int end() {
        return service.ledger(0).buckets() - 1;
    }

    private double metSeconds() {
        int from = end() - WINDOW;
        while (from > 0 && answered(from - 1) >= MET * best()) {
            from--;
        }
        return from * Ledger.BUCKET_NANOS / NANOS_PER_SECOND;
    }

    /** Requests per second of all sites in a window that begins with that bucket. */
    private double answered(int bucket) {
        double sum = 0;
        for (int site = 0; site < shape.sites(); site++) {
            sum += service.ledger(site).done(Math.max(0, bucket), WINDOW);
        }
        return sum / WINDOW_SECONDS;
    }
}
