package dev.retier.agent.daemon;

import dev.retier.agent.command.Answer;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.Mode;
import dev.retier.agent.config.MoveRules;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.decide.Decider;
import dev.retier.agent.decide.Decision;
import dev.retier.agent.decide.Initiator;
import dev.retier.agent.decide.ManualMoves;
import dev.retier.agent.decide.ManualMoves.OwnPast;
import dev.retier.agent.decide.ManualMoves.Wish;
import dev.retier.agent.decide.Policy;
import dev.retier.agent.decide.StayReason;
import dev.retier.agent.http.AgentMetric;
import dev.retier.agent.http.AgentMetrics;
import dev.retier.agent.move.Mover;
import dev.retier.agent.move.MoverEffect;
import dev.retier.agent.move.MoverEvent;
import dev.retier.agent.move.MoverResult;
import dev.retier.agent.view.RoleText;
import dev.retier.link.NodeId;
import dev.retier.state.Epochs;
import dev.retier.state.LockOutcome;
import dev.retier.state.MoveLease;
import dev.retier.state.RoleWord;
import dev.retier.state.SharedState;
import dev.retier.state.SiteId;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides after each look, and carries out what the {@link Mover} asks for. Owned by the control loop. */
final class MoverDriver {
    private static final Logger LOG = LoggerFactory.getLogger("dev.retier.agent");
    private static final double NANOS_PER_SECOND = 1e9;

    private final LiveConfig live;
    private final SharedState state;
    private final Watcher watcher;
    private final Narrator narrator;
    private final AgentMetrics metrics;
    private final OperatorNotes notes;
    private final OwnPast past;
    private Mover mover;
    private MoveRules moverRules;
    private @Nullable ManualMove manual;
    private final Map<SiteId, MoveLease> leases = new LinkedHashMap<>();
    private volatile boolean isHolding;

    /** An operator's move under way. */
    private record ManualMove(Wish wish, CompletableFuture<Answer> answer, long begunNanos) {}

    /** What a mover works with. */
    record Parts(Watcher watcher, Narrator narrator, AgentMetrics metrics, OperatorNotes notes, OwnPast past) {}

    MoverDriver(LiveConfig live, SharedState state, Parts parts) {
        this.live = live;
        this.state = state;
        this.watcher = parts.watcher;
        this.narrator = parts.narrator;
        this.metrics = parts.metrics;
        this.notes = parts.notes;
        this.past = parts.past;
        this.moverRules = live.cluster().move();
        this.mover = newMover();
    }

    private Mover newMover() {
        return new Mover(
                config().timing().lease(),
                moverRules.total(),
                new Epochs(config().sites().stream().map(SiteConfig::id).toList()));
    }

    private ClusterConfig config() {
        return live.cluster();
    }

    private Policy policy() {
        return live.policy();
    }

    /** Whether a move that this node ordered is under way: looks should follow closely. */
    boolean isWatching() {
        return mover.isWatching();
    }

    /** Whether this node holds a move lock; may be read from any thread. */
    boolean isHolding() {
        return isHolding;
    }

    /**
     * After a look: goes on with the move that this node ordered, else decides for each site, the highest priority
     * first. Returns whether something is about to change, so that the next look should come early.
     */
    boolean looked() {
        if (!mover.isIdle()) {
            feed(new MoverEvent.Looked(watcher.view()));
            feed(new MoverEvent.Tick());
            return false;
        }
        followRules();
        boolean isUnsettled = false;
        for (SiteConfig site : policy().sites()) {
            Decision decision = decideUnlessPaused(site, policy());
            isUnsettled |= decision instanceof Decision.Stay stay && stay.reason() == StayReason.SETTLING;
            begin(decision);
        }
        return isUnsettled;
    }

    /** A move goes by the rules that were in force when it began. */
    private void followRules() {
        MoveRules now = config().move();
        if (!now.equals(moverRules)) {
            moverRules = now;
            mover = newMover();
        }
    }

    private Decision decideUnlessPaused(SiteConfig site, Policy obeyed) {
        return notes.isPaused()
                ? Decision.stay(site.id(), StayReason.PAUSED, "of " + notes.scope())
                : decide(site, obeyed);
    }

    private Decision decide(SiteConfig site, Policy obeyed) {
        return Decider.decide(watcher.view(), watcher.history(), obeyed, site, System.nanoTime());
    }

    private void begin(Decision decision) {
        if (!(decision instanceof Decision.Move move)) {
            narrator.decided(decision);
        } else if (Initiator.mayMake(state.self(), watcher.view(), move)) {
            feed(new MoverEvent.Begin(move));
        } else {
            narrator.decided(Decision.stay(move.site(), StayReason.NOT_OUR_TIER, move.detail()));
        }
    }

    /** What would be decided now if the mode were to act and nothing were paused. */
    Decision wouldDecide(SiteConfig site) {
        return decide(site, policy().inMode(Mode.ACT));
    }

    Mode mode() {
        return policy().mode();
    }

    /** The longest that a move may take. */
    Duration patience() {
        return config().move().total();
    }

    /** What takes the newest move back, or who knows of it. */
    ManualMoves.Undo undo(boolean isForced) {
        return ManualMoves.undo(watcher.view(), watcher.history(), past, isForced, System.nanoTime());
    }

    /** Whether an operator's move may be made now. */
    Decision judge(Wish wish) {
        return ManualMoves.decide(watcher.view(), watcher.history(), policy(), wish, System.nanoTime());
    }

    String prediction(Decision.Move move) {
        return ManualMoves.prediction(watcher.history(), move.from(), move.node());
    }

    /** Makes an operator's move; {@code answer} is completed when it has ended, or is not to be. */
    void begin(Wish wish, Decision.Move move, CompletableFuture<Answer> answer) {
        if (!mover.isIdle()) {
            answer.complete(Operations.refused(StayReason.MOVE_IN_FLIGHT, "this agent watches over another move"));
            return;
        }
        manual = new ManualMove(wish, answer, System.nanoTime());
        feed(new MoverEvent.Begin(move));
    }

    /** Lets everybody look now, because operators have told something. */
    void announceNotes() {
        state.announce();
    }

    /** Renews the lease when due. */
    void tick() {
        feed(new MoverEvent.Tick());
    }

    /** Lets go of the lock; the victim goes on by itself. */
    void stop() {
        feed(new MoverEvent.Stop());
    }

    private void feed(MoverEvent first) {
        Deque<MoverEvent> events = new ArrayDeque<>();
        events.add(first);
        while (!events.isEmpty()) {
            for (MoverEffect effect : mover.on(events.remove(), System.nanoTime())) {
                carryOut(effect).ifPresent(events::add);
            }
        }
    }

    private Optional<MoverEvent> carryOut(MoverEffect effect) {
        return switch (effect) {
            case MoverEffect.TryLock(var sites) -> Optional.of(tryLock(sites));
            case MoverEffect.Fence(var sites) -> Optional.of(fence(sites));
            case MoverEffect.LookAgain(SiteId receiver, var movable) -> Optional.of(lookAgain(receiver, movable));
            case MoverEffect.Order order ->
                Optional.of(
                        new MoverEvent.Answered(state.compareAndSetRole(order.node(), order.expected(), order.next())));
            case MoverEffect.Announce _ -> {
                state.announce();
                yield Optional.empty();
            }
            case MoverEffect.Renew _ -> Optional.of(new MoverEvent.Renewed(renew()));
            case MoverEffect.Release _ -> {
                release();
                yield Optional.empty();
            }
            case MoverEffect.Ordered ordered -> {
                narrator.decided(ordered.move());
                narrator.ordered(ordered.move(), ordered.word());
                yield Optional.empty();
            }
            case MoverEffect.Finished finished -> {
                finished(finished);
                yield Optional.empty();
            }
        };
    }

    /** The lowest id first, as all movers do; one that is not to be had gives the others back. */
    private MoverEvent tryLock(List<SiteId> sites) {
        for (SiteId site : sites) {
            switch (state.tryAcquireMoveLock(site)) {
                case LockOutcome.Acquired(MoveLease acquired) -> {
                    leases.put(site, acquired);
                    isHolding = true;
                }
                case LockOutcome.Held held -> {
                    release();
                    return new MoverEvent.LockHeld(held.holder());
                }
                case LockOutcome.Unavailable(String reason) -> {
                    release();
                    return new MoverEvent.LockUnavailable(reason);
                }
            }
        }
        return new MoverEvent.LockAcquired();
    }

    /** A node that two sites may change, such as a spare one, is fenced for the first of them. */
    private MoverEvent fence(List<SiteId> sites) {
        Map<NodeId, RoleWord> fenced = new HashMap<>();
        for (SiteId site : sites) {
            Map<NodeId, RoleWord> movable = new HashMap<>(watcher.view().movable(site));
            movable.keySet().removeAll(fenced.keySet());
            fenced.putAll(state.fence(held(site), movable));
        }
        return new MoverEvent.Fenced(fenced);
    }

    private MoverEvent lookAgain(SiteId receiver, Set<NodeId> movable) {
        SiteConfig site = config().site(receiver).orElseThrow();
        watcher.look();
        ManualMove ordered = manual;
        Decision again = ordered == null ? decideUnlessPaused(site, policy().movingOnly(movable)) : judge(ordered.wish);
        return new MoverEvent.LookedAgain(
                watcher.view(), again, leases.values().stream().allMatch(MoveLease::isSafe));
    }

    private MoveLease held(SiteId site) {
        MoveLease lease = leases.get(site);
        if (lease == null) {
            throw new IllegalStateException("the mover acts without the lock of " + site);
        }
        return lease;
    }

    private boolean renew() {
        boolean isEveryOneHeld = !leases.isEmpty();
        for (MoveLease lease : leases.values()) {
            isEveryOneHeld &= lease.renew();
        }
        return isEveryOneHeld;
    }

    private void release() {
        leases.values().forEach(MoveLease::release);
        leases.clear();
        isHolding = false;
    }

    private void finished(MoverEffect.Finished finished) {
        StayReason refusal = finished.refusal();
        ManualMove ended = manual;
        if (ended != null) {
            manual = null;
            ended.answer.complete(answer(finished, ended));
        }
        if (refusal == StayReason.VIEW_WAS_OLD) {
            metrics.count(AgentMetric.CAS_CONFLICTS);
        }
        if (refusal != null && ended == null) {
            narrator.decided(Decision.stay(finished.move().site(), refusal, finished.detail()));
        } else if (refusal == null && finished.result() != MoverResult.COMPLETED) {
            LOG.warn(
                    "{}: the move of {} to {} ended as {} {}",
                    config().node(state.self()).name(),
                    config().node(finished.move().node()).name(),
                    RoleText.of(finished.move().to(), config()),
                    finished.result(),
                    finished.detail());
        }
    }

    private Answer answer(MoverEffect.Finished finished, ManualMove ended) {
        StayReason refusal = finished.refusal();
        if (refusal != null) {
            return Operations.refused(refusal, finished.detail());
        }
        Answer answer = Answer.of(
                switch (finished.result()) {
                    case COMPLETED -> Answer.Outcome.DONE;
                    case ROLLED_BACK -> Answer.Outcome.ROLLED_BACK;
                    case TIMED_OUT, ORDER_UNRESOLVED -> Answer.Outcome.TIMED_OUT;
                    case LEASE_LOST -> Answer.Outcome.NO_LOCK;
                    case NOT_ORDERED, VICTIM_DEAD, AGENT_LEFT -> Answer.Outcome.FAILED;
                });
        answer.body()
                .put("node", config().node(finished.move().node()).name())
                .put("from", RoleText.of(finished.move().from(), config()))
                .put("to", RoleText.of(finished.move().to(), config()))
                .put("ended_as", finished.result().name().toLowerCase(Locale.ROOT))
                .put("seconds", (System.nanoTime() - ended.begunNanos) / NANOS_PER_SECOND);
        return answer;
    }
}
