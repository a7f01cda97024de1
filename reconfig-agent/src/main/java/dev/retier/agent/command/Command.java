package dev.retier.agent.command;

import org.jspecify.annotations.Nullable;

/** What an operator asks of an agent. Nodes and roles are named as in the cluster file. */
public sealed interface Command {
    /** Say what would be decided now, and why; nothing is done. */
    record Plan() implements Command {}

    /**
     * Give a node a role, by the rails of a decided move.
     *
     * @param node its name
     * @param to {@code site/proxy}, {@code site/app} or {@code spare}
     * @param manner how
     */
    record Move(String node, String to, Manner manner) implements Command {}

    /** Take a node out of service and keep it out until it is undrained. */
    record Drain(String node, Manner manner) implements Command {}

    /**
     * Let a drained node be used again.
     *
     * @param to the role that it gets; null to make it a spare one
     */
    record Undrain(String node, @Nullable String to, Manner manner) implements Command {}

    /** Take the newest move back. */
    record Undo(Manner manner) implements Command {}

    /**
     * Decide nothing until told otherwise; moves under way go on.
     *
     * @param isHereOnly this agent alone, else all of the cluster
     */
    record Pause(boolean isHereOnly) implements Command {}

    /**
     * Decide again.
     *
     * @param isHereOnly ends a pause of this agent alone, else one of the cluster
     */
    record Resume(boolean isHereOnly) implements Command {}

    /**
     * Compare the file on disk with what would be rendered now.
     *
     * @param to in this role; null for the present one
     */
    record Diff(@Nullable String to) implements Command {}

    /**
     * Put back the role that the journal of the asked agent's own node has, if its role word says another.
     *
     * @param node its name, so that nobody repairs another than he thinks
     * @param isDryRun say what is wrong, and change nothing
     */
    record Repair(String node, boolean isDryRun) implements Command {}

    /**
     * How a move is asked for.
     *
     * @param isDryRun say what would be done, and do nothing
     * @param isForced pass over what a forced order passes over ({@code ManualMoves.Past})
     */
    record Manner(boolean isDryRun, boolean isForced) {}
}
