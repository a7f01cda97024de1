package dev.retier.sim.locks;

import dev.retier.link.NodeId;
import dev.retier.sim.time.VirtualTime;
import dev.retier.state.Epochs;
import dev.retier.state.Fence;
import dev.retier.state.RoleWord;
import dev.retier.state.SiteId;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * One world from one seed: a cell of 3 to 7 nodes with 1, 3 or 5 witnesses, all of which want the move locks of one
 * or two sites that share the nodes. First everything goes wrong for a while and only safety counts; then a majority
 * of the witnesses is healthy and somebody must get each lock within a bounded time.
 *
 * <p>Not thread-safe; different worlds may run on different threads.
 */
public final class FaultSimulation {
    private static final long STORM_NANOS = 6_000_000_000L;
    private static final long FAULT_EVERY_NANOS = 120_000_000L;

    /** Ten leases: what stood still is taken over after one, the rest is for unlucky backing off. */
    private static final long PROGRESS_NANOS = 3_000_000_000L;

    /** Clocks run 5 % slow to 5 % fast, a thousand times worse than real ones. */
    private static final double DRIFT = 0.05;

    private static final List<SiteId> SITES = List.of(new SiteId(1), new SiteId(2));

    private final SplittableRandom random;
    private final VirtualTime time = new VirtualTime();
    private final List<SiteId> sites;
    private final Epochs epochs;
    private final SafetyCheck[] checks;
    private final Map<Long, Integer> siteByEpoch = new HashMap<>();
    private final SimulatedNode[] nodes;
    private final SimulatedNetwork network;
    private final int witnesses;
    private long crashes;
    private boolean storm = true;

    /**
     * How one world went.
     *
     * @param violation what must never be and was; empty if the world was safe and made progress
     * @param acquisitions how often somebody got the lock
     * @param orders how many role words were changed
     * @param ordersRefused how many late orders found a fence
     * @param crashes how many nodes lost their memory
     * @param events how many things happened
     */
    public record Report(
            long seed,
            Optional<String> violation,
            long acquisitions,
            long orders,
            long ordersRefused,
            long crashes,
            long events) {}

    private FaultSimulation(long seed) {
        random = new SplittableRandom(seed);
        witnesses = 1 + 2 * random.nextInt(3);
        sites = SITES.subList(0, random.nextInt(1, SITES.size() + 1));
        epochs = new Epochs(sites);
        checks = new SafetyCheck[sites.size()];
        Arrays.setAll(checks, _ -> new SafetyCheck());
        nodes = new SimulatedNode[Math.max(witnesses, 3 + random.nextInt(5))];
        for (int i = 0; i < nodes.length; i++) {
            nodes[i] = new SimulatedNode(new NodeId(i + 1), 1 - DRIFT + 2 * DRIFT * random.nextDouble(), sites.size());
        }
        network = new SimulatedNetwork(time, random.split(), nodes);
    }

    /** Runs the world of {@code seed}; the same seed is always the same world. */
    public static Report run(long seed) {
        FaultSimulation world = new FaultSimulation(seed);
        world.live();
        return new Report(
                seed,
                world.violation(),
                world.sum(SafetyCheck::acquisitions),
                world.sum(SafetyCheck::orders),
                world.sum(SafetyCheck::ordersRefused),
                world.crashes,
                world.time.events());
    }

    private void live() {
        for (int i = 0; i < nodes.length; i++) {
            startMovers(i);
        }
        time.after(FAULT_EVERY_NANOS, this::fault);
        time.after(FAULT_EVERY_NANOS, this::journal);
        time.run(STORM_NANOS);
        calm();
        long[] before =
                Arrays.stream(checks).mapToLong(SafetyCheck::acquisitions).toArray();
        time.run(STORM_NANOS + PROGRESS_NANOS);
        for (int site = 0; site < checks.length; site++) {
            if (checks[site].acquisitions() == before[site]) {
                checks[site].violated("nobody got the lock though all witnesses were connected");
            }
        }
    }

    private void startMovers(int node) {
        for (int site = 0; site < checks.length; site++) {
            new SimulatedMover(this, random.split(), node, site).start();
        }
    }

    private Optional<String> violation() {
        return Arrays.stream(checks)
                .map(SafetyCheck::violation)
                .flatMap(Optional::stream)
                .findFirst();
    }

    private long sum(ToLongFunction<SafetyCheck> figure) {
        return Arrays.stream(checks).mapToLong(figure).sum();
    }

    private void fault() {
        if (!storm) {
            return;
        }
        int node = random.nextInt(nodes.length);
        switch (random.nextInt(8)) {
            case 0, 1 -> crash(node);
            case 2, 3 -> network.cut(node, random.nextInt(nodes.length), true);
            case 4 -> network.disturb(random.nextDouble() * 0.2, random.nextDouble() * 0.2);
            case 5 -> isolate(node);
            default -> network.heal();
        }
        time.after(random.nextLong(FAULT_EVERY_NANOS), this::fault);
    }

    private void isolate(int node) {
        for (int other = 0; other < nodes.length; other++) {
            network.cut(node, other, true);
            network.cut(other, node, random.nextBoolean());
        }
    }

    private void crash(int node) {
        if (nodes[node].up) {
            crashes++;
            nodes[node].crash();
            time.after(random.nextLong(FAULT_EVERY_NANOS * 4), () -> restart(node));
        }
    }

    private void restart(int node) {
        if (!nodes[node].up) {
            nodes[node].restart(time.nowNanos());
            startMovers(node);
        }
    }

    /** Every node writes down its role word now and then, as it learns of it. */
    private void journal() {
        for (SimulatedNode node : nodes) {
            node.journalled = node.up && random.nextBoolean() ? node.roleWord : node.journalled;
        }
        if (storm) {
            time.after(FAULT_EVERY_NANOS, this::journal);
        }
    }

    private void calm() {
        storm = false;
        network.heal();
        for (int node = 0; node < nodes.length; node++) {
            restart(node);
        }
    }

    /** Swaps a role word for the same behind a new fence. */
    boolean stamp(SimulatedNode slot, Fence.Change change, int site, long term) {
        if (!slot.roleWord.equals(change.expected())) {
            return false;
        }
        slot.roleWord = change.next();
        slot.fencedTerms[site] = Math.max(slot.fencedTerms[site], term);
        return true;
    }

    /** Carries out an order, if the word is as expected. */
    boolean order(SimulatedNode slot, int victim, Fence.Change order, int site, long term) {
        if (!slot.roleWord.equals(order.expected())) {
            checks[site].orderRefused();
            return false;
        }
        checks[site].ordered(victim, term, slot.fencedTerms[site]);
        Integer other = siteByEpoch.putIfAbsent(order.next().epoch(), site);
        if (other != null && other != site) {
            checks[site].violated("epoch " + order.next().epoch() + " is ordered for two sites");
        }
        slot.roleWord = order.next().completed();
        return true;
    }

    RoleWord known(@Nullable RoleWord word) {
        if (word == null) {
            throw new IllegalStateException("a candidate without a word");
        }
        return word;
    }

    VirtualTime time() {
        return time;
    }

    SafetyCheck check(int site) {
        return checks[site];
    }

    long nextEpoch(int site, long newest) {
        return epochs.next(sites.get(site), newest);
    }

    SimulatedNetwork network() {
        return network;
    }

    SimulatedNode node(int index) {
        return nodes[index];
    }

    int size() {
        return nodes.length;
    }

    int witnesses() {
        return witnesses;
    }
}
