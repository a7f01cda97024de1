package dev.retier.agent.config;

import java.time.Duration;
import java.util.List;

/**
 * When a node moves.
 *
 * @param takeHistory T: how long a tier must have been pressed without a break before it takes a node, where no spells
 *     tell it
 * @param takeThreshold mean utilisation above which a tier is pressed, above 0 and below 1
 * @param tolerance share of requests that a change must be worth, 0 to 1
 * @param movesPerHour budget of one site; when it is spent, nothing moves but what makes up for lost members
 * @param maxUnknownShare share of unknown nodes above which nothing moves, 0 to 1
 * @param maxInTransitShare share of a tier's nodes that may leave it at once, 0 to 1; one always may
 * @param former keys of the version before that were given and change nothing any more
 */
public record DecisionRules(
        Duration takeHistory,
        double takeThreshold,
        double tolerance,
        int movesPerHour,
        double maxUnknownShare,
        double maxInTransitShare,
        List<String> former) {
    /** The most moves per hour that can be asked for: one per second. */
    public static final int MAX_MOVES_PER_HOUR = 3_600;

    /**
     * A dead band of 10 % and a third unknown are what the design asks for. The times suit a move of about 0.2 s;
     * slower servers need longer ones.
     */
    public static final DecisionRules DEFAULTS =
            new DecisionRules(Duration.ofSeconds(1), 0.80, 0.10, 600, 1.0 / 3, 1.0, List.of());

    /** Refuses shares out of range and a budget out of range with {@link IllegalArgumentException}. */
    public DecisionRules {
        former = List.copyOf(former);
        if (!(takeThreshold > 0 && takeThreshold < 1)) {
            throw new IllegalArgumentException("takeThreshold " + takeThreshold + " is not above 0 and below 1");
        }
        requireShare("tolerance", tolerance);
        requireShare("maxUnknownShare", maxUnknownShare);
        requireShare("maxInTransitShare", maxInTransitShare);
        if (movesPerHour < 0 || movesPerHour > MAX_MOVES_PER_HOUR) {
            throw new IllegalArgumentException("movesPerHour " + movesPerHour + " is not in 0.." + MAX_MOVES_PER_HOUR);
        }
    }

    /** The same with another T. */
    public DecisionRules withHistory(Duration take) {
        return new DecisionRules(
                take, takeThreshold, tolerance, movesPerHour, maxUnknownShare, maxInTransitShare, former);
    }

    /** The same, without the keys that change nothing any more. */
    DecisionRules withoutFormerKeys() {
        return new DecisionRules(
                takeHistory, takeThreshold, tolerance, movesPerHour, maxUnknownShare, maxInTransitShare, List.of());
    }

    /** The same with another budget. */
    public DecisionRules withMovesPerHour(int other) {
        return new DecisionRules(
                takeHistory, takeThreshold, tolerance, other, maxUnknownShare, maxInTransitShare, former);
    }

    private static void requireShare(String name, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException(name + " " + value + " is not in [0,1]");
        }
    }
}
