package dev.retier.agent.move;

import dev.retier.agent.decide.Decision;
import dev.retier.agent.decide.StayReason;
import dev.retier.agent.view.ClusterView;
import dev.retier.agent.view.NodeView;
import dev.retier.link.NodeId;
import dev.retier.state.CasOutcome;
import dev.retier.state.Epochs;
import dev.retier.state.RoleWord;
import dev.retier.state.SiteId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The node that orders a change: takes the lock, fences earlier holders off, looks again, orders as many nodes as may
 * move at once, and keeps the lock until all of these are done; then it looks again and orders the next ones, until the
 * change is made. An order expects the word that the fence left, so the late order of an earlier holder, which expects
 * an older one, changes nothing. A change that concerns several sites needs the locks of all, taken in the order of
 * their ids, so that two movers never wait for each other. A node that fails to move goes back alone; what was to
 * follow is given up then.
 *
 * <pre>
 *        Begin          LockAcquired         Fenced         LookedAgain(Change)
 *   IDLE -----> LOCKING ------------> FENCING -----> LOOKING ---------------> ORDERING
 *    ^             |                                  |  ^                    |      |
 *    |  LockHeld,  |                LookedAgain(Stay) |  | all have succeeded |      | one or more: Won, Unresolved
 *    +-LockUnavail-+----------------------------------+  | and more is left   |      v
 *    |             none was won                          |                    |  WATCHING
 *    +---------------------------------------------------+--------------------+      |
 *    +--------- every node active, rolled back or dead; lease lost; too long; Stop --+
 *
 *   state     | event              | effects                       | next
 *   ----------+--------------------+-------------------------------+----------
 *   IDLE      | Begin              | TryLock                       | LOCKING
 *   LOCKING   | LockAcquired       | Fence                         | FENCING
 *   LOCKING   | LockHeld, -Unav.   | Finished(all)                 | IDLE
 *   FENCING   | Fenced             | LookAgain                     | LOOKING
 *   LOOKING   | LookedAgain(Change)| Order(first wave)             | ORDERING
 *   LOOKING   | LookedAgain(Stay), | Release, Finished(all left)   | IDLE
 *             |  or lease unsafe   |                               |
 *   ORDERING  | Answered           | Wake, Ordered(each won),      | WATCHING
 *             |                    |  Finished(each that was not)  |
 *   ORDERING  | Answered: none won | Release, Finished(all left)   | IDLE
 *             |  or unresolved     |                               |
 *   WATCHING  | Looked(word seen)  | Wake, Ordered (1st time)      | WATCHING, confirmed
 *   WATCHING  | Tick               | Renew, a third of a lease on  | WATCHING
 *   WATCHING  | Looked(one ended)  | Finished(it)                  | WATCHING
 *   WATCHING  | Looked(last ended):| LookAgain(rest)               | LOOKING
 *             |  all succeeded and |                               |
 *             |  more is left      |                               |
 *   WATCHING  | Looked(last ended),| Release, Finished             | IDLE
 *             |  Renewed(no)       |                               |
 *   WATCHING  | Tick, a lease on & | Finished(it)                  | WATCHING, or IDLE
 *             |  unconfirmed, or   |                               |
 *             |  past patience     |                               |
 *   FENCING   | Stop               | Release, Finished(all left)   | IDLE
 *   and later |                    |                               |
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
    private Decision.@Nullable Change change;
    private List<SiteId> locked = List.of();
    private Map<NodeId, RoleWord> fenced = Map.of();
    private List<MoverEffect.Ordering> orders = List.of();
    private final Map<NodeId, Watched> watched = new TreeMap<>();
    private boolean haveAllSucceeded;
    private long orderedAtNanos;
    private long renewedAtNanos;

    /** A node that was ordered to move. */
    private record Watched(MoverEffect.Ordering sent, boolean isConfirmed) {
        Decision.Move move() {
            return sent.move();
        }

        RoleWord word() {
            return sent.next();
        }

        /** An order that was won is there until its node ends it, or loses its memory before it was on disk. */
        boolean isForgotten(RoleWord now) {
            return isConfirmed && now.epoch() < word().epoch() && !now.equals(sent.expected());
        }
    }

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

    /** Whether it has ordered moves and waits for their end. */
    public boolean isWatching() {
        return state == State.WATCHING;
    }

    /** Takes in one event and says what to do now, in this order. */
    public List<MoverEffect> on(MoverEvent event, long nowNanos) {
        return switch (event) {
            case MoverEvent.Begin(Decision.Change wanted) -> begin(wanted);
            case MoverEvent.LockAcquired _ -> lockAcquired(nowNanos);
            case MoverEvent.Fenced(var words) -> fenced(words);
            case MoverEvent.LockHeld(var holder) -> lockRefused(StayReason.LOCK_HELD, "by " + holder);
            case MoverEvent.LockUnavailable(String reason) -> lockRefused(StayReason.LOCK_UNAVAILABLE, reason);
            case MoverEvent.LookedAgain again -> lookedAgain(again);
            case MoverEvent.Answered(var outcomes) -> answered(outcomes, nowNanos);
            case MoverEvent.Looked(ClusterView view) -> looked(view);
            case MoverEvent.Renewed(boolean isHeld) -> renewed(isHeld, nowNanos);
            case MoverEvent.Tick _ -> tick(nowNanos);
            case MoverEvent.Stop _ -> stop();
        };
    }

    private List<MoverEffect> begin(Decision.Change wanted) {
        if (state != State.IDLE) {
            return List.of();
        }
        change = wanted;
        locked = wanted.sites();
        state = State.LOCKING;
        return List.of(new MoverEffect.TryLock(locked));
    }

    private List<MoverEffect> lockAcquired(long nowNanos) {
        if (state != State.LOCKING) {
            return List.of();
        }
        renewedAtNanos = nowNanos;
        state = State.FENCING;
        return List.of(new MoverEffect.Fence(locked));
    }

    private List<MoverEffect> fenced(Map<NodeId, RoleWord> words) {
        if (state != State.FENCING) {
            return List.of();
        }
        fenced = Map.copyOf(words);
        state = State.LOOKING;
        return List.of(new MoverEffect.LookAgain(change().site(), fenced.keySet(), null));
    }

    private List<MoverEffect> lockRefused(StayReason reason, String detail) {
        return state == State.LOCKING ? List.of(notOrdered(reason, detail)) : List.of();
    }

    private List<MoverEffect> lookedAgain(MoverEvent.LookedAgain again) {
        if (state != State.LOOKING) {
            return List.of();
        }
        return switch (again.decision()) {
            case Decision.Stay stay -> giveUp(stay.reason(), stay.detail());
            case Decision.Change _ when !again.isLeaseSafe() -> giveUp(StayReason.LEASE_ENDED, "before the order");
            case Decision.Change fresh -> order(fresh, again.view());
        };
    }

    /** Orders on fresh data: other nodes, or the other way, if that is what it shows now. */
    private List<MoverEffect> order(Decision.Change fresh, ClusterView view) {
        if (!locked.containsAll(fresh.sites())) {
            return giveUp(StayReason.VIEW_WAS_OLD, "it has come to another site, whose lock is not held");
        }
        List<Decision.Move> wave = fresh.waves().getFirst();
        List<MoverEffect.Ordering> next = new ArrayList<>();
        long epoch = epochs.next(fresh.site(), view.maxEpoch());
        for (Decision.Move move : wave) {
            RoleWord expected = fenced.get(move.node());
            if (expected == null || epoch > RoleWord.MAX_EPOCH) {
                return giveUp(StayReason.ORDER_NOT_SENT, expected == null ? "the fence missed it" : "no epoch is left");
            }
            Optional<RoleWord> seen = view.word(move.node());
            if (!seen.equals(Optional.of(expected))) {
                String now = seen.map(RoleWord::toString).orElse("unknown");
                return giveUp(StayReason.VIEW_WAS_OLD, "it is " + now);
            }
            RoleWord order = expected.ordered(epoch, expected.fence(), move.to())
                    .inBatch(!next.isEmpty(), next.size() + 1 < wave.size());
            next.add(new MoverEffect.Ordering(move, expected, order));
            epoch = epochs.after(epoch);
        }
        change = fresh;
        orders = List.copyOf(next);
        state = State.ORDERING;
        return List.of(new MoverEffect.Order(fresh, orders));
    }

    private List<MoverEffect> answered(Map<NodeId, CasOutcome> outcomes, long nowNanos) {
        if (state != State.ORDERING) {
            return List.of();
        }
        List<MoverEffect> told = new ArrayList<>();
        haveAllSucceeded = true;
        for (MoverEffect.Ordering sent : orders) {
            NodeId node = sent.move().node();
            switch (outcomes.getOrDefault(node, new CasOutcome.Unresolved("no answer"))) {
                case CasOutcome.Won _ -> {
                    watched.put(node, new Watched(sent, true));
                    told.add(new MoverEffect.Ordered(sent.move(), sent.next()));
                }
                case CasOutcome.Unresolved _ -> watched.put(node, new Watched(sent, false));
                case CasOutcome.Lost(RoleWord actual) ->
                    told.add(notOrdered(sent, StayReason.VIEW_WAS_OLD, "it is " + actual));
                case CasOutcome.Malformed(long bits) ->
                    told.add(notOrdered(
                            sent, StayReason.VIEW_WAS_OLD, "its role word is malformed: " + Long.toHexString(bits)));
                case CasOutcome.Unreachable(String reason) ->
                    told.add(notOrdered(sent, StayReason.ORDER_NOT_SENT, reason));
            }
        }
        if (watched.values().stream().anyMatch(Watched::isConfirmed)) {
            told.addFirst(new MoverEffect.Wake(new TreeSet<>(watched.keySet())));
        }
        state = State.WATCHING;
        orderedAtNanos = nowNanos;
        return watched.isEmpty() ? end(told) : told;
    }

    private MoverEffect notOrdered(MoverEffect.Ordering sent, StayReason reason, String detail) {
        haveAllSucceeded = false;
        return new MoverEffect.Finished(change().site(), List.of(sent.move()), MoverResult.NOT_ORDERED, reason, detail);
    }

    private List<MoverEffect> looked(ClusterView view) {
        if (state != State.WATCHING) {
            return List.of();
        }
        List<MoverEffect> told = new ArrayList<>();
        for (Watched one : List.copyOf(watched.values())) {
            looked(one, view.nodes().get(one.move().node()), told);
        }
        return watched.isEmpty() ? goOn(told) : told;
    }

    private void looked(Watched one, @Nullable NodeView victim, List<MoverEffect> told) {
        if (victim instanceof NodeView.Silent silent && silent.isDead()) {
            told.add(ended(one, MoverResult.VICTIM_DEAD, silent.reason().name()));
        } else if (victim instanceof NodeView.Known known && one.isForgotten(known.word())) {
            told.add(ended(one, MoverResult.ROLLED_BACK, "its agent has started anew and does not know the order"));
        } else if (victim instanceof NodeView.Known known
                && known.word().epoch() >= one.word().epoch()) {
            if (!known.word().equals(one.word())) {
                boolean isDone = known.word().to().equals(one.word().to());
                told.add(ended(one, isDone ? MoverResult.COMPLETED : MoverResult.ROLLED_BACK, ""));
            } else if (!one.isConfirmed) {
                watched.put(one.move().node(), new Watched(one.sent, true));
                told.add(new MoverEffect.Wake(Set.of(one.move().node())));
                told.add(new MoverEffect.Ordered(one.move(), one.word()));
            }
        }
    }

    private MoverEffect ended(Watched one, MoverResult result, String detail) {
        watched.remove(one.move().node());
        haveAllSucceeded &= result == MoverResult.COMPLETED;
        return new MoverEffect.Finished(change().site(), List.of(one.move()), result, null, detail);
    }

    /** What was planned to follow is made if all is well, under the same lock and the same fence. */
    private List<MoverEffect> goOn(List<MoverEffect> told) {
        Decision.Change made = change();
        if (!haveAllSucceeded || made.waves().size() == 1) {
            return end(told);
        }
        List<List<Decision.Move>> left = made.waves().subList(1, made.waves().size());
        Decision.Change rest = new Decision.Change(made.site(), left, made.reason(), made.detail());
        change = rest;
        orders = List.of();
        state = State.LOOKING;
        told.add(new MoverEffect.LookAgain(rest.site(), fenced.keySet(), rest));
        return told;
    }

    private List<MoverEffect> renewed(boolean isHeld, long nowNanos) {
        if (state != State.WATCHING) {
            return List.of();
        }
        renewedAtNanos = nowNanos;
        return isHeld ? List.of() : endAll(MoverResult.LEASE_LOST);
    }

    private List<MoverEffect> tick(long nowNanos) {
        if (state != State.WATCHING) {
            return List.of();
        }
        long elapsedNanos = nowNanos - orderedAtNanos;
        List<MoverEffect> told = new ArrayList<>();
        for (Watched one : List.copyOf(watched.values())) {
            if (!one.isConfirmed && elapsedNanos >= leaseNanos) {
                told.add(ended(one, MoverResult.ORDER_UNRESOLVED, ""));
            } else if (elapsedNanos >= patienceNanos) {
                told.add(ended(one, MoverResult.TIMED_OUT, ""));
            }
        }
        if (watched.isEmpty()) {
            return end(told);
        }
        if (nowNanos - renewedAtNanos >= leaseNanos / RENEWALS_PER_LEASE) {
            told.add(new MoverEffect.Renew());
        }
        return told;
    }

    private List<MoverEffect> stop() {
        return switch (state) {
            case IDLE, LOCKING -> List.of();
            case FENCING, LOOKING, ORDERING, WATCHING -> endAll(MoverResult.AGENT_LEFT);
        };
    }

    private List<MoverEffect> giveUp(StayReason reason, String detail) {
        return List.of(new MoverEffect.Release(), notOrdered(reason, detail));
    }

    /** Nothing of what is left of the change is ordered. */
    private MoverEffect notOrdered(StayReason reason, String detail) {
        Decision.Change left = change();
        clear();
        return new MoverEffect.Finished(left.site(), left.moves(), MoverResult.NOT_ORDERED, reason, detail);
    }

    /** Of what is under way, and of what was about to be ordered. */
    private List<MoverEffect> endAll(MoverResult result) {
        List<MoverEffect> told = new ArrayList<>();
        List.copyOf(watched.values()).forEach(one -> told.add(ended(one, result, "")));
        if (state != State.WATCHING) {
            Decision.Change left = change();
            told.add(new MoverEffect.Finished(left.site(), left.moves(), result, null, ""));
            clear();
            told.addFirst(new MoverEffect.Release());
            return told;
        }
        return end(told);
    }

    /** Nothing is under way any more; what was to follow is not made. */
    private List<MoverEffect> end(List<MoverEffect> told) {
        Decision.Change ended = change();
        List<Decision.Move> left =
                ended.waves().stream().skip(1).flatMap(List::stream).toList();
        List<MoverEffect> effects = new ArrayList<>(told);
        effects.addFirst(new MoverEffect.Release());
        if (!left.isEmpty()) {
            effects.add(
                    new MoverEffect.Finished(ended.site(), left, MoverResult.NOT_ORDERED, StayReason.PLAN_BROKEN, ""));
        }
        clear();
        return effects;
    }

    private void clear() {
        state = State.IDLE;
        change = null;
        orders = List.of();
        watched.clear();
    }

    private Decision.Change change() {
        return Objects.requireNonNull(change, "a mover that is not idle has a change");
    }
}
