package dev.retier.agent.move;

import dev.retier.agent.decide.Decision;
import dev.retier.agent.decide.StayReason;
import dev.retier.agent.view.ClusterView;
import dev.retier.agent.view.NodeView;
import dev.retier.link.NodeId;
import dev.retier.state.CasOutcome;
import dev.retier.state.Epochs;
import dev.retier.state.RoleWord;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The node that orders a move: takes the lock, fences earlier holders off, looks again, orders, and keeps the lock
 * until the victim is done. The order expects the word that the fence left, so the late order of an earlier holder,
 * which expects an older one, changes nothing. A node that changes its site needs the locks of both, taken in the order
 * of their ids, so that two movers never wait for each other.
 *
 * <pre>
 *        Begin          LockAcquired         Fenced         LookedAgain(Move)
 *   IDLE -----> LOCKING ------------> FENCING -----> LOOKING ---------------> ORDERING
 *    ^             |                                    |                     |      |
 *    |  LockHeld,  |                  LookedAgain(Stay) |   Lost, Unreachable |      | Won, Unresolved
 *    +-LockUnavail-+------------------------------------+---------------------+      v
 *    |                                                                            WATCHING
 *    +--------- victim active, rolled back or dead; lease lost; too long; Stop ------+
 *
 *   state     | event              | effects                      | next
 *   ----------+--------------------+------------------------------+----------
 *   IDLE      | Begin              | TryLock                      | LOCKING
 *   LOCKING   | LockAcquired       | Fence                        | FENCING
 *   LOCKING   | LockHeld, -Unav.   | Finished                     | IDLE
 *   FENCING   | Fenced             | LookAgain                    | LOOKING
 *   LOOKING   | LookedAgain(Move)  | Order                        | ORDERING
 *   LOOKING   | LookedAgain(Stay), | Release, Finished            | IDLE
 *             |  or lease unsafe   |                              |
 *   ORDERING  | Won                | Announce, Ordered            | WATCHING
 *   ORDERING  | Lost, Malformed,   | Release, Finished            | IDLE
 *             |  Unreachable       |                              |
 *   ORDERING  | Unresolved         | -                            | WATCHING, unconfirmed
 *   WATCHING  | Looked(word seen)  | Announce, Ordered (1st time) | WATCHING, confirmed
 *   WATCHING  | Tick               | Renew, a third of a lease on | WATCHING
 *   WATCHING  | Looked(ended),     | Release, Finished            | IDLE
 *             |  Renewed(no)       |                              |
 *   WATCHING  | Tick, a lease on & | Release, Finished            | IDLE
 *             |  unconfirmed, or   |                              |
 *             |  past patience     |                              |
 *   FENCING   | Stop               | Release, Finished            | IDLE
 *   and later |                    |                              |
 * </pre>
 *
 * <p>Events that a state has no line for change nothing. Not thread-safe.
 */
public final class Mover {
    /** A lease is renewed when a third of it has gone, so that two renewals may fail before it ends. */
    private static final int RENEWALS_PER_LEASE = 3;

    private enum State {
        IDLE,
        LOCKING,
        FENCING,
        LOOKING,
        ORDERING,
        WATCHING
    }

    private final long leaseNanos;
    private final long patienceNanos;
    private final Epochs epochs;
    private State state = State.IDLE;
    private Decision.@Nullable Move move;
    private @Nullable RoleWord order;
    private boolean isConfirmed;
    private Map<NodeId, RoleWord> fenced = Map.of();
    private long orderedAtNanos;
    private long renewedAtNanos;

    /**
     * An idle mover.
     *
     * @param lease of the move lock
     * @param patience the longest that a victim may take, all its deadlines together
     * @param epochs of the cluster
     */
    public Mover(Duration lease, Duration patience, Epochs epochs) {
        this.epochs = epochs;
        this.leaseNanos = lease.toNanos();
        this.patienceNanos = patience.toNanos();
    }

    /** Whether it can begin. */
    public boolean isIdle() {
        return state == State.IDLE;
    }

    /** Whether it has ordered a move and waits for its end. */
    public boolean isWatching() {
        return state == State.WATCHING;
    }

    /** Takes in one event and says what to do now, in this order. */
    public List<MoverEffect> on(MoverEvent event, long nowNanos) {
        return switch (event) {
            case MoverEvent.Begin(Decision.Move wanted) -> begin(wanted);
            case MoverEvent.LockAcquired _ -> lockAcquired(nowNanos);
            case MoverEvent.Fenced(var words) -> fenced(words);
            case MoverEvent.LockHeld(var holder) -> lockRefused(StayReason.LOCK_HELD, "by " + holder);
            case MoverEvent.LockUnavailable(String reason) -> lockRefused(StayReason.LOCK_UNAVAILABLE, reason);
            case MoverEvent.LookedAgain again -> lookedAgain(again);
            case MoverEvent.Answered(CasOutcome outcome) -> answered(outcome, nowNanos);
            case MoverEvent.Looked(ClusterView view) -> looked(view);
            case MoverEvent.Renewed(boolean isHeld) -> renewed(isHeld, nowNanos);
            case MoverEvent.Tick _ -> tick(nowNanos);
            case MoverEvent.Stop _ -> stop();
        };
    }

    private List<MoverEffect> begin(Decision.Move wanted) {
        if (state != State.IDLE) {
            return List.of();
        }
        move = wanted;
        state = State.LOCKING;
        return List.of(new MoverEffect.TryLock(wanted.sites()));
    }

    private List<MoverEffect> lockAcquired(long nowNanos) {
        if (state != State.LOCKING) {
            return List.of();
        }
        renewedAtNanos = nowNanos;
        state = State.FENCING;
        return List.of(new MoverEffect.Fence(required(move).sites()));
    }

    private List<MoverEffect> fenced(Map<NodeId, RoleWord> words) {
        if (state != State.FENCING) {
            return List.of();
        }
        fenced = Map.copyOf(words);
        state = State.LOOKING;
        return List.of(new MoverEffect.LookAgain(required(move).site(), fenced.keySet()));
    }

    private List<MoverEffect> lockRefused(StayReason reason, String detail) {
        return state == State.LOCKING ? List.of(finished(MoverResult.NOT_ORDERED, reason, detail)) : List.of();
    }

    private List<MoverEffect> lookedAgain(MoverEvent.LookedAgain again) {
        if (state != State.LOOKING) {
            return List.of();
        }
        return switch (again.decision()) {
            case Decision.Stay stay -> giveUp(stay.reason(), stay.detail());
            case Decision.Move _ when !again.isLeaseSafe() -> giveUp(StayReason.LEASE_ENDED, "before the order");
            case Decision.Move fresh -> order(fresh, again.view());
        };
    }

    /** Orders on fresh data: another node, or the other way, if that is what it shows now. */
    private List<MoverEffect> order(Decision.Move fresh, ClusterView view) {
        RoleWord expected = fenced.get(fresh.node());
        long epoch = epochs.next(fresh.site(), view.maxEpoch());
        if (expected == null || epoch > RoleWord.MAX_EPOCH) {
            return giveUp(StayReason.ORDER_NOT_SENT, expected == null ? "the fence missed it" : "no epoch is left");
        }
        Optional<RoleWord> seen = view.word(fresh.node());
        if (!seen.equals(Optional.of(expected))) {
            return giveUp(
                    StayReason.VIEW_WAS_OLD,
                    "it is " + seen.map(RoleWord::toString).orElse("unknown"));
        }
        if (!required(move).sites().containsAll(fresh.sites())) {
            return giveUp(StayReason.VIEW_WAS_OLD, "it has come to another site, whose lock is not held");
        }
        RoleWord next = expected.ordered(epoch, expected.fence(), fresh.to());
        move = fresh;
        order = next;
        isConfirmed = false;
        state = State.ORDERING;
        return List.of(new MoverEffect.Order(fresh, expected, next));
    }

    private List<MoverEffect> answered(CasOutcome outcome, long nowNanos) {
        if (state != State.ORDERING) {
            return List.of();
        }
        return switch (outcome) {
            case CasOutcome.Lost(RoleWord actual) -> giveUp(StayReason.VIEW_WAS_OLD, "it is " + actual);
            case CasOutcome.Malformed(long bits) ->
                giveUp(StayReason.VIEW_WAS_OLD, "its role word is malformed: " + Long.toHexString(bits));
            case CasOutcome.Unreachable(String reason) -> giveUp(StayReason.ORDER_NOT_SENT, reason);
            case CasOutcome.Won _ -> {
                watch(nowNanos);
                yield confirm();
            }
            case CasOutcome.Unresolved _ -> {
                watch(nowNanos);
                yield List.of();
            }
        };
    }

    private void watch(long nowNanos) {
        state = State.WATCHING;
        orderedAtNanos = nowNanos;
    }

    private List<MoverEffect> confirm() {
        RoleWord word = required(order);
        isConfirmed = true;
        return List.of(new MoverEffect.Announce(), new MoverEffect.Ordered(required(move), word));
    }

    private List<MoverEffect> looked(ClusterView view) {
        if (state != State.WATCHING) {
            return List.of();
        }
        RoleWord word = required(order);
        NodeView victim = view.nodes().get(required(move).node());
        if (victim instanceof NodeView.Silent silent && silent.isDead()) {
            return end(MoverResult.VICTIM_DEAD, silent.reason().name());
        }
        if (!(victim instanceof NodeView.Known known) || known.word().epoch() < word.epoch()) {
            return List.of();
        }
        if (known.word().equals(word)) {
            return isConfirmed ? List.of() : confirm();
        }
        boolean isDone = known.word().to().equals(word.to());
        return end(isDone ? MoverResult.COMPLETED : MoverResult.ROLLED_BACK, "");
    }

    private List<MoverEffect> renewed(boolean isHeld, long nowNanos) {
        if (state != State.WATCHING) {
            return List.of();
        }
        renewedAtNanos = nowNanos;
        return isHeld ? List.of() : end(MoverResult.LEASE_LOST, "");
    }

    private List<MoverEffect> tick(long nowNanos) {
        if (state != State.WATCHING) {
            return List.of();
        }
        if (!isConfirmed && nowNanos - orderedAtNanos >= leaseNanos) {
            return end(MoverResult.ORDER_UNRESOLVED, "");
        }
        if (nowNanos - orderedAtNanos >= patienceNanos) {
            return end(MoverResult.TIMED_OUT, "");
        }
        boolean isDue = nowNanos - renewedAtNanos >= leaseNanos / RENEWALS_PER_LEASE;
        return isDue ? List.of(new MoverEffect.Renew()) : List.of();
    }

    private List<MoverEffect> stop() {
        return switch (state) {
            case IDLE, LOCKING -> List.of();
            case FENCING, LOOKING, ORDERING, WATCHING -> end(MoverResult.AGENT_LEFT, "");
        };
    }

    private List<MoverEffect> giveUp(StayReason reason, String detail) {
        return List.of(new MoverEffect.Release(), finished(MoverResult.NOT_ORDERED, reason, detail));
    }

    private List<MoverEffect> end(MoverResult result, String detail) {
        return List.of(new MoverEffect.Release(), finished(result, null, detail));
    }

    private MoverEffect finished(MoverResult result, @Nullable StayReason refusal, String detail) {
        Decision.Move ended = required(move);
        state = State.IDLE;
        move = null;
        order = null;
        return new MoverEffect.Finished(ended, result, refusal, detail);
    }

    private static <T> T required(@Nullable T value) {
        if (value == null) {
            throw new IllegalStateException("a mover that is not idle has a move and an order");
        }
        return value;
    }
}
