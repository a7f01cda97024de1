package dev.retier.sim.faults;

import dev.retier.agent.config.SiteConfig;
import dev.retier.sim.cluster.Cluster;
import dev.retier.sim.cluster.ServerTrouble.Page;
import dev.retier.sim.service.Service;
import dev.retier.sim.time.VirtualTime;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;

/** Lets things go wrong, one after the other and several at a time, until it is ended; each is mended by itself. */
final class Storm {
    private static final long LONGEST_LULL_NANOS = 1_500_000_000L;
    private static final long SHORTEST_FAULT_NANOS = 50_000_000L;
    private static final long LONGEST_FAULT_NANOS = 5_000_000_000L;
    private static final long LONGEST_PAUSE_NANOS = 3_000_000_000L;
    /** Beyond the day from which starts are numbered, so that all numbers come again. */
    private static final long SECONDS_BACK = 10_000_000;

    private static final long LONGEST_THOUGHT_NANOS = 800_000_000L;
    /** What goes on all the time and is not mended. */
    private static final Set<Fault> ALWAYS = EnumSet.of(Fault.OPERATORS, Fault.FORMER_AGENTS);

    private static final double[] SPEEDS = {0.1, 0.3, 0.6};

    private final VirtualTime time;
    private final Cluster cluster;
    private final Service service;
    private final Timeline timeline;
    private final MadeWorld world;
    private final SplittableRandom random;
    private final List<Mending> mendings = new ArrayList<>();
    private final Operators operators;
    private final List<Fault> kinds;
    private final int nodes;
    private int count;
    private int crashes;
    private boolean isOver;

    /** What ends a fault, done once. */
    private static final class Mending {
        final Runnable action;
        boolean isDone;

        Mending(Runnable action) {
            this.action = action;
        }

        void run() {
            if (!isDone) {
                isDone = true;
                action.run();
            }
        }
    }

    /** What a storm blows upon. */
    record Parts(VirtualTime time, Cluster cluster, Service service, Operators operators, Timeline timeline) {}

    Storm(Parts parts, MadeWorld world, SplittableRandom random) {
        this.time = parts.time;
        this.cluster = parts.cluster;
        this.service = parts.service;
        this.operators = parts.operators;
        this.timeline = parts.timeline;
        this.world = world;
        this.kinds =
                world.faults().stream().filter(fault -> !ALWAYS.contains(fault)).toList();
        this.random = random;
        this.nodes = world.config().nodes().size();
    }

    void start() {
        if (world.faults().contains(Fault.FORMER_AGENTS)) {
            IntStream.range(0, nodes).filter(_ -> random.nextBoolean()).forEach(cluster::former);
        }
        if (!kinds.isEmpty()) {
            time.after(random.nextLong(LONGEST_LULL_NANOS), this::blow);
        }
        if (world.faults().contains(Fault.OPERATORS)) {
            time.after(random.nextLong(LONGEST_THOUGHT_NANOS), this::command);
        }
    }

    /** All is mended. */
    void end() {
        isOver = true;
        timeline.note("all", () -> "FAULTS STOP");
        mendings.forEach(Mending::run);
        for (int node = 0; node < nodes; node++) {
            cluster.setClockBack(node, 0);
            cluster.restart(node);
            cluster.pause(node, 0);
            for (int other = 0; other < nodes; other++) {
                cluster.stall(node, other, 0);
            }
        }
    }

    /** Faults so far. */
    int count() {
        return count;
    }

    /** How many of them ended an agent or a machine. */
    int crashes() {
        return crashes;
    }

    /** Operators are no fault of their own: they act among all the others. */
    private void command() {
        if (!isOver) {
            operators.command(random.nextInt(nodes));
            time.after(random.nextLong(LONGEST_THOUGHT_NANOS), this::command);
        }
    }

    private void blow() {
        if (isOver) {
            return;
        }
        count++;
        Fault fault = kinds.get(random.nextInt(kinds.size()));
        strike(fault, random.nextInt(nodes), random.nextLong(SHORTEST_FAULT_NANOS, LONGEST_FAULT_NANOS));
        time.after(random.nextLong(LONGEST_LULL_NANOS), this::blow);
    }

    private void strike(Fault fault, int node, long nanos) {
        switch (fault) {
            case AGENT_ENDS -> crash(node, false, nanos);
            case MACHINE_ENDS -> crash(node, true, nanos);
            case SERVER_ENDS -> {
                cluster.crashServer(node);
                mend(
                        "server of " + name(node) + " ends",
                        "server starts",
                        node,
                        nanos,
                        () -> cluster.restartServer(node));
            }
            case LINK_CUT -> cut(List.of(node), List.of(random.nextInt(nodes)), true, false, nanos);
            case NODE_CUT_OFF -> {
                int ways = random.nextInt(3);
                cut(List.of(node), others(node), ways != 1, ways != 0, nanos);
            }
            case CLUSTER_SPLIT -> split(nanos);
            case LINK_STALLED -> stall(node, random.nextInt(nodes), nanos);
            case AGENT_PAUSED -> pause(node, Math.min(nanos, LONGEST_PAUSE_NANOS));
            case SERVER_SLOW -> {
                double speed = SPEEDS[random.nextInt(SPEEDS.length)];
                service.station(node).slow(speed);
                mend(
                        "server works at " + speed + " of its speed",
                        "at its own speed again",
                        node,
                        nanos,
                        () -> service.station(node).slow(1));
            }
            case PAGE_FROZEN -> page(node, Page.FROZEN, nanos);
            case PAGE_LYING -> page(node, Page.LYING, nanos);
            case FILES_REFUSED -> during("server refuses new files", node, nanos, cluster.trouble(node)::refuse);
            case FILES_IGNORED -> during("server ignores new files", node, nanos, cluster.trouble(node)::ignoreFiles);
            case AGENT_LEAVES -> leave(node, nanos);
            case PAGE_HANGING -> page(node, Page.HANGING, nanos);
            case PAGE_MALFORMED -> page(node, Page.MALFORMED, nanos);
            case PAGE_PARTIAL -> page(node, Page.PARTIAL, nanos);
            case DISK_STILL -> during("disk stands still", node, nanos, cluster.disk(node)::standStill);
            case JOURNAL_FAILS -> during("journal cannot be written", node, nanos, cluster.disk(node)::failJournal);
            case FILES_NOT_WRITTEN -> during("files cannot be written", node, nanos, cluster.disk(node)::failFiles);
            case CLOCK_SET_BACK -> setClockBack(node, nanos);
            case EDGE_STANDS_STILL -> {
                List<SiteConfig> sites = world.config().sites();
                SiteConfig site = sites.get(node % sites.size());
                during("edge of " + site.name() + " stands still", node, nanos, cluster.edge(site.id())::standStill);
            }
            case OPERATORS, FORMER_AGENTS -> throw new IllegalArgumentException(fault + " goes on all the time");
        }
    }

    private void during(String what, int node, long nanos, Consumer<Boolean> set) {
        set.accept(true);
        mend(what, "no longer: " + what, node, nanos, () -> set.accept(false));
    }

    private void leave(int node, long nanos) {
        if (cluster.isAgentUp(node)) {
            cluster.stop(node);
            mend("agent is asked to leave", "starts again, after patience has ended", node, nanos, () -> {
                cluster.crash(node, false);
                cluster.restart(node);
            });
        }
    }

    private void setClockBack(int node, long nanos) {
        cluster.setClockBack(node, SECONDS_BACK);
        crash(node, false, nanos);
    }

    private void mend(String broken, String mended, int node, long nanos, Runnable action) {
        timeline.note(name(node), () -> "FAULT " + broken);
        Mending mending = new Mending(() -> {
            action.run();
            timeline.note(name(node), () -> "MENDED " + mended);
        });
        mendings.add(mending);
        time.after(nanos, mending::run);
    }

    private void crash(int node, boolean withServer, long nanos) {
        if (cluster.isAgentUp(node)) {
            crashes++;
            cluster.crash(node, withServer);
            mend(
                    (withServer ? "machine" : "agent") + " ends",
                    "starts again",
                    node,
                    nanos,
                    () -> cluster.restart(node));
        }
    }

    private void page(int node, Page page, long nanos) {
        if (cluster.trouble(node).page() != Page.TRUE) {
            return;
        }
        cluster.trouble(node).page(page);
        mend(
                "status page is " + page,
                "status page is true",
                node,
                nanos,
                () -> cluster.trouble(node).page(Page.TRUE));
    }

    private void pause(int node, long nanos) {
        if (cluster.isAgentUp(node)) {
            cluster.pause(node, time.nowNanos() + nanos);
            mend("agent stands still", "agent goes on", node, nanos, () -> {});
        }
    }

    private void stall(int from, int to, long nanos) {
        cluster.stall(from, to, time.nowNanos() + nanos);
        mend("what it sends to " + name(to) + " is late", "nothing to " + name(to) + " is late", from, nanos, () -> {});
    }

    private List<Integer> others(int node) {
        List<Integer> others = new ArrayList<>();
        for (int other = 0; other < nodes; other++) {
            if (other != node) {
                others.add(other);
            }
        }
        return others;
    }

    private void split(long nanos) {
        List<Integer> left = new ArrayList<>();
        List<Integer> right = new ArrayList<>();
        for (int node = 0; node < nodes; node++) {
            (random.nextBoolean() ? left : right).add(node);
        }
        if (!left.isEmpty() && !right.isEmpty()) {
            cut(left, right, true, true, nanos);
        }
    }

    /** Where nothing goes either way, servers cannot be asked either, in half of all cases. */
    private void cut(List<Integer> from, List<Integer> to, boolean isOut, boolean isIn, long nanos) {
        boolean isWhole = isOut && isIn && random.nextBoolean();
        LongConsumer set = cut -> {
            for (int one : from) {
                for (int other : to) {
                    cluster.cut(one, other, isOut && cut == 1);
                    cluster.cut(other, one, isIn && cut == 1);
                    cluster.cutRequests(one, other, isWhole && cut == 1);
                    cluster.cutRequests(other, one, isWhole && cut == 1);
                }
            }
        };
        set.accept(1);
        String ways = isOut && isIn ? " and " : isOut ? " to " : " from ";
        mend(
                "links cut: " + names(from) + ways + names(to) + (isWhole ? ", requests too" : ""),
                "links " + names(from) + ways + names(to),
                from.getFirst(),
                nanos,
                () -> set.accept(0));
    }

    private String names(List<Integer> some) {
        return some.size() == nodes - 1
                ? "all others"
                : String.join(",", some.stream().map(this::name).toList());
    }

    private String name(int node) {
        return world.config().nodes().get(node).name();
    }
}
