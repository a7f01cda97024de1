package dev.retier.agent.decide;

import dev.retier.agent.config.DecisionRules;
import java.time.Duration;
import java.util.Arrays;

/** When the moves of one site were completed, within an hour. A value. */
final class HourOfMoves {
    private static final long HOUR_NANOS = Duration.ofHours(1).toNanos();
    /** Twice the largest budget: a bound on memory that the budget itself never reaches. */
    private static final int MAX_MOVES = 2 * DecisionRules.MAX_MOVES_PER_HOUR;

    private static final HourOfMoves NONE = new HourOfMoves(new long[0]);

    /** The oldest first. */
    private final long[] atNanos;

    private HourOfMoves(long[] atNanos) {
        this.atNanos = atNanos;
    }

    static HourOfMoves none() {
        return NONE;
    }

    /** After one more; what is older than an hour is forgotten, and the oldest when there are too many. */
    HourOfMoves with(long nowNanos) {
        int kept = Math.min(count(nowNanos), MAX_MOVES - 1);
        long[] next = Arrays.copyOfRange(atNanos, atNanos.length - kept, atNanos.length + 1);
        next[kept] = nowNanos;
        return new HourOfMoves(next);
    }

    /** How many are less than an hour old. */
    int count(long nowNanos) {
        int low = 0;
        int high = atNanos.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (nowNanos - atNanos[middle] < HOUR_NANOS) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return atNanos.length - low;
    }
}
