package dev.retier.load.target;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which targets are worth connecting to. After a failed attempt to connect, a target rests; when the rest is over, one
 * caller may try it, and the others only after that one succeeded. Each such trial doubles the rest, so that several
 * clients failing at the same moment count once. All times in nanoseconds of one monotonic clock. One thread.
 */
public final class TargetHealth {
    /** Rest after the first failure: long enough for other clients to notice. */
    public static final long FIRST_REST_NANOS = 50_000_000L;

    /** Longest rest: a target that comes back is found within a second. */
    public static final long LONGEST_REST_NANOS = 1_000_000_000L;

    private final Map<Target, Rest> resting = new HashMap<>();

    private static final class Rest {
        private long restNanos = FIRST_REST_NANOS;
        private long untilNanos;
    }

    /** Whether the caller may connect to {@code target} now. A yes to a resting target is given once per rest. */
    public boolean claim(Target target, long nowNanos) {
        Rest rest = resting.get(target);
        if (rest == null) {
            return true;
        }
        if (nowNanos - rest.untilNanos < 0) {
            return false;
        }
        rest.restNanos = Math.min(LONGEST_REST_NANOS, rest.restNanos * 2);
        rest.untilNanos = nowNanos + rest.restNanos;
        return true;
    }

    /** A connection to {@code target} could not be made. */
    public void failed(Target target, long nowNanos) {
        Rest rest = resting.computeIfAbsent(target, _ -> new Rest());
        rest.untilNanos = nowNanos + rest.restNanos;
    }

    /** A connection to {@code target} was made. */
    public void succeeded(Target target) {
        resting.remove(target);
    }

    /** Forgets targets that are no longer in {@code targets}. */
    public void retain(List<Target> targets) {
        resting.keySet().retainAll(targets);
    }

    /** Nanoseconds until the first of {@code targets} may be tried, 0 when one may be tried now. */
    public long nanosUntilAny(List<Target> targets, long nowNanos) {
        long least = LONGEST_REST_NANOS;
        for (Target target : targets) {
            Rest rest = resting.get(target);
            least = Math.min(least, rest == null ? 0 : Math.max(0, rest.untilNanos - nowNanos));
        }
        return least;
    }
}
