package dev.retier.fabric.locks.protocol;

import dev.retier.link.LeaseTimes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A read/write lock at its home, by whose clock alone its leases end: many readers or one writer, in the order of their
 * asking, so that neither starves. A holder that does not renew within the lease is dead, or may not act any more (see
 * {@link LeaseTimes}: it counts its lease from the moment before it asked). Every grant has a higher token than all
 * before. A home that has just started grants nothing for one lease, in which all holders of its earlier life stop.
 * Not thread-safe.
 *
 * @param <W> who asks, with equality
 */
public final class ReadWriteLockHome<W> {
    private final LeaseTimes lease;
    private final int maxWaiting;
    private final long grantsFromNanos;
    private final Deque<Party<W>> waiting = new ArrayDeque<>();
    private final Map<W, Party<W>> holders = new HashMap<>();
    private long lastToken;

    /** How it is held. */
    public enum Mode {
        /** With others who read. */
        READ,
        /** Alone. */
        WRITE
    }

    /** The answer to a question for the lock. */
    public sealed interface Standing {
        /** It holds the lock, and has a whole lease again. */
        record Held(long token) implements Standing {}

        /** It waits its turn, does not even wait since too many do, or does not hold the lock any more. */
        record Absent() implements Standing {}
    }

    /** One that waits for the lock, or holds it. */
    private static final class Party<W> {
        final W who;
        final Mode mode;
        long untilNanos;
        /** Drawn when it gets the lock. */
        long token;

        Party(W who, Mode mode, long untilNanos) {
            this.who = who;
            this.mode = mode;
            this.untilNanos = untilNanos;
        }
    }

    /**
     * A lock of a home that has just started.
     *
     * @param bootMillis the start in milliseconds of the home's wall clock since a fixed day; tokens grow with it
     */
    public ReadWriteLockHome(LeaseTimes lease, int maxWaiting, long bootMillis, long nowNanos) {
        this.lease = lease;
        this.maxWaiting = maxWaiting;
        this.grantsFromNanos = nowNanos + lease.leaseNanos();
        this.lastToken = NowServing.atBoot(bootMillis).ticket();
    }

    /** Asks for the lock, or how one stands. Who waits must ask again within a lease, to show that it still waits. */
    public Standing ask(W who, Mode mode, long nowNanos) {
        settle(nowNanos);
        Standing standing = renew(who, nowNanos);
        if (standing instanceof Standing.Held) {
            return standing;
        }
        Optional<Party<W>> asked =
                waiting.stream().filter(party -> party.who.equals(who)).findFirst();
        if (asked.isPresent()) {
            asked.get().untilNanos = nowNanos + lease.leaseNanos();
        } else if (waiting.size() >= maxWaiting) {
            return new Standing.Absent();
        } else {
            waiting.add(new Party<>(who, mode, nowNanos + lease.leaseNanos()));
            settle(nowNanos);
        }
        return renew(who, nowNanos);
    }

    /** Proves that a holder lives. Whoever does not hold the lock any more does not get it by this. */
    public Standing renew(W who, long nowNanos) {
        Party<W> holding = holders.get(who);
        if (holding == null || nowNanos - holding.untilNanos > 0) {
            return new Standing.Absent();
        }
        holding.untilNanos = nowNanos + lease.leaseNanos();
        return new Standing.Held(holding.token);
    }

    /** Gives the lock up, or the wait for it. */
    public void leave(W who) {
        holders.remove(who);
        waiting.removeIf(asked -> asked.who.equals(who));
    }

    /** Ends leases and waits that are over, and grants what can be granted. Those who have got the lock by it. */
    public List<W> settle(long nowNanos) {
        holders.values().removeIf(holding -> nowNanos - holding.untilNanos > 0);
        waiting.removeIf(asked -> nowNanos - asked.untilNanos > 0);
        List<W> granted = new ArrayList<>();
        while (nowNanos - grantsFromNanos > 0 && !waiting.isEmpty() && fits(waiting.getFirst().mode)) {
            Party<W> first = waiting.removeFirst();
            first.token = ++lastToken;
            first.untilNanos = nowNanos + lease.leaseNanos();
            holders.put(first.who, first);
            granted.add(first.who);
        }
        return granted;
    }

    private boolean fits(Mode mode) {
        return holders.isEmpty()
                || (mode == Mode.READ && holders.values().stream().allMatch(holding -> holding.mode == Mode.READ));
    }
}
