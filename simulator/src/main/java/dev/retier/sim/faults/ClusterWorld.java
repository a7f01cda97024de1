package dev.retier.sim.faults;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.Mode;
import dev.retier.sim.cluster.Chronicle;
import dev.retier.sim.cluster.Cluster;
import dev.retier.sim.cluster.ClusterListener;
import dev.retier.sim.cluster.Delays;
import dev.retier.sim.cluster.MoveSeen;
import dev.retier.sim.service.Service;
import dev.retier.sim.time.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * One world from one seed: a small cluster whose agents, servers, links, clocks and status pages fail while its loads
 * come in bursts. First only safety counts; then the faults stop, the load stays as it is, and the cluster must come to
 * rest in a bounded time, in the best split that it can reach, and stay there. Not thread-safe; different worlds
 * may run on different threads.
 */
public final class ClusterWorld {
    private static final long SECOND = 1_000_000_000L;
    private static final long TICK_NANOS = 20_000_000L;
    private static final long SERVICE_HOP_NANOS = 100_000L;
    /** An edge that is reloaded takes longer. */
    private static final long LONGEST_EDGE_NANOS = 100_000_000L;

    /** Slow to take another role, but within the short deadlines of a world, so that not every move is undone. */
    private static final Delays BRISK = new Delays(
            Delays.MEASURED.hopNanos(),
            Delays.MEASURED.journalNanos(),
            Delays.MEASURED.proveNanos(),
            Delays.MEASURED.edgeNanos(),
            Delays.MEASURED.fileLookNanos(),
            60_000_000L,
            new Delays.Switch(600_000_000L, 0),
            0);

    private static final long SHORTEST_STORM_NANOS = 4 * SECOND;
    private static final long LONGEST_STORM_NANOS = 12 * SECOND;
    /** Many times what a decision remembers: who has not moved for so long has no reason to. */
    private static final long REST_NANOS = 5 * SECOND;
    /** Who has been at rest for so many times as long had no reason to move but the noise of its loads. */
    private static final int LONG_RESTS = 3;
    /** A queue of 48 of the dearest requests is over in 2.3 s. */
    private static final int MOST_IN_FLIGHT = 48;
    /** A move: its history, its load figures, its rests, a reload, and as much again for what comes in between. */
    private static final long MOVE_NANOS = 2 * SECOND;
    /** Of so many worlds one is judged by pairs of moves too, which takes many times as long. */
    private static final int PAIRS = 16;
    /** Fifty times what a world comes to. */
    private static final long MOST_EVENTS = 20_000_000L;

    /** What a server has refused is tried again after 10 s. */
    private static final long REFUSED_NANOS = 11 * SECOND;

    /** A pause and a few drained nodes, one after the other. */
    private static final long TAKEN_BACK_NANOS = 10 * SECOND;

    private final MadeWorld made;
    private final ClusterConfig config;
    private final VirtualTime time = new VirtualTime();
    private final Timeline timeline;
    private final Verdict verdict;
    private final Service service;
    private final Cluster cluster;
    private final Loads loads;
    private final Commands commands;
    private final Operators operators;
    private final Storm storm;
    private final Safety safety;
    private final LockSafety locks;
    private final ToAndFro toAndFro;
    private final Neighbours neighbours;
    private final long seed;
    private final long stormNanos;
    private double settledSeconds;
    private boolean isRestless;

    /**
     * How one world went.
     *
     * @param violation what must never be and was; empty when there is none
     * @param orders role words changed by orders
     * @param completed moves that ended in the new role
     * @param undone moves that ended in the old role
     * @param acquisitions how often somebody got a move lock
     * @param faults what went wrong, without drift
     * @param crashes agents and machines that ended
     * @param events how many things happened
     * @param settledSeconds from the end of the faults to the last order
     * @param isRestless whether it never came to rest as its decisions go round in a circle or follow noise: known and
     *     not mended
     * @param timeline what happened, when it was asked for
     */
    public record Report(
            long seed,
            Optional<String> violation,
            long orders,
            long completed,
            long undone,
            long acquisitions,
            long faults,
            long crashes,
            long events,
            double settledSeconds,
            boolean isRestless,
            List<String> timeline) {}

    private ClusterWorld(long seed, Set<Fault> possible, boolean isTold) {
        this.seed = seed;
        SplittableRandom random = new SplittableRandom(seed);
        made = MadeWorld.of(random.split(), possible);
        config = made.config();
        timeline = new Timeline(time, isTold);
        verdict = new Verdict(timeline);
        stormNanos = random.nextLong(SHORTEST_STORM_NANOS, LONGEST_STORM_NANOS);
        loads = new Loads(made, random.split(), stormNanos);
        service = new Service(
                time,
                new Service.Parts(
                        made.costs(), made.capacities(), config.sites().size(), loads.demands(), SERVICE_HOP_NANOS));
        cluster = new Cluster(time, config, service, new Cluster.Settings(BRISK, 0, random.nextLong()));
        SplittableRandom stormRandom = random.split();
        commands = new Commands(config, time, verdict, timeline);
        operators = new Operators(config, time, cluster, commands, random.split());
        SplittableRandom edges = random.split();
        config.sites().forEach(site -> cluster.edge(site.id()).delay(edges.nextLong(LONGEST_EDGE_NANOS)));
        storm = new Storm(new Storm.Parts(time, cluster, service, operators, timeline), made, stormRandom);
        safety = new Safety(new Safety.Parts(config, time, cluster, service), commands::isForcing, verdict);
        locks = new LockSafety(config, verdict);
        toAndFro = new ToAndFro(config.nodes().size(), cluster::word);
        neighbours = new Neighbours(
                config,
                new Service.Parts(
                        made.costs(), made.capacities(), config.sites().size(), loads.last(), SERVICE_HOP_NANOS),
                MOST_IN_FLIGHT);
        List<ClusterListener> listeners = new ArrayList<>();
        if (isTold) {
            listeners.add(new Teller(config, timeline));
        }
        listeners.add(locks);
        listeners.add(safety);
        listeners.add(toAndFro);
        listeners.add(new LoopSafety(config, cluster, service, verdict));
        listeners.add(commands);
        cluster.listen(listeners);
    }

    /**
     * Runs the world of {@code seed}; the same seed is always the same world.
     *
     * @param possible what may go wrong; each kind does in half of the worlds
     */
    public static Report run(long seed, Set<Fault> possible) {
        return new ClusterWorld(seed, possible, false).live(seed);
    }

    /** The same, with its timeline. */
    public static Report tell(long seed, Set<Fault> possible) {
        return new ClusterWorld(seed, possible, true).live(seed);
    }

    private Report live(long seed) {
        timeline.note("world", made::text);
        for (int node = 0; node < config.nodes().size(); node++) {
            service.station(node).limit(MOST_IN_FLIGHT);
            cluster.clock(node, made.clockRates().get(node));
        }
        loads.start(time, service, timeline);
        cluster.startAgents();
        storm.start();
        time.after(TICK_NANOS, this::tick);
        goOn(stormNanos);
        if (verdict.violation().isEmpty()) {
            storm.end();
            operators.takeBack();
            calm();
        }
        return report(seed);
    }

    private void tick() {
        safety.tick();
        commands.tick(cluster);
        time.after(TICK_NANOS, this::tick);
    }

    private void goOn(long untilNanos) {
        while (verdict.violation().isEmpty() && step(untilNanos)) {
            if (time.events() > MOST_EVENTS) {
                verdict.violated("goes round and round");
            }
        }
    }

    /** A search goes on behind a world that ends by a mistake in the code, and tells its seed. */
    private boolean step(long untilNanos) {
        try {
            return time.step(untilNanos, service::on);
        } catch (IllegalStateException | IllegalArgumentException | NullPointerException e) {
            verdict.violated("throws " + e);
            return false;
        }
    }

    /** At rest is who has not moved for a while; the while is judged. */
    private void calm() {
        long calmNanos = time.nowNanos();
        long restedNanos = calmNanos;
        int rests = 0;
        while (verdict.violation().isEmpty()) {
            long orders = safety.orders();
            goOn(time.nowNanos() + REST_NANOS);
            long sinceNanos = time.nowNanos() - calmNanos;
            rests += orders == safety.orders() ? 1 : 0;
            boolean isAtRest = orders == safety.orders() && sinceNanos >= leastNanos();
            Rest rest = new Rest(config, cluster, service);
            Optional<String> wrong = rest.disorder().or(() -> isAtRest ? missed() : Optional.empty());
            boolean isOver = sinceNanos > settlingNanos();
            if (isAtRest && (wrong.isEmpty() || isOver)) {
                settledSeconds = (restedNanos - calmNanos) / 1e9;
                wrong.ifPresent(verdict::violated);
                return;
            }
            restedNanos = time.nowNanos();
            if (isOver) {
                restless(rests);
                return;
            }
        }
    }

    /** Modes that move nothing, and budgets that are spent, may leave anything as it is. */
    private Optional<String> missed() {
        boolean mayMove =
                config.mode() == Mode.ACT && safety.orders() < config.decision().movesPerHour();
        return mayMove
                ? neighbours.better(
                        new Rest(config, cluster, service).roles(),
                        node -> !safety.isResting(node),
                        seed % PAIRS == 0 ? 2 : 1)
                : Optional.empty();
    }

    /**
     * Decisions that go round in a circle or follow the noise of loads after {@code rests}, each single one by the
     * rule, are known, not mended, counted, see the README; moves that come to nothing are a fault.
     */
    private void restless(int rests) {
        String what = "does not come to rest within " + settlingNanos() / SECOND + " s after the last fault";
        if (toAndFro.isBack() || rests >= LONG_RESTS) {
            timeline.note("LIMIT", () -> what);
            isRestless = true;
        } else {
            verdict.violated(what);
        }
    }

    /** Nobody who was gone is still missed. */
    private long leastNanos() {
        return config.timing().lease().toNanos()
                + config.timing().staleness().toNanos()
                + config.timing().deadAfter().toNanos();
    }

    private long settlingNanos() {
        boolean isRefused = made.faults().contains(Fault.FILES_REFUSED);
        return leastNanos()
                + config.longestMove().toNanos()
                + config.nodes().size() * MOVE_NANOS
                + (isRefused ? REFUSED_NANOS : 0)
                + (made.faults().contains(Fault.OPERATORS) ? TAKEN_BACK_NANOS : 0)
                + REST_NANOS;
    }

    private Report report(long seed) {
        Chronicle chronicle = cluster.chronicle();
        long completed = chronicle.moves().stream().filter(MoveSeen::isComplete).count();
        long undone =
                chronicle.moves().stream().filter(move -> move.undone() != null).count();
        return new Report(
                seed,
                verdict.violation(),
                safety.orders(),
                completed,
                undone,
                locks.acquisitions(),
                storm.count(),
                storm.crashes(),
                time.events(),
                settledSeconds,
                isRestless,
                timeline.lines());
    }
}
