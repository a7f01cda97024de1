package dev.retier.agent.move;

import dev.retier.state.Role;
import dev.retier.state.RoleWord;

/** What a node under orders wants done, in this order; each names the event that answers it. */
public sealed interface VictimEffect {
    /** Tell this phase, and put it on disk before anything else: {@code Journalled}. */
    record Journal(MoveRecord entry) implements VictimEffect {}

    /**
     * Another phase was reached: journal it and tell it; nothing answers. What a crash loses of these, recovery finds
     * out from the server.
     */
    record Reached(MoveRecord entry, int held) implements VictimEffect {}

    /** Write the role file of {@code role} under {@code stamp}: {@code Written} or {@code NotWritten}. */
    record WriteRole(Role role, long stamp) implements VictimEffect {}

    /** Send a request to the own server: {@code Proof}. */
    record Prove(Role role) implements VictimEffect {}

    /** Compare and set the own role word: {@code Answered}. */
    record SetWord(RoleWord expected, RoleWord next) implements VictimEffect {}

    /** Wake the other agents, so that they look; nothing answers. */
    record Announce() implements VictimEffect {}

    /** The move is over and the node is in exactly one role; nothing answers. */
    record Finished() implements VictimEffect {}
}
