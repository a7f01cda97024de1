package dev.retier.fabric.regions;

import dev.retier.fabric.Fabric;
import dev.retier.fabric.PeerLink;
import dev.retier.fabric.directory.RegionAnswer;
import dev.retier.fabric.directory.RegionRequest;
import dev.retier.link.NodeId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What is to be done now and then: peers that have come are told what is held here of their names, holders are told
 * again what they have not confirmed, answers that cannot come any more are not waited for, and nodes that are away are
 * noticed.
 *
 * <p>Owned by one thread, which calls {@link #turn} every {@link #TURN}.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what is not heard now is said again
final class Maintenance {
    static final Duration TURN = Duration.ofMillis(50);

    private static final int TURNS_PER_REMINDER = 10;

    private final Regions regions;
    private final Fabric fabric;
    private final DirectoryDriver cores;
    private final long gatherEndNanos;
    /** Since when which nodes are not connected; any thread may read it. */
    private final Map<NodeId, Long> absentSinceNanos = new ConcurrentHashMap<>();
    /** Whom a thread is reporting to. */
    private final Set<NodeId> reporting = ConcurrentHashMap.newKeySet();

    private final Map<NodeId, PeerLink> succeeded = new ConcurrentHashMap<>();
    private boolean gathered;
    private int turns;

    Maintenance(Regions regions) {
        this.regions = regions;
        this.fabric = regions.fabric;
        this.cores = regions.cores;
        this.gatherEndNanos = System.nanoTime() + regions.config.gatherBound().toNanos();
    }

    void turn() {
        regions.calls.dropLost();
        if (turns == 0) {
            cores.answer(new RegionRequest.Reported());
        }
        fabric.nodes().forEach(this::observe);
        if (!gathered && System.nanoTime() - gatherEndNanos > 0) {
            gathered = true;
            cores.endGathering();
        }
        turns++;
        if (turns % TURNS_PER_REMINDER == 0) {
            remind();
        }
    }

    /** Whether the node has been away for so long that nobody should wait for it. */
    boolean isLongAway(NodeId node) {
        Long since = absentSinceNanos.get(node);
        return since != null
                && System.nanoTime() - since > regions.config.absenceBound().toNanos();
    }

    private void observe(NodeId node) {
        Optional<PeerLink> link = fabric.link(node);
        if (link.isEmpty()) {
            absentSinceNanos.putIfAbsent(node, System.nanoTime());
            return;
        }
        absentSinceNanos.remove(node);
        if (!link.get().equals(succeeded.get(node)) && reporting.add(node)) {
            cores.threads.execute(() -> report(node, link.get()));
        }
    }

    /** One by one, so that the last one says that all have come. */
    private void report(NodeId node, PeerLink link) {
        try {
            List<RegionRequest> requests = new ArrayList<>(cores.reports(node));
            requests.add(new RegionRequest.Reported());
            boolean heard = true;
            for (RegionRequest request : requests) {
                heard = heard && cores.call(node, request).join() instanceof RegionAnswer.Done;
            }
            if (heard) {
                succeeded.put(node, link);
            }
        } finally {
            reporting.remove(node);
        }
    }

    private void remind() {
        cores.reconcile();
        for (NodeId node : fabric.nodes()) {
            cores.plans(node).forEach(plan -> cores.call(node, plan));
        }
    }
}
