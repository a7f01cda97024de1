package dev.retier.agent.move;

import dev.retier.agent.decide.Decision;
import dev.retier.agent.decide.StayReason;
import dev.retier.link.NodeId;
import dev.retier.state.RoleWord;
import dev.retier.state.SiteId;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the mover wants done, in this order; each names the event that answers it. */
public sealed interface MoverEffect {
    /**
     * Try for the move locks of these sites, in this order, all or none: {@code LockAcquired}, {@code LockHeld} or
     * {@code LockUnavailable}.
     */
    record TryLock(List<SiteId> sites) implements MoverEffect {}

    /** Fence the role words that each site may change: {@code Fenced}. */
    record Fence(List<SiteId> sites) implements MoverEffect {}

    /**
     * Look and decide again for the site, with only these nodes to be moved: {@code LookedAgain}.
     *
     * @param rest what is left of a change that has begun, which is only to be judged; null to decide anew
     */
    record LookAgain(SiteId site, Set<NodeId> movable, Decision.@Nullable Change rest) implements MoverEffect {}

    /**
     * Compare and set these role words, all at once: {@code Answered}.
     *
     * @param change what was decided; these are its first wave
     */
    record Order(Decision.Change change, List<Ordering> orders) implements MoverEffect {
        /** Keeps its own copy. */
        public Order {
            orders = List.copyOf(orders);
        }
    }

    /** One of them. */
    record Ordering(Decision.Move move, RoleWord expected, RoleWord next) {}

    /** Wake the agents of these nodes, which have been ordered to move and tell all others; nothing answers. */
    record Wake(Set<NodeId> nodes) implements MoverEffect {}

    /** Renew all leases: {@code Renewed}. */
    record Renew() implements MoverEffect {}

    /** Release all locks; nothing answers. */
    record Release() implements MoverEffect {}

    /** The order stands; nothing answers. */
    record Ordered(Decision.Move move, RoleWord word) implements MoverEffect {}

    /**
     * The mover is done with these moves of a change; nothing answers. Each is told of once; with the last of them the
     * mover is idle again.
     *
     * @param site for which the change was made
     * @param result how they ended
     * @param refusal why they were not ordered; null when they were
     */
    record Finished(
            SiteId site,
            List<Decision.Move> moves,
            MoverResult result,
            @Nullable StayReason refusal,
            String detail) implements MoverEffect {
        /** Keeps its own copy. */
        public Finished {
            moves = List.copyOf(moves);
        }
    }
}
