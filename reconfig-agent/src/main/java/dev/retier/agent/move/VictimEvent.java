package dev.retier.agent.move;

import dev.retier.agent.status.ServerStatus;
import dev.retier.state.CasOutcome;
import dev.retier.state.RoleWord;

/** What a node under orders learns. */
public sealed interface VictimEvent {
    /** The own role word is this order, and there is no journal of it. */
    record Ordered(RoleWord word) implements VictimEvent {}

    /** The own role word is this order, and the journal says how far it had come before the agent stopped. */
    record Found(RoleWord word, MovePhase reached) implements VictimEvent {}

    /** Whether the phase that was to be journalled is on disk. */
    record Journalled(boolean isOnDisk) implements VictimEvent {}

    /** Whether all who send to this node have let go of it, by a look or by what has come since. */
    record UpstreamSeen(boolean isProven) implements VictimEvent {}

    /** The server told its status, asked for at {@code askedAtNanos}. */
    record Server(ServerStatus status, long askedAtNanos) implements VictimEvent {}

    /**
     * The server could not tell in time what is in it, but which file it runs is known as of {@code askedAtNanos}: a
     * page that is late under load must not hold a switch up.
     */
    record ServerFile(ServerStatus status, long askedAtNanos) implements VictimEvent {}

    /** The role file is on disk under its stamp. */
    record Written() implements VictimEvent {}

    /** The role file is not on disk. */
    record NotWritten(RollbackReason reason) implements VictimEvent {}

    /** How the request to itself went. */
    record Proof(boolean isGood) implements VictimEvent {}

    /** How the change of the own role word went. */
    record Answered(CasOutcome outcome) implements VictimEvent {}

    /** Time has passed. */
    record Tick() implements VictimEvent {}

    /** The agent is leaving: finish if the switch has begun, else undo. */
    record Stop() implements VictimEvent {}
}
