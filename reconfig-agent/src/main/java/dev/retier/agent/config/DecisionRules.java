package dev.retier.agent.config;

import java.time.Duration;

/**
 * When a node moves.
 *
 * @param takeHistory T of the take side: how long a tier must have been pressed without a break before it takes a node
 * @param guaranteeHistory the same for a site that delivers less than its guarantee all that time
 * @param giveHistory T of the give side: how long a tier must not have been pressed before it gives a node
 * @param giveBackHistory the same for a tier that gives to a site of lower priority
 * @param takeThreshold mean utilisation above which a tier is pressed, above 0 and below 1
 * @param giveThreshold mean utilisation above which a tier gives nothing to another site of its own accord
 * @param tolerance by what share the receiver's pressure must exceed what the donor's is predicted to be, 0 to 1
 * @param payback time over which a move must pay for itself: its measured duration as a share of this is asked for on
 * top of the tolerance; above zero
 * @param settle how long after a change of a tier's members its utilisation says nothing yet
 * @param coolDownNode rest of a node after a move, 0 for none
 * @param coolDownSite rest of a site after a move, 0 for none
 * @param movesPerHour budget of one site; when it is spent, nothing moves
 * @param maxUnknownShare share of unknown nodes above which nothing moves, 0 to 1
 */
public record DecisionRules(
        Duration takeHistory,
        Duration guaranteeHistory,
        Duration giveHistory,
        Duration giveBackHistory,
        double takeThreshold,
        double giveThreshold,
        double tolerance,
        Duration payback,
        Duration settle,
        Duration coolDownNode,
        Duration coolDownSite,
        int movesPerHour,
        double maxUnknownShare) {
    /** The most moves per hour that can be asked for: one per second. */
    public static final int MAX_MOVES_PER_HOUR = 3_600;

    /**
     * A dead band of 10 % and a third unknown are what the design asks for. The times suit a move of about 0.2 s;
     * slower servers need longer ones.
     */
    public static final DecisionRules DEFAULTS = new DecisionRules(
            Duration.ofMillis(1_000),
            Duration.ofMillis(500),
            Duration.ofMillis(1_000),
            Duration.ofMillis(2_000),
            0.80,
            0.80,
            0.10,
            Duration.ofSeconds(20),
            Duration.ofMillis(250),
            Duration.ofMillis(1_000),
            Duration.ZERO,
            600,
            1.0 / 3);

    /** Refuses shares out of range and a budget out of range with {@link IllegalArgumentException}. */
    public DecisionRules {
        requireShare("takeThreshold", takeThreshold);
        requireShare("giveThreshold", giveThreshold);
        requireShare("tolerance", tolerance);
        requireShare("maxUnknownShare", maxUnknownShare);
        if (!payback.isPositive()) {
            throw new IllegalArgumentException("payback " + payback + " is not above zero");
        }
        if (movesPerHour < 0 || movesPerHour > MAX_MOVES_PER_HOUR) {
            throw new IllegalArgumentException("movesPerHour " + movesPerHour + " is not in 0.." + MAX_MOVES_PER_HOUR);
        }
    }

    /** The same with another T: half of it for guarantees, twice for giving to sites of lower priority. */
    public DecisionRules withHistory(Duration take, Duration give) {
        return new DecisionRules(
                take,
                take.dividedBy(2),
                give,
                give.multipliedBy(2),
                takeThreshold,
                giveThreshold,
                tolerance,
                payback,
                settle,
                coolDownNode,
                coolDownSite,
                movesPerHour,
                maxUnknownShare);
    }

    /** The same with other rests after a move: of a tier's load figures, of the node and of the site. */
    public DecisionRules withRests(Duration settling, Duration node, Duration site) {
        return new DecisionRules(
                takeHistory,
                guaranteeHistory,
                giveHistory,
                giveBackHistory,
                takeThreshold,
                giveThreshold,
                tolerance,
                payback,
                settling,
                node,
                site,
                movesPerHour,
                maxUnknownShare);
    }

    /** The same with another budget. */
    public DecisionRules withMovesPerHour(int other) {
        return new DecisionRules(
                takeHistory,
                guaranteeHistory,
                giveHistory,
                giveBackHistory,
                takeThreshold,
                giveThreshold,
                tolerance,
                payback,
                settle,
                coolDownNode,
                coolDownSite,
                other,
                maxUnknownShare);
    }

    private static void requireShare(String name, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException(name + " " + value + " is not in [0,1]");
        }
    }
}
