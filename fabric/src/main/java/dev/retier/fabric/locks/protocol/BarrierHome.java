package dev.retier.fabric.locks.protocol;

import dev.retier.link.LeaseTimes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A barrier at its home: its parties wait for each other, round after round. One that gives up, or is not heard of for
 * a lease, breaks the round for all who wait in it: they learn so, and the next round begins with nobody in it. Who
 * asks again after its round is told how it ended, so that a lost answer does no harm. Not thread-safe.
 *
 * @param <W> one wait of one party, with equality; never used for another wait
 */
public final class BarrierHome<W> {
    /** More would be a mistake of the caller. */
    private static final int MAX_PARTIES = 4096;

    /** Ended waits that are remembered for each party: who asks again does so within one or two rounds. */
    private static final int REMEMBERED_PER_PARTY = 8;

    private final LeaseTimes lease;
    private final int parties;
    /** Those in the present round, and until when they need not show again that they wait. */
    private final Map<W, Long> arrived = new LinkedHashMap<>();

    private final LinkedHashMap<W, Verdict> ended = new LinkedHashMap<>();
    private long round = 1;

    /** How a round stands for one party. */
    public record Verdict(State state, long round) {}

    /** What there is to say of a round. */
    public enum State {
        /** Not all have come. */
        WAITING,
        /** All have come. */
        PASSED,
        /** One of those who had come has given up. */
        BROKEN
    }

    /** A barrier for so many, 1 to {@value #MAX_PARTIES}. */
    public BarrierHome(LeaseTimes lease, int parties) {
        if (parties < 1 || parties > MAX_PARTIES) {
            throw new IllegalArgumentException("a barrier of " + parties + " parties");
        }
        this.lease = lease;
        this.parties = parties;
    }

    /** How many wait for each other. */
    public int parties() {
        return parties;
    }

    /** Arrives, or asks how it stands. Who waits must ask again within a lease. */
    public Verdict await(W who, long nowNanos) {
        settle(nowNanos);
        Verdict known = ended.get(who);
        if (known != null) {
            return known;
        }
        arrived.put(who, nowNanos + lease.leaseNanos());
        if (arrived.size() < parties) {
            return new Verdict(State.WAITING, round);
        }
        Verdict passed = new Verdict(State.PASSED, round);
        end(passed);
        return passed;
    }

    /** Gives up: breaks the round if it has arrived in it. How the wait has ended. */
    public Verdict leave(W who) {
        Verdict known = ended.get(who);
        if (known != null) {
            return known;
        }
        Verdict broken = new Verdict(State.BROKEN, round);
        if (arrived.containsKey(who)) {
            end(broken);
        }
        return broken;
    }

    /** Breaks the round if somebody in it has not been heard of for too long. */
    public void settle(long nowNanos) {
        if (arrived.values().stream().anyMatch(until -> nowNanos - until > 0)) {
            end(new Verdict(State.BROKEN, round));
        }
    }

    /** Those in the present round. */
    public List<W> waiting() {
        return List.copyOf(arrived.keySet());
    }

    private void end(Verdict verdict) {
        arrived.keySet().forEach(who -> ended.put(who, verdict));
        arrived.clear();
        round++;
        while (ended.size() > REMEMBERED_PER_PARTY * parties) {
            ended.pollFirstEntry();
        }
    }
}
