package dev.retier.agent.daemon;

import dev.retier.agent.ReconfigException;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.MoveRules;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.http.AgentMetric;
import dev.retier.agent.http.AgentMetrics;
import dev.retier.agent.journal.Journal;
import dev.retier.agent.move.MovePhase;
import dev.retier.agent.move.MoveRecord;
import dev.retier.agent.move.Recovery;
import dev.retier.agent.move.RollbackReason;
import dev.retier.agent.move.Upstream;
import dev.retier.agent.move.Victim;
import dev.retier.agent.move.VictimEffect;
import dev.retier.agent.move.VictimEvent;
import dev.retier.agent.observe.ServerProbes;
import dev.retier.agent.observe.StatusPoller;
import dev.retier.agent.view.Stamps;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.RoleWord.Phase;
import dev.retier.state.SharedState;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Watches the own role word, and carries out what the {@link Victim} asks for. Owned by the control loop. */
final class VictimDriver {
    private static final Logger LOG = LoggerFactory.getLogger("dev.retier.agent");
    /** How closely to ask the own server while it drains or switches. */
    private static final Duration HURRY = Duration.ofMillis(60);

    private final LiveConfig live;
    private final NodeConfig node;
    private final SharedState state;
    private final Parts parts;
    private Victim victim;
    private MoveRules rules;
    /** Filled by the threads that carry out proofs, at most one entry per proof. */
    private final Queue<ProofResult> proofs = new ConcurrentLinkedQueue<>();

    private @Nullable RoleWord order;
    private @Nullable String refusal;
    private boolean isJournalBroken;
    private StatusPoller.@Nullable Sample lastSample;

    /** What a victim works with. */
    record Parts(
            Watcher watcher,
            Follower follower,
            StatusPoller poller,
            Journal journal,
            Narrator narrator,
            AgentMetrics metrics) {}

    private record ProofResult(RoleWord order, boolean isGood) {}

    VictimDriver(LiveConfig live, NodeConfig node, SharedState state, Parts parts) {
        this.live = live;
        this.node = node;
        this.state = state;
        this.parts = parts;
        this.rules = live.cluster().move();
        this.victim = new Victim(live.cluster());
    }

    boolean isIdle() {
        return victim.isIdle();
    }

    boolean isWaitingForUpstream() {
        return victim.isWaitingForUpstream();
    }

    /** Takes up, at start, a move that the journal says was under way. */
    void recover(List<MoveRecord> journal) {
        if (state.ownRoleWord() instanceof RoleWord.Valid(RoleWord own)
                && own.phase() == Phase.ORDERED
                && journal.stream().anyMatch(entry -> entry.word().equals(own))) {
            LOG.warn("{}: finds its move {} unfinished", node.name(), own.epoch());
            order = own;
            feed(new VictimEvent.Found(own, Recovery.reached(journal, own)));
        }
    }

    /**
     * Goes round once: sees new orders, the server's status, proofs, and the time.
     *
     * @param sample the newest status, null while there is none
     */
    void step(StatusPoller.@Nullable Sample sample) {
        if (victim.isIdle()
                && state.ownRoleWord() instanceof RoleWord.Valid(RoleWord own)
                && own.phase() == Phase.ORDERED) {
            followRules();
            order = own;
            feed(new VictimEvent.Ordered(own));
        }
        if (victim.isIdle()) {
            return;
        }
        parts.poller.hurry(HURRY);
        if (sample != null && !sample.equals(lastSample) && !parts.poller.isDown()) {
            lastSample = sample;
            feed(
                    sample.isWhole()
                            ? new VictimEvent.Server(sample.status(), sample.askedAtNanos())
                            : new VictimEvent.ServerFile(sample.status(), sample.askedAtNanos()));
        }
        for (ProofResult proof = proofs.poll(); proof != null; proof = proofs.poll()) {
            if (proof.order.equals(order)) {
                feed(new VictimEvent.Proof(proof.isGood));
            }
        }
        feed(new VictimEvent.Tick());
    }

    /** A move goes by the rules that were in force when it was ordered. */
    private void followRules() {
        ClusterConfig now = live.cluster();
        if (!now.move().equals(rules)) {
            rules = now.move();
            victim = new Victim(now);
        }
    }

    /** After a look: sees whether upstream nodes leave this one out. */
    void looked() {
        RoleWord current = order;
        if (current != null && victim.isWaitingForUpstream()) {
            boolean isProven = Upstream.unproven(parts.watcher.view(), current).isEmpty();
            feed(new VictimEvent.UpstreamSeen(isProven));
        }
    }

    /** Finishes if the switch has begun, else undoes; {@link #step} goes on with it. */
    void stop() {
        feed(new VictimEvent.Stop());
    }

    private void feed(VictimEvent first) {
        Deque<VictimEvent> events = new ArrayDeque<>();
        events.add(first);
        while (!events.isEmpty()) {
            for (VictimEffect effect : victim.on(events.remove(), System.nanoTime())) {
                carryOut(effect).ifPresent(events::add);
            }
        }
    }

    private Optional<VictimEvent> carryOut(VictimEffect effect) {
        return switch (effect) {
            case VictimEffect.JournalOrder(MoveRecord entry) -> {
                boolean isOnDisk = append(entry);
                parts.narrator.reached(entry, MoveLog.Notes.NONE);
                yield Optional.of(new VictimEvent.Journalled(isOnDisk));
            }
            case VictimEffect.Reached(MoveRecord entry, boolean wasCut) -> {
                append(entry);
                boolean isUndone = entry.phase() == MovePhase.ROLLED_BACK;
                parts.narrator.reached(entry, new MoveLog.Notes(wasCut, isUndone ? refusal : null));
                yield Optional.empty();
            }
            case VictimEffect.WriteRole write -> {
                rememberRefusal(write);
                yield Optional.of(write(write));
            }
            case VictimEffect.Prove(Role role) -> {
                prove(role);
                yield Optional.empty();
            }
            case VictimEffect.SetWord(RoleWord expected, RoleWord next) ->
                Optional.of(new VictimEvent.Answered(state.compareAndSetRole(state.self(), expected, next)));
            case VictimEffect.Announce _ -> {
                state.announce();
                yield Optional.empty();
            }
            case VictimEffect.Finished _ -> {
                order = null;
                refusal = null;
                yield Optional.empty();
            }
        };
    }

    /** The file of the old role will end what the server says of the new one. */
    private void rememberRefusal(VictimEffect.WriteRole write) {
        StatusPoller.Sample sample = parts.poller.newest();
        RoleWord current = order;
        if (current != null && sample != null && write.role().equals(current.from())) {
            String failure = parts.follower.failure();
            refusal = failure == null ? sample.status().lastRefusal() : failure;
        }
    }

    private boolean append(MoveRecord entry) {
        try {
            parts.journal.append(entry);
            isJournalBroken = false;
            return true;
        } catch (ReconfigException e) {
            parts.metrics.count(AgentMetric.JOURNAL_FAILURES);
            if (!isJournalBroken) {
                LOG.error("{}: no move can be carried out: {}", node.name(), e.getMessage());
            }
            isJournalBroken = true;
            return false;
        }
    }

    private VictimEvent write(VictimEffect.WriteRole write) {
        return switch (parts.follower.write(parts.watcher.view(), write.role(), write.stamp())) {
            case WRITTEN -> new VictimEvent.Written();
            case NOTHING_TO_RENDER -> new VictimEvent.NotWritten(RollbackReason.NOTHING_TO_RENDER);
            case FAILED -> new VictimEvent.NotWritten(RollbackReason.WRITE_FAILED);
        };
    }

    private void prove(Role role) {
        RoleWord proven = order;
        if (proven != null) {
            Duration timeout = rules.proveDeadline();
            long stamp = Stamps.ordered(proven.epoch());
            Thread.ofVirtual()
                    .name("retier-prove-" + node.name())
                    .start(() -> proofs.add(new ProofResult(proven, ServerProbes.proves(node, role, stamp, timeout))));
        }
    }
}
