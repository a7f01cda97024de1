package dev.retier.agent.decide;

/** Why nothing moves. Each has one sentence for people. */
public enum StayReason {
    /** See {@link #sentence()}. */
    NO_PRESSURE("no tier is above the take threshold"),
    /** See {@link #sentence()}. */
    PRESSURE_TOO_SHORT("a tier is above the take threshold, but not yet for T"),
    /** See {@link #sentence()}. */
    SETTLING("the members of a tier changed just now: its load says nothing yet"),
    /** See {@link #sentence()}. */
    MOVE_IN_FLIGHT("a node of the site is on its way already"),
    /** See {@link #sentence()}. */
    TOO_MUCH_UNKNOWN("too many nodes are unknown, and unknown is not idle"),
    /** See {@link #sentence()}. */
    CONFIG_DIFFERS("the agent of a node has another cluster file: give all agents the same one"),
    /** See {@link #sentence()}. */
    EDGE_NOT_HEARD("an edge of the site says nothing, and no proxy can leave without its word: start ./retier edge"),
    /** See {@link #sentence()}. */
    RECEIVER_AT_MAXIMUM("the pressed tier has as many nodes as it may have"),
    /** See {@link #sentence()}. */
    DONOR_AT_MINIMUM("the tier that would give a node has none above its minimum"),
    /** See {@link #sentence()}. */
    NO_GAIN("no change would answer more requests by the tolerance"),
    /** See {@link #sentence()}. */
    LULL_TOO_SHORT("a change would not pay before the load changes again, as the last spells show"),
    /** See {@link #sentence()}. */
    NO_DONOR_KNOWN("no node that could be given is known well enough"),
    /** See {@link #sentence()}. */
    DONOR_NEEDS_ITS_GUARANTEE("the site that would give needs its nodes for its guarantee"),
    /** See {@link #sentence()}. */
    UPSTREAM_UNMANAGED("a proxy has lost its agent and would go on sending to a node that leaves the app tier"),
    /** See {@link #sentence()}. */
    NODE_RESTS("every node that could be given rests, as orders of it were undone"),
    /** See {@link #sentence()}. */
    HOLDS_VOLUMES(
            "the node, or each that could be given, serves a volume that somebody has attached, or may: detach it,"
                    + " or start its volume server"),
    /** See {@link #sentence()}. */
    MOVE_BUDGET_SPENT("the site has spent its moves of this hour"),
    /** See {@link #sentence()}. */
    MODE_OBSERVE("the mode is observe"),
    /** See {@link #sentence()}. */
    MODE_RECOMMEND("the mode is recommend: a move would be made in mode act"),
    /** See {@link #sentence()}. */
    NOT_OUR_TIER("the move is for the agents of the pressed tier to make"),
    /** See {@link #sentence()}. */
    LOCK_HELD("another agent holds the move lock of the site"),
    /** See {@link #sentence()}. */
    LOCK_UNAVAILABLE("too few witnesses of the move lock answer"),
    /** See {@link #sentence()}. */
    LEASE_ENDED("the lease of the move lock was no longer safe"),
    /** See {@link #sentence()}. */
    VIEW_WAS_OLD("the node's role word had changed since it was read"),
    /** See {@link #sentence()}. */
    ORDER_NOT_SENT("the order did not reach the node"),
    /** See {@link #sentence()}. */
    PLAN_BROKEN("what was planned cannot be gone on with, as a move before did not succeed or the nodes have changed"),
    /** See {@link #sentence()}. */
    PAUSED("an operator has paused decisions; `retier resume` lets them go on"),
    /** See {@link #sentence()}. */
    NODE_UNKNOWN("the node is unknown, or its server is down"),
    /** See {@link #sentence()}. */
    NODE_UNMOVABLE("the node cannot write its journal or its role file, so it carries out no order: free space on its"
            + " disk, or mend the folder; its readyz?verbose says which"),
    /** See {@link #sentence()}. */
    ALREADY_THERE("the node has that role already"),
    /** See {@link #sentence()}. */
    CANNOT_SERVE("the node's server cannot serve that role, or may not by its tiers"),
    /** See {@link #sentence()}. */
    NOTHING_TO_UNDO("this agent knows of no move that is still the newest of its node");

    private final String sentence;

    StayReason(String sentence) {
        this.sentence = sentence;
    }

    /** Whether it comes and goes with every move and asks nobody to do anything. */
    public boolean isPassing() {
        return switch (this) {
            case PRESSURE_TOO_SHORT, SETTLING, MOVE_IN_FLIGHT, NOT_OUR_TIER, LOCK_HELD, VIEW_WAS_OLD, PLAN_BROKEN ->
                true;
            case NO_PRESSURE,
                    TOO_MUCH_UNKNOWN,
                    CONFIG_DIFFERS,
                    EDGE_NOT_HEARD,
                    RECEIVER_AT_MAXIMUM,
                    DONOR_AT_MINIMUM,
                    NO_GAIN,
                    LULL_TOO_SHORT,
                    NO_DONOR_KNOWN,
                    DONOR_NEEDS_ITS_GUARANTEE,
                    UPSTREAM_UNMANAGED,
                    NODE_RESTS,
                    HOLDS_VOLUMES,
                    MOVE_BUDGET_SPENT,
                    MODE_OBSERVE,
                    MODE_RECOMMEND,
                    LOCK_UNAVAILABLE,
                    LEASE_ENDED,
                    ORDER_NOT_SENT,
                    PAUSED,
                    NODE_UNKNOWN,
                    NODE_UNMOVABLE,
                    ALREADY_THERE,
                    CANNOT_SERVE,
                    NOTHING_TO_UNDO -> false;
        };
    }

    /** The reason for people. */
    public String sentence() {
        return sentence;
    }
}
