package dev.retier.agent.decide;

import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * How pressure on one tier has come and gone: what its next lull may be worth to others. A tier is busy while it is
 * above the take threshold at two looks or more in a row, and in a lull while it is not. A value; as large as a few
 * numbers.
 *
 * @param isBusy whether it is busy now
 * @param sinceNanos since when
 * @param membersWhenBusy how many members it had when it was last busy; 0 if it never was
 * @param lullNanos lengths of the newest lulls that have ended, the newest last
 * @param busyNanos lengths of the newest busy times that have ended, the newest last
 * @param giving what it gave last, and what came of it
 */
record Rhythm(
        boolean isBusy,
        long sinceNanos,
        int membersWhenBusy,
        List<Long> lullNanos,
        List<Long> busyNanos,
        Giving giving) {
    /** A change of rhythm is learnt after as many lulls. */
    private static final int MAX_REMEMBERED = 4;

    private static final int LEAST_LULLS = 2;

    /**
     * Nodes that a tier has lost, be it given or failed.
     *
     * @param members how many it had at the newest look
     * @param sinceNanos when it had one fewer than before for the last time; meaningless before that
     * @param hasGiven whether it ever had
     * @param isInVain whether the newest lull ended so soon after that that no load can be blamed for it
     */
    record Giving(int members, long sinceNanos, boolean hasGiven, boolean isInVain) {
        private Giving after(TierTrend trend) {
            int next = trend.members().size();
            return next == members
                    ? this
                    : new Giving(
                            next,
                            next < members ? trend.membersSinceNanos() : sinceNanos,
                            hasGiven || next < members,
                            isInVain);
        }

        private Giving lullEnded(long atNanos, long atOnceNanos) {
            return new Giving(members, sinceNanos, hasGiven, hasGiven && atNanos - sinceNanos <= atOnceNanos);
        }
    }

    /** Keeps its own copies. */
    Rhythm {
        lullNanos = List.copyOf(lullNanos);
        busyNanos = List.copyOf(busyNanos);
    }

    /** Before the first look, at {@code nowNanos}. */
    static Rhythm none(long nowNanos) {
        return new Rhythm(false, nowNanos, 0, List.of(), List.of(), new Giving(0, 0, false, false));
    }

    /**
     * After one more look, which showed {@code trend}.
     *
     * @param atOnceNanos pressure that begins no later after the tier has given a node comes of that
     */
    Rhythm after(TierTrend trend, long atOnceNanos, long nowNanos) {
        Giving next = giving.after(trend);
        int members = isBusy ? trend.members().size() : membersWhenBusy;
        boolean isConfirmed =
                trend.direction() != TierTrend.Direction.UNKNOWN && trend.directionSinceNanos() < nowNanos;
        if (!isConfirmed || trend.isPressed() == isBusy) {
            return members == membersWhenBusy && next.equals(giving)
                    ? this
                    : new Rhythm(isBusy, sinceNanos, members, lullNanos, busyNanos, next);
        }
        long endNanos = trend.directionSinceNanos();
        return new Rhythm(
                !isBusy,
                endNanos,
                Math.max(1, members),
                isBusy || endNanos == sinceNanos ? lullNanos : with(lullNanos, endNanos - sinceNanos),
                isBusy ? with(busyNanos, endNanos - sinceNanos) : busyNanos,
                isBusy ? next : next.lullEnded(endNanos, atOnceNanos));
    }

    private static List<Long> with(List<Long> lengths, long length) {
        return Newest.with(lengths, length, MAX_REMEMBERED);
    }

    /**
     * How much longer the present lull may be expected to last: as those of the newest that were longer than it is by
     * now; as long again if it has outlasted them all. Empty while the rhythm is not known.
     */
    OptionalDouble lullLeftNanos(long nowNanos) {
        if (lullNanos.isEmpty()) {
            return OptionalDouble.empty();
        }
        double elapsed = isBusy ? 0 : nowNanos - sinceNanos;
        double mean = lullNanos.stream()
                .mapToLong(Long::longValue)
                .filter(length -> length > elapsed)
                .average()
                .orElse(2 * elapsed);
        return OptionalDouble.of(mean - elapsed);
    }

    /**
     * How long a lull and a busy time last together, on average, or with the present lull if that is longer; infinite
     * until two lulls have ended, as the first may have begun before anybody looked.
     */
    double cycleNanos(long nowNanos) {
        if (lullNanos.size() < LEAST_LULLS) {
            return Double.POSITIVE_INFINITY;
        }
        double lull = lullNanos.stream().mapToLong(Long::longValue).average().orElse(Double.POSITIVE_INFINITY);
        double busy = busyNanos.stream().mapToLong(Long::longValue).average().orElse(Double.POSITIVE_INFINITY);
        return busy + Math.max(lull, isBusy ? 0 : (double) (nowNanos - sinceNanos));
    }

    /** Whether all that is remembered is of after {@code fromNanos}, and no busy time of it lasted {@code nanos}. */
    boolean isOfBurstsShorterThan(double nanos, long fromNanos) {
        long remembered = Stream.concat(lullNanos.stream(), busyNanos.stream())
                .mapToLong(Long::longValue)
                .sum();
        boolean isFull = lullNanos.size() == MAX_REMEMBERED && busyNanos.size() == MAX_REMEMBERED;
        return isFull
                && sinceNanos - remembered >= fromNanos
                && busyNanos.stream().allMatch(length -> length < nanos);
    }

    /** Share of the remembered time in which it was busy, in [0,1]; 0 while nothing is remembered. */
    double busyShare() {
        double busy = busyNanos.stream().mapToLong(Long::longValue).sum();
        double lull = lullNanos.stream().mapToLong(Long::longValue).sum();
        return busy == 0 ? 0 : busy / (busy + lull);
    }
}
