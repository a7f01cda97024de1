package dev.retier.agent.loop;

import dev.retier.agent.decide.Decision;
import dev.retier.agent.decide.Shadow;
import dev.retier.agent.move.MoveRecord;
import dev.retier.agent.move.MoverEffect;
import dev.retier.agent.view.ClusterView;
import dev.retier.link.NodeId;
import dev.retier.state.RoleWord;
import org.jspecify.annotations.Nullable;

/** What has happened, for logs, metrics and pages. */
public sealed interface Notice {
    /** A look has given this view. */
    record Seen(ClusterView view) implements Notice {}

    /** This was decided for a site. */
    record Decided(Decision decision) implements Notice {}

    /** A shadow has compared what it would have done with what the others did. */
    record Compared(Shadow.Comparison comparison) implements Notice {}

    /** An order of this node stands. */
    record MoveOrdered(Decision.Move move, RoleWord word) implements Notice {}

    /** This node is done with moves that it wanted to order, or has ordered. */
    record MoveEnded(MoverEffect.Finished how) implements Notice {}

    /** The journal has an order of this node that was not finished in its last life. */
    record MoveFound(RoleWord order) implements Notice {}

    /**
     * The own move has reached a phase.
     *
     * @param held requests that the server had when its drain ended; it finishes them
     * @param detail what was said when it was rolled back, null when nothing
     */
    record MoveReached(MoveRecord entry, int held, @Nullable String detail) implements Notice {}

    /** A phase is not on disk. */
    record JournalFailed(String problem) implements Notice {}

    /** The server runs the file that was written last. */
    record FileApplied() implements Notice {}

    /**
     * The server has refused it.
     *
     * @param isPutBack whether the last good one of its role goes back; else there is none
     */
    record FileRefused(@Nullable String why, boolean isPutBack) implements Notice {}

    /** The server has not taken it in time. */
    record FileLate() implements Notice {}

    /** The server runs this role though its file says another one, which is written anew. */
    record ServerAstray(String role) implements Notice {}

    /**
     * A file could not be made or written.
     *
     * @param isFirst whether the one before could
     */
    record FileFailed(String why, boolean isFirst) implements Notice {}

    /** The role word of a node cannot be true; told once. */
    record WordFlawed(NodeId node, String why) implements Notice {}

    /** It can again. */
    record WordMended(NodeId node) implements Notice {}

    /** Operators have paused the decisions of the cluster, or let them go on, at another agent. */
    record PauseHeard(boolean isPaused) implements Notice {}

    /** A pause of the cluster will be forgotten with this life of the agent. */
    record PauseNotKept(String problem) implements Notice {}
}
