package dev.retier.sim.cluster;

import dev.retier.agent.command.Answer;
import dev.retier.agent.decide.Decision;
import dev.retier.agent.move.MoveRecord;
import dev.retier.agent.move.MoverEffect;
import dev.retier.agent.view.ClusterView;
import dev.retier.link.NodeId;
import dev.retier.sim.service.Plan;
import dev.retier.state.LoadRecord;
import dev.retier.state.RoleWord;
import dev.retier.state.SiteId;
import java.util.List;
import java.util.Map;

/** Hears, at the moment when it happens and by the true state of all, what a cluster does. Nodes are indices. */
public interface ClusterListener {
    /** Nobody listens. */
    ClusterListener NONE = new ClusterListener() {};

    /**
     * An order on its way.
     *
     * @param mover who orders
     * @param target who is to move
     * @param move what was decided
     * @param together all moves that are ordered at once, this one included
     * @param terms under which the mover holds the locks
     * @param view what it decided upon
     */
    record Order(
            int mover,
            int target,
            RoleWord expected,
            RoleWord next,
            Decision.Move move,
            List<Decision.Move> together,
            Map<SiteId, Long> terms,
            ClusterView view) {
        /** Whether that node was ordered to move at the same time. */
        public boolean isTogetherWith(NodeId node) {
            return together.stream().anyMatch(other -> other.node().equals(node));
        }
    }

    /** An agent has looked. */
    default void looked(int node, ClusterView view) {}

    /** An agent has decided. */
    default void decided(int node, Decision decision) {}

    /**
     * An agent has concluded that it holds the move lock of a site. {@code isSafe}: and may act by it; not so when the
     * answer reached a process that had been paused for longer than the lease.
     */
    default void acquired(int node, SiteId site, long term, boolean isSafe) {}

    /** A fence of a holder has changed a role word. */
    default void fenced(int target, int mover, SiteId site, long term) {}

    /** An order is sent: after the second look, with a lease that is safe. */
    default void ordering(Order order) {}

    /** An order has changed a role word; that may be long after it was sent. */
    default void ordered(Order order) {}

    /** A mover is done with what it wanted. */
    default void finished(int mover, MoverEffect.Finished how) {}

    /** An agent has told an operator what became of a command. */
    default void answered(int node, long ticket, Answer answer) {}

    /** A role word has changed. */
    default void wordChanged(int node, RoleWord before, RoleWord now) {}

    /** The memory of a node that has started again begins with this role word. */
    default void wordAtBoot(int node, RoleWord now) {}

    /** A move has reached a phase. */
    default void reached(int node, MoveRecord entry) {}

    /** A node has published its load. */
    default void published(int node, LoadRecord load) {}

    /** A node has handed another file to its server. */
    default void installed(int node, Plan plan) {}

    /** The loop of an agent has done what it must not. */
    default void astray(int node, String what) {}

    /** A server runs another file. */
    default void ran(int node, Plan plan) {}
}
