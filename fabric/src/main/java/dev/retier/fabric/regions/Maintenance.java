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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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

    private static final Logger LOG = LoggerFactory.getLogger(Maintenance.class);
    private static final int TURNS_PER_REMINDER = 10;

    private final Fabric fabric;
    private final DirectoryCalls control;
    private final DirectoryDriver cores;
    private final AbsentNodes absences;
    private final AnswerBounds bounds;
    private final long gatherEndNanos;
    /** Whom a thread is reporting to. */
    private final Set<NodeId> reporting = ConcurrentHashMap.newKeySet();

    private final Map<NodeId, PeerLink> succeeded = new ConcurrentHashMap<>();
    private boolean reportedToSelf;
    private boolean gathered;
    private int turns;

    /** What it keeps up. */
    record Parts(Fabric fabric, DirectoryCalls control, DirectoryDriver cores, AbsentNodes absences) {}

    Maintenance(Parts parts, AnswerBounds bounds, Duration gatherBound) {
        this.fabric = parts.fabric();
        this.control = parts.control();
        this.cores = parts.cores();
        this.absences = parts.absences();
        this.bounds = bounds;
        this.gatherEndNanos = System.nanoTime() + gatherBound.toNanos();
    }

    void turn() {
        try {
            control.dropLost();
            reportToAll();
            if (!gathered && System.nanoTime() - gatherEndNanos > 0) {
                gathered = true;
                cores.endGathering();
            }
            turns++;
            if (turns % TURNS_PER_REMINDER == 0) {
                remind();
            }
        } catch (RuntimeException fault) {
            LOG.error("the upkeep of regions failed; it goes on", fault);
        }
    }

    private void reportToAll() {
        if (!reportedToSelf) {
            reportedToSelf = true;
            cores.answer(new RegionRequest.Reported());
        }
        for (NodeId node : fabric.nodes()) {
            Optional<PeerLink> link = fabric.link(node);
            absences.observe(node, link.isPresent(), System.nanoTime());
            if (link.isPresent() && !link.get().equals(succeeded.get(node)) && reporting.add(node)) {
                cores.threads().execute(() -> report(node, link.get()));
            }
        }
    }

    /** One by one, so that the last one says that all have come. */
    private void report(NodeId node, PeerLink link) {
        List<RegionRequest> requests = new ArrayList<>(cores.reports(node));
        requests.add(new RegionRequest.Reported());
        boolean heard = true;
        for (RegionRequest request : requests) {
            heard = heard && control.ask(node, request, bounds.call()).join() instanceof RegionAnswer.Done;
        }
        if (heard) {
            succeeded.put(node, link);
        }
        reporting.remove(node);
    }

    private void remind() {
        cores.reconcile();
        for (NodeId node : fabric.nodes()) {
            for (RegionRequest.Report plan : cores.plans(node)) {
                if (node.equals(fabric.self())) {
                    cores.answer(plan);
                } else {
                    control.ask(node, plan, bounds.call());
                }
            }
        }
    }
}
