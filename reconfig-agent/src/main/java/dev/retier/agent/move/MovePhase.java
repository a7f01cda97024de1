package dev.retier.agent.move;

/** The steps of a move, in their order; each is journalled by the node that moves. */
public enum MovePhase {
    /** The victim's role word says so, and the victim has journalled it. */
    ORDERED,
    /** All upstream nodes of the old role have proven that they leave the node out. */
    UPSTREAM_PROVEN,
    /** No request comes to the node any more, or the drain deadline has passed. */
    DRAINED,
    /** The role file of the new role is about to be written: from here on the server may be in either role. */
    SWITCHING,
    /** The server runs the new role. */
    SWITCHED,
    /** A request to itself was answered in the new role. */
    PROVEN,
    /** The role word says that the new role is served. Final. */
    ACTIVE,
    /** The role word says that the old role is served as before. Final. */
    ROLLED_BACK;

    /** Whether the move is over. */
    public boolean isFinal() {
        return this == ACTIVE || this == ROLLED_BACK;
    }
}
