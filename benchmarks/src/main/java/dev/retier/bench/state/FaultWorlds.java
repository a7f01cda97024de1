package dev.retier.bench.state;

import dev.retier.report.Table;
import dev.retier.sim.faults.ClusterCampaign;
import dev.retier.sim.faults.ClusterWorld;
import dev.retier.sim.faults.Fault;
import dev.retier.sim.locks.FaultCampaign;
import dev.retier.sim.locks.FaultSimulation;
import dev.retier.sim.locks.LockKind;
import dev.retier.volume.worlds.VolumeWorld;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The kinds of worlds that can be searched for faults. */
enum FaultWorlds {
    /** Whole clusters. */
    CLUSTER(
            null,
            100_000,
            100,
            "A world of the cluster is 4 to 9 nodes with one to three sites, priorities, guarantees,"
                    + " bounds, kinds of servers, 1, 3 or 5 witnesses, clocks up to 5 % fast or slow, and loads in"
                    + " bursts. For 4 to 12 s of virtual time agents, servers and machines end and start again,"
                    + " links are cut in one direction or both, for one node or between two halves, or are late,"
                    + " agents stand still or are asked to leave, servers are slow, refuse or ignore their files,"
                    + " status pages stand still, lie, hang, cannot be read or are half true, disks stand still or"
                    + " take no journal or no file, agents start with a clock set back, some of them are of the"
                    + " version before, edges stand still, and operators move, drain, undo and pause, forced or not."
                    + " Checked at each event:"
                    + " no two movers hold a lock in one term, only the newest"
                    + " term orders, epochs grow and are of one site, a role word goes only from role to order to"
                    + " role, one move at a time per site of the nodes that the mover knows, no tier below its"
                    + " minimum or above its maximum, nothing ordered when too much is unknown or the mode forbids"
                    + " it, no node moved that is unknown, rests or is beyond the budget, no page that stands still"
                    + " or lies taken for an idle server, no proxy without an app node, no app node drained while a"
                    + " proxy that it knows sends to it, no node active that does not run its role, none half moved"
                    + " for longer than all deadlines together, no file of another role handed over before the"
                    + " journal has the switch, every command answered once and in time, no loop that waits for"
                    + " two answers or for nothing. Then the faults stop and the load stays: within a"
                    + " bound (lease, staleness, death, one move's deadlines, 2 s per node) nothing may move any"
                    + " more for 5 s (10 s more where operators take back what they paused and drained), every"
                    + " server must run its role with the members that there are, and no split that is one move away,"
                    + " in one world of sixteen two, may answer clients better by more than the tolerance and 10 %, as"
                    + " servers of its own show that are tried for 30 s: promises by priority, then all requests;"
                    + " sites with a promise need not give. Restless is a world that moves on while its splits recur,"
                    + " no order undone, or after 15 s of rest: each decision by the rule, in a circle or after the"
                    + " noise of the loads."),
    /** The move lock of a site, on 1, 3 or 5 witnesses. */
    MOVE(
            LockKind.MOVE,
            100_000,
            1_000,
            "A world of the move lock is a cell of 3 to 7 nodes with 1, 3 or 5 witnesses and one or two"
                    + " sites that share the nodes, for 9 s of virtual time. In the first 6 s nodes crash and come"
                    + " back without their memory, links are cut in one direction or both, messages come late or"
                    + " never, holders pause, and clocks run up to 5 % fast or slow; then all heals. Checked: no"
                    + " two holders act in one term, terms grow, no role word changes by a holder of an older term"
                    + " than the one that has fenced it, no epoch is ordered for two sites, and after the healing"
                    + " each lock is taken again within 3 s."),
    /** The exclusive lock of a fabric. */
    TICKET(
            LockKind.TICKET,
            100_000,
            1_000,
            "A world of the ticket lock is four nodes with two threads each, one of the read/write lock"
                    + " two writers and four readers; for twelve leases they and the home crash, restart, pause,"
                    + " are cut off in one direction and late, with clocks up to 10 % fast or slow. Checked: no two"
                    + " holders act that exclude each other, each token (of a writer) is higher than all before,"
                    + " and in the calm that follows each node or client gets the lock within forty leases (a"
                    + " ticket whose owner died costs the others one)."),
    /** The read/write lock of a fabric. */
    READ_WRITE(LockKind.READ_WRITE, 100_000, 1_000, ""),
    /** A volume server and its clients. */
    VOLUME(
            null,
            10_000,
            50,
            "A world of volumes is a server and one to three clients whose programs read, write, zero and"
                    + " flush one volume, up to two that read it beside them, and in half of the worlds one that"
                    + " makes snapshots and clones of it, rolls it back, trims and scrubs it: all of it is what"
                    + " ships, on simulated machines. For 6 s of virtual time the server's process is killed, also"
                    + " at any call of its disk, its machine loses its power (of what was not forced any sectors"
                    + " survive), connections end for each end at another time, messages are late or held up in one"
                    + " direction or both, the disk is slow, or full for a while, single reads are stuck, bits of"
                    + " blocks and of their checksums flip on it, a force fails once and what it should have brought"
                    + " to the disk never comes there, clients die and others come, volumes are taken by force."
                    + " Checked: each part of each block that is read has one of the contents that the promises"
                    + " allow, no change is in one part of a block alone, what found no room has changed nothing, no"
                    + " read fails by its block unless bits have flipped, snapshots stay as they were, have no"
                    + " change without those that were answered before it was asked for, and nothing that is written"
                    + " to their clones, a rollback brings one back, epochs only grow, what is fenced reads and"
                    + " writes nothing, and in the calm that follows all programs end within 30 s. Sent again are"
                    + " flushes that were answered by a machine that had lost what they bring to the disk.");

    private final @Nullable LockKind lock;
    private final long usual;
    private final long batch;
    private final String description;

    FaultWorlds(@Nullable LockKind lock, long usual, long batch, String description) {
        this.lock = lock;
        this.usual = usual;
        this.batch = batch;
        this.description = description;
    }

    /** A world in which something was that must never be. */
    record Failure(long seed, String what) {}

    /** One world again; only a cluster has a timeline. */
    record Replay(boolean isFault, String summary, List<String> timeline) {}

    /** What worlds of one kind came to: figures by name, in the order of the table. */
    record Tally(long worlds, Map<String, Double> figures, List<Failure> failures) {
        static final Tally NONE = new Tally(0, Map.of(), List.of());

        Tally plus(Tally other) {
            Map<String, Double> sum = new LinkedHashMap<>(figures);
            other.figures.forEach(
                    (name, figure) -> sum.merge(name, figure, name.startsWith("longest") ? Math::max : Double::sum));
            List<Failure> all = Stream.concat(failures.stream(), other.failures.stream())
                    .limit(FaultCampaign.MAX_FAILURES)
                    .toList();
            return new Tally(worlds + other.worlds, sum, all);
        }
    }

    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** How many worlds are searched when nobody says how many. */
    long usual() {
        return usual;
    }

    /** How many between two looks at the clock. */
    long batch() {
        return batch;
    }

    String description() {
        return description;
    }

    Tally run(long first, long count, Set<Fault> possible) {
        LockKind kind = lock;
        if (this == VOLUME) {
            // One after the other: what all worlds share would let one wait for another's thread.
            return LongStream.range(first, first + count)
                    .mapToObj(VolumeWorld::run)
                    .map(FaultWorlds::tally)
                    .reduce(Tally.NONE, Tally::plus);
        }
        return kind == null
                ? tally(ClusterCampaign.run(first, count, possible))
                : tally(FaultCampaign.run(kind, first, count));
    }

    Replay replay(long seed, Set<Fault> possible) {
        LockKind kind = lock;
        if (this == VOLUME) {
            return replay(VolumeWorld.run(seed));
        }
        return kind == null ? replay(ClusterWorld.tell(seed, possible)) : replay(kind.run(seed));
    }

    private Replay replay(ClusterWorld.Report report) {
        String summary = "cluster, seed " + report.seed() + ": "
                + report.violation().orElse(report.isRestless() ? "safe, and restless" : "safe, and came to rest")
                + " ("
                + report.orders() + " orders, " + report.completed() + " completed, " + report.undone() + " undone, "
                + report.faults() + " faults, " + report.events() + " events)";
        return new Replay(report.violation().isPresent(), summary, report.timeline());
    }

    private Replay replay(FaultSimulation.Report report) {
        String summary = word() + " lock, seed " + report.seed() + ": "
                + report.violation().orElse("safe, and made progress") + " (" + report.acquisitions()
                + " acquisitions, " + report.orders() + " orders, " + report.ordersRefused()
                + " late orders refused, " + report.crashes() + " crashes, " + report.events() + " events)";
        return new Replay(report.violation().isPresent(), summary, List.of());
    }

    private static Replay replay(VolumeWorld.Report report) {
        String summary = "volume, seed " + report.seed() + ": "
                + report.violation().orElse("kept its promises, and went on")
                + report.figures().entrySet().stream()
                        .map(figure -> figure.getValue() + " " + figure.getKey().replace('_', ' '))
                        .collect(Collectors.joining(", ", " (", ")"));
        return new Replay(report.violation().isPresent(), summary, List.of());
    }

    private static Tally tally(VolumeWorld.Report report) {
        Map<String, Double> figures = new LinkedHashMap<>();
        report.figures().forEach((name, figure) -> figures.put(name, (double) figure));
        return new Tally(
                1,
                figures,
                report.violation().map(what -> new Failure(report.seed(), what)).stream()
                        .toList());
    }

    private static Tally tally(ClusterCampaign.Summary sum) {
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("orders", (double) sum.orders());
        figures.put("completed", (double) sum.completed());
        figures.put("undone", (double) sum.undone());
        figures.put("acquisitions", (double) sum.acquisitions());
        figures.put("faults_injected", (double) sum.faults());
        figures.put("crashes", (double) sum.crashes());
        figures.put("longest_to_rest_s", sum.settledSeconds());
        figures.put("restless", (double) sum.restless());
        figures.put("events", (double) sum.events());
        List<Failure> failures = sum.failures().stream()
                .map(report -> new Failure(report.seed(), report.violation().orElseThrow()))
                .toList();
        return new Tally(sum.worlds(), figures, failures);
    }

    private static Tally tally(FaultCampaign.Summary sum) {
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("acquisitions", (double) sum.acquisitions());
        figures.put("orders", (double) sum.orders());
        figures.put("late_orders_refused", (double) sum.ordersRefused());
        figures.put("crashes", (double) sum.crashes());
        figures.put("events", (double) sum.events());
        List<Failure> failures = sum.failures().stream()
                .map(report -> new Failure(report.seed(), report.violation().orElseThrow()))
                .toList();
        return new Tally(sum.worlds(), figures, failures);
    }

    private String table() {
        if (this == VOLUME) {
            return "volumes";
        }
        return lock == null ? "clusters" : "locks";
    }

    /** By name: clusters, volumes and locks apart, as their figures differ. */
    static Map<String, Table> tables(Map<FaultWorlds, Tally> sums) {
        Map<String, Table> tables = new LinkedHashMap<>();
        sums.forEach((kind, sum) -> {
            String name = kind.table();
            Table table = tables.computeIfAbsent(name, _ -> table(kind, sum));
            Object[] cells = Stream.concat(
                            Stream.of(kind.word(), sum.worlds(), sum.failures().size()),
                            sum.figures.values().stream().map(Math::round))
                    .toArray();
            table.row(Objects.requireNonNull(cells));
        });
        return tables;
    }

    private static Table table(FaultWorlds kind, Tally sum) {
        String first = kind.lock == null ? "world" : "lock";
        return new Table(Stream.concat(Stream.of(first, "worlds", "faults"), sum.figures.keySet().stream())
                .toArray(String[]::new));
    }
}
