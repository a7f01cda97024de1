package dev.retier.fabric.locks.protocol;

import dev.retier.link.LeaseTimes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * One node's part in a ticket lock. The lock is two words at its home: fetch-and-add on the one draws a ticket, the
 * other says whose turn it is. The threads of a node share one ticket and hand the lock over among themselves, a
 * bounded number of times; then the turn passes on.
 *
 * <pre>
 *   IDLE --request--> DRAWING --> WAITING --turn--> CLAIMING --> HELD --release--> PASSING --> IDLE
 *                                    '-- turn is past its ticket --> IDLE
 * </pre>
 *
 * <p>A holder beats while it holds. Whoever waits and has itself watched the turn word unchanged for a lease passes the
 * turn on: its owner is dead, or may not act any more, see {@link LeaseTimes}. A ticket that nobody wants any more is
 * passed on when its turn comes. What became of an operation without an answer is found out by looking, never by
 * repeating. A ticket of which this node does not know whether it was drawn is left to the others' patience.
 *
 * <p>Not thread-safe. One operation at a time: do what {@link #next} says, then {@link #done} or {@link #unknown}.
 */
public final class TicketLock {
    /** Hand-overs among the threads of one node in one turn: enough to spare most round trips, and fair to others. */
    public static final int MAX_HANDOVERS = 16;

    /** Bits of a token that count hand-overs. */
    private static final int HANDOVER_BITS = 10;

    private static final long FIRST_LOOK_NANOS = 50_000;
    private static final long LONGEST_LOOK_NANOS = 2_000_000;

    private final LeaseTimes lease;
    private final Queue<Long> wanted = new ArrayDeque<>();
    private final List<TicketGrant> grants = new ArrayList<>();
    private State state = State.IDLE;
    private boolean underWay;
    private long ticket;
    /** The life of the home in which the ticket was drawn. */
    private long life;
    /** The turn as last seen, and since when. */
    private @Nullable NowServing turn;

    private long turnSinceNanos;
    private long nextLookNanos;
    private long lookPauseNanos = FIRST_LOOK_NANOS;
    private long renewedNanos;
    private int handovers;
    private @Nullable TicketGrant holder;

    /**
     * What an operation found.
     *
     * @param life in which life of the home: the words of another life are other words
     */
    public record Found(long word, long life) {}

    private enum State {
        /** It has no ticket. */
        IDLE,
        /** The fetch-and-add is under way. */
        DRAWING,
        /** It has a ticket, and looks. */
        WAITING,
        /** It is its turn, and it makes it known. */
        CLAIMING,
        /** A thread of it may act, or the next is about to. */
        HELD,
        /** It gives its turn to the next ticket. */
        PASSING
    }

    /** A node that wants nothing. */
    public TicketLock(LeaseTimes lease) {
        this.lease = lease;
    }

    /** A thread wants the lock. */
    public void request(long request) {
        wanted.add(request);
    }

    /** A thread does not want the lock any more. Whether it had not got it before. */
    public boolean cancel(long request) {
        return wanted.remove(request);
    }

    /** The holder gives the lock up. Does nothing if it has lost it before. */
    public void release(TicketGrant grant, long nowNanos) {
        if (!grant.equals(holder)) {
            return;
        }
        holder = null;
        handOver(nowNanos);
    }

    /** Whether the holder of {@code grant} may still act. */
    public boolean isSafe(TicketGrant grant, long nowNanos) {
        return grant.equals(holder) && mayAct(nowNanos);
    }

    /** Locks won since the last call. */
    public List<TicketGrant> takeGrants() {
        List<TicketGrant> taken = List.copyOf(grants);
        grants.clear();
        return taken;
    }

    /** What to do now, if anything. */
    public Optional<LockOperation> next(long nowNanos) {
        if (underWay) {
            return Optional.empty();
        }
        Optional<LockOperation> operation = choose(nowNanos);
        underWay = operation.isPresent();
        return operation;
    }

    /** When to ask {@link #next} again although nothing has happened; nothing if something must happen first. */
    public OptionalLong wakeNanos() {
        if (underWay || (state == State.IDLE && wanted.isEmpty())) {
            return OptionalLong.empty();
        }
        boolean renews = state == State.HELD && turn != null;
        return OptionalLong.of(renews ? renewedNanos + lease.renewNanos() : nextLookNanos);
    }

    /**
     * The operation has ended.
     *
     * @param found what it found in its word
     * @param begunNanos when it was begun
     */
    public void done(LockOperation operation, Found found, long begunNanos, long nowNanos) {
        underWay = false;
        if (!(operation instanceof LockOperation.Draw) && found.life() != life) {
            loseTicket();
            return;
        }
        switch (operation) {
            case LockOperation.Draw _ -> {
                ticket = found.word();
                life = found.life();
                handovers = 0;
                await(nowNanos);
            }
            case LockOperation.Look _ -> saw(NowServing.decode(found.word()), nowNanos);
            case LockOperation.Swap swap -> {
                NowServing before = NowServing.decode(found.word());
                if (before.equals(swap.expected())) {
                    swapped(swap.next(), begunNanos, nowNanos);
                } else {
                    saw(before, nowNanos);
                }
            }
        }
    }

    /** Nobody knows whether the operation was or will be done. */
    public void unknown(long nowNanos) {
        underWay = false;
        switch (state) {
            case DRAWING -> {
                state = State.IDLE;
                nextLookNanos = nowNanos + LONGEST_LOOK_NANOS;
            }
            case HELD -> {
                // A renewal may have been done: only a look tells what to expect now.
                turn = null;
                nextLookNanos = nowNanos + LONGEST_LOOK_NANOS;
            }
            case WAITING, CLAIMING, PASSING -> await(nowNanos + LONGEST_LOOK_NANOS);
            case IDLE -> throw new IllegalStateException("no operation is under way");
        }
    }

    private Optional<LockOperation> choose(long nowNanos) {
        return switch (state) {
            case IDLE -> {
                if (wanted.isEmpty() || nowNanos - nextLookNanos < 0) {
                    yield Optional.empty();
                }
                state = State.DRAWING;
                yield Optional.of(new LockOperation.Draw());
            }
            case WAITING -> whileWaiting(nowNanos);
            case HELD -> whileHeld(nowNanos);
            case DRAWING, CLAIMING, PASSING -> throw new IllegalStateException(state + " without an operation");
        };
    }

    private Optional<LockOperation> whileWaiting(long nowNanos) {
        NowServing seen = turn;
        if (seen != null && seen.ticket() == ticket) {
            state = wanted.isEmpty() ? State.PASSING : State.CLAIMING;
            return Optional.of(new LockOperation.Swap(seen, wanted.isEmpty() ? seen.passed() : seen.beaten()));
        }
        if (seen != null && nowNanos - turnSinceNanos > lease.leaseNanos()) {
            return Optional.of(new LockOperation.Swap(seen, seen.passed()));
        }
        return lookIfDue(nowNanos);
    }

    private Optional<LockOperation> whileHeld(long nowNanos) {
        NowServing own = turn;
        if (own == null) {
            return lookIfDue(nowNanos);
        }
        if (holder == null) {
            handOver(nowNanos);
        }
        if (holder == null) {
            state = State.PASSING;
            return Optional.of(new LockOperation.Swap(own, own.passed()));
        }
        return nowNanos - renewedNanos >= lease.renewNanos()
                ? Optional.of(new LockOperation.Swap(own, own.beaten()))
                : Optional.empty();
    }

    private Optional<LockOperation> lookIfDue(long nowNanos) {
        return nowNanos - nextLookNanos >= 0 ? Optional.of(new LockOperation.Look()) : Optional.empty();
    }

    /** A swap of this node succeeded. */
    private void swapped(NowServing next, long begunNanos, long nowNanos) {
        switch (state) {
            case CLAIMING -> {
                state = State.HELD;
                turn = next;
                renewedNanos = begunNanos;
                handOver(nowNanos);
            }
            case HELD -> {
                turn = next;
                renewedNanos = begunNanos;
            }
            case WAITING -> watch(next, nowNanos);
            case PASSING -> state = State.IDLE;
            case IDLE, DRAWING -> throw new IllegalStateException("a swap was under way while " + state);
        }
    }

    /** The turn word was seen, and it is not what this node has made of it. */
    private void saw(NowServing seen, long nowNanos) {
        if (seen.ticket() > ticket) {
            loseTicket();
            return;
        }
        if (state == State.HELD) {
            turn = seen;
            return;
        }
        state = State.WAITING;
        lookPauseNanos = seen.equals(turn) ? Math.min(LONGEST_LOOK_NANOS, 2 * lookPauseNanos) : FIRST_LOOK_NANOS;
        watch(seen, nowNanos);
    }

    /** The turn has passed by: this node was too slow, or its ticket is of an earlier life of the home. */
    private void loseTicket() {
        holder = null;
        state = State.IDLE;
    }

    private void watch(NowServing seen, long nowNanos) {
        if (!seen.equals(turn)) {
            turn = seen;
            turnSinceNanos = nowNanos;
        }
        nextLookNanos = nowNanos + lookPauseNanos;
    }

    private void await(long lookNanos) {
        state = State.WAITING;
        turn = null;
        nextLookNanos = lookNanos;
        lookPauseNanos = FIRST_LOOK_NANOS;
    }

    /** Gives the lock, which no thread holds, to the next thread that wants it, if this turn allows for that. */
    private void handOver(long nowNanos) {
        if (handovers < MAX_HANDOVERS && mayAct(nowNanos) && !wanted.isEmpty()) {
            TicketGrant grant = new TicketGrant(wanted.remove(), ticket << HANDOVER_BITS | handovers++);
            holder = grant;
            grants.add(grant);
        }
    }

    private boolean mayAct(long nowNanos) {
        return state == State.HELD && nowNanos - renewedNanos < lease.safeNanos();
    }
}
