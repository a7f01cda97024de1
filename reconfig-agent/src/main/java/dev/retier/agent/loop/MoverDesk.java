package dev.retier.agent.loop;

import dev.retier.agent.command.Answer;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.decide.Decider;
import dev.retier.agent.decide.Decision;
import dev.retier.agent.decide.Initiator;
import dev.retier.agent.decide.ManualMoves;
import dev.retier.agent.decide.ManualMoves.Wish;
import dev.retier.agent.decide.Planned;
import dev.retier.agent.decide.Policy;
import dev.retier.agent.decide.StayReason;
import dev.retier.agent.move.Mover;
import dev.retier.agent.move.MoverEffect;
import dev.retier.agent.move.MoverEvent;
import dev.retier.agent.move.MoverResult;
import dev.retier.agent.render.RoleFile;
import dev.retier.agent.view.RoleText;
import dev.retier.link.NodeId;
import dev.retier.state.RoleWord;
import dev.retier.state.SiteId;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides after each look, tells the {@link Mover} what it learns, and passes on what it wants. While one of its
 * effects waits for its answer the loop waits too. Owned by the loop.
 */
final class MoverDesk<F extends RoleFile> {
    private static final double NANOS_PER_SECOND = 1e9;

    private final Scene<F> scene;
    private final Pauses<F> pauses;
    private final ShadowDesk<F> shadow;
    private Mover mover;
    private Duration longestMove;
    private @Nullable Manual manual;
    private MoverEffect.@Nullable LookAgain looking;
    private Decision.@Nullable Change ordering;
    private @Nullable RoleWord lastOrder;
    private final Deque<SiteId> locksLeft = new ArrayDeque<>();
    private boolean isWaiting;
    private boolean isHolding;
    private boolean isStopping;

    /** An operator's move under way. */
    private record Manual(Wish wish, long ticket, long begunNanos) {}

    MoverDesk(Scene<F> scene, Pauses<F> pauses, ShadowDesk<F> shadow) {
        this.scene = scene;
        this.pauses = pauses;
        this.shadow = shadow;
        this.longestMove = scene.config().longestMove();
        this.mover = newMover();
    }

    private Mover newMover() {
        return new Mover(
                scene.config().timing().lease(), longestMove, scene.config().epochs());
    }

    /** Whether an answer is awaited, without which nothing goes on. */
    boolean isWaiting() {
        return isWaiting;
    }

    /** Whether the answer that is awaited is a look. */
    boolean isLooking() {
        return looking != null;
    }

    /** Whether a move that this node ordered is under way. */
    boolean isWatching() {
        return mover.isWatching();
    }

    /** Whether this node holds a move lock. */
    boolean isHolding() {
        return isHolding;
    }

    /**
     * After a look, piece by piece, as each may have to wait: goes on with the move that this node ordered, else
     * decides for each site, the highest priority first.
     */
    List<Runnable> looked() {
        if (!mover.isIdle()) {
            return glanced();
        }
        followRules();
        List<Runnable> pieces = new ArrayList<>();
        scene.policy().sites().forEach(site -> pieces.add(() -> decideFor(site)));
        return pieces;
    }

    /** After a look at some nodes, which decides nothing: goes on with the move that this node ordered. */
    List<Runnable> glanced() {
        return mover.isIdle()
                ? List.of()
                : List.of(() -> feed(new MoverEvent.Looked(scene.view())), () -> feed(new MoverEvent.Tick()));
    }

    /** A move goes by the rules that were in force when it began. */
    private void followRules() {
        if (!scene.config().longestMove().equals(longestMove)) {
            longestMove = scene.config().longestMove();
            mover = newMover();
        }
    }

    private void decideFor(SiteConfig site) {
        Decision decision = decideUnlessPaused(site, scene.policy());
        shadow.decided(site, decision);
        if (!(decision instanceof Decision.Change change)) {
            scene.tell(new Notice.Decided(decision));
        } else if (Initiator.mayMake(scene.self(), scene.view(), change)) {
            feed(new MoverEvent.Begin(change));
        } else {
            scene.tell(new Notice.Decided(Decision.stay(change.site(), StayReason.NOT_OUR_TIER, change.detail())));
        }
    }

    private Decision decideUnlessPaused(SiteConfig site, Policy obeyed) {
        return pauses.isPaused()
                ? Decision.stay(site.id(), StayReason.PAUSED, "of " + pauses.scope())
                : decide(site, obeyed);
    }

    /** What is decided now by {@code obeyed}. */
    Decision decide(SiteConfig site, Policy obeyed) {
        return Decider.decide(scene.view(), scene.history(), obeyed, site, scene.nowNanos());
    }

    /** Whether an operator's move may be made now. */
    Decision judge(Wish wish) {
        return ManualMoves.decide(scene.view(), scene.history(), scene.policy(), wish, scene.nowNanos());
    }

    /** Makes an operator's move; the answer to {@code ticket} is given when it has ended, or is not to be. */
    void begin(Wish wish, Decision.Change change, long ticket) {
        if (!mover.isIdle()) {
            reply(ticket, Answers.refused(StayReason.MOVE_IN_FLIGHT, "this agent watches over another move"));
            return;
        }
        manual = new Manual(wish, ticket, scene.nowNanos());
        feed(new MoverEvent.Begin(change));
    }

    /** Renews the lease when due. */
    void tick() {
        if (mover.isWatching() && !isWaiting) {
            feed(new MoverEvent.Tick());
        }
    }

    /** Lets go of the lock; the node that moves goes on by itself. */
    void stop() {
        isStopping = true;
        if (locksLeft.isEmpty()) {
            isWaiting = false;
            looking = null;
            feed(new MoverEvent.Stop());
        }
    }

    void locked(LoopEvent answer) {
        if (locksLeft.isEmpty()) {
            return;
        }
        isWaiting = false;
        switch (answer) {
            case LoopEvent.LockTaken _
            when isStopping -> notLocked(new MoverEvent.LockUnavailable("the agent is leaving"));
            case LoopEvent.LockTaken _ -> {
                isHolding = true;
                locksLeft.remove();
                if (locksLeft.isEmpty()) {
                    feed(new MoverEvent.LockAcquired());
                } else {
                    tryNext();
                }
            }
            case LoopEvent.LockHeld(NodeId holder) -> notLocked(new MoverEvent.LockHeld(holder));
            case LoopEvent.LockUnavailable(String reason) -> notLocked(new MoverEvent.LockUnavailable(reason));
            default -> throw new IllegalArgumentException(answer + " says nothing of a lock");
        }
    }

    /** The lowest id first, as all movers do; one that is not to be had gives the others back. */
    private void tryNext() {
        isWaiting = true;
        scene.emit(new LoopEffect.TryLock<>(Objects.requireNonNull(locksLeft.peek())));
    }

    private void notLocked(MoverEvent why) {
        locksLeft.clear();
        release();
        feed(why);
    }

    private void release() {
        isHolding = false;
        scene.emit(new LoopEffect.Release<>());
    }

    void fenced(LoopEvent.Fenced answer) {
        answered(new MoverEvent.Fenced(answer.words()));
    }

    void ordered(LoopEvent.Ordered answer) {
        answered(new MoverEvent.Answered(answer.outcomes()));
    }

    void renewed(LoopEvent.Renewed answer) {
        answered(new MoverEvent.Renewed(answer.isHeld()));
    }

    /** The second look, on which the order rests. */
    void lookedAgain(boolean isLeaseSafe) {
        MoverEffect.LookAgain wanted = looking;
        if (wanted == null) {
            return;
        }
        looking = null;
        answered(new MoverEvent.LookedAgain(scene.view(), decideAgain(wanted), isLeaseSafe));
    }

    private Decision decideAgain(MoverEffect.LookAgain wanted) {
        Manual ordered = manual;
        if (ordered != null) {
            return judge(ordered.wish);
        }
        Policy obeyed = scene.policy().movingOnly(wanted.movable());
        Decision.Change rest = wanted.rest();
        if (rest == null) {
            return decideUnlessPaused(scene.config().site(wanted.site()).orElseThrow(), obeyed);
        }
        return pauses.isPaused()
                ? Decision.stay(rest.site(), StayReason.PAUSED, "of " + pauses.scope())
                : Planned.decide(scene.view(), scene.history(), obeyed, rest, scene.nowNanos());
    }

    private void answered(MoverEvent event) {
        isWaiting = false;
        feed(event);
    }

    private void feed(MoverEvent event) {
        for (MoverEffect effect : mover.on(event, scene.nowNanos())) {
            carryOut(effect);
        }
    }

    private void carryOut(MoverEffect effect) {
        switch (effect) {
            case MoverEffect.TryLock(var sites) -> {
                locksLeft.addAll(sites);
                tryNext();
            }
            case MoverEffect.Fence(var sites) -> await(new LoopEffect.Fence<>(words(sites)));
            case MoverEffect.LookAgain again -> {
                looking = again;
                await(new LoopEffect.Look<>());
            }
            case MoverEffect.Order(Decision.Change change, var orders) -> {
                ordering = change;
                lastOrder = orders.getFirst().next();
                await(new LoopEffect.Order<>(orders));
            }
            case MoverEffect.Wake(var nodes) -> scene.emit(new LoopEffect.Wake<>(nodes));
            case MoverEffect.Renew _ -> await(new LoopEffect.Renew<>());
            case MoverEffect.Release _ -> release();
            case MoverEffect.Ordered(Decision.Move move, RoleWord word) -> {
                tellDecision();
                shadow.orderedByHand(move.node(), word);
                scene.tell(new Notice.MoveOrdered(move, word));
            }
            case MoverEffect.Finished finished -> finished(finished);
        }
    }

    /** Once, with the first order that stands. */
    private void tellDecision() {
        Decision.Change change = ordering;
        if (change != null) {
            ordering = null;
            scene.tell(new Notice.Decided(change));
        }
    }

    private void await(LoopEffect<F> effect) {
        isWaiting = true;
        scene.emit(effect);
    }

    /** A node that two sites may change, such as a spare one, is fenced for the first of them. */
    private List<LoopEffect.Fence.Words> words(List<SiteId> sites) {
        Set<NodeId> named = new HashSet<>();
        List<LoopEffect.Fence.Words> words = new ArrayList<>();
        for (SiteId site : sites) {
            Map<NodeId, RoleWord> seen = new HashMap<>(scene.view().movable(site));
            seen.keySet().removeAll(named);
            named.addAll(seen.keySet());
            words.add(new LoopEffect.Fence.Words(site, seen));
        }
        return words;
    }

    private void finished(MoverEffect.Finished finished) {
        Manual ended = manual;
        manual = null;
        Decision.Move first = finished.moves().getFirst();
        if (ended != null) {
            reply(finished, ended.ticket, first, answer(finished, first, ended));
        }
        StayReason refusal = finished.refusal();
        if (refusal != null && ended == null) {
            scene.tell(new Notice.Decided(Decision.stay(finished.site(), refusal, finished.detail())));
        }
        scene.tell(new Notice.MoveEnded(finished));
    }

    /** Why an order was undone its node alone knows. */
    private void reply(MoverEffect.Finished finished, long ticket, Decision.Move move, Answer answer) {
        RoleWord order = lastOrder;
        if (finished.result() == MoverResult.ROLLED_BACK && order != null) {
            scene.emit(new LoopEffect.Explain<>(ticket, answer, move.node(), order));
        } else {
            reply(ticket, answer);
        }
    }

    private void reply(long ticket, Answer answer) {
        scene.emit(new LoopEffect.Reply<>(ticket, answer));
    }

    private Answer answer(MoverEffect.Finished finished, Decision.Move move, Manual ended) {
        StayReason refusal = finished.refusal();
        if (refusal != null) {
            return Answers.refused(refusal, finished.detail());
        }
        ClusterConfig config = scene.config();
        Answer answer = Answer.of(
                switch (finished.result()) {
                    case COMPLETED -> Answer.Outcome.DONE;
                    case ROLLED_BACK -> Answer.Outcome.ROLLED_BACK;
                    case TIMED_OUT, ORDER_UNRESOLVED -> Answer.Outcome.TIMED_OUT;
                    case LEASE_LOST -> Answer.Outcome.NO_LOCK;
                    case NOT_ORDERED, VICTIM_DEAD, AGENT_LEFT -> Answer.Outcome.FAILED;
                });
        answer.body()
                .put("node", config.node(move.node()).name())
                .put("from", RoleText.of(move.from(), config))
                .put("to", RoleText.of(move.to(), config))
                .put("ended_as", finished.result().name().toLowerCase(Locale.ROOT))
                .put("seconds", (scene.nowNanos() - ended.begunNanos) / NANOS_PER_SECOND);
        if (finished.result() != MoverResult.COMPLETED) {
            answer.body()
                    .put("reason", finished.result().name())
                    .put("sentence", finished.result().sentence());
        }
        return answer;
    }
}
