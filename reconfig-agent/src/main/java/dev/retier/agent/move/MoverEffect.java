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

    /** Look and decide again for the site that takes, with only these nodes to be moved: {@code LookedAgain}. */
    record LookAgain(SiteId site, Set<NodeId> movable) implements MoverEffect {}

    /** Compare and set a role word: {@code Answered}. */
    record Order(Decision.Move move, RoleWord expected, RoleWord next) implements MoverEffect {}

    /** Wake the other agents, so that they look; nothing answers. */
    record Announce() implements MoverEffect {}

    /** Renew all leases: {@code Renewed}. */
    record Renew() implements MoverEffect {}

    /** Release all locks; nothing answers. */
    record Release() implements MoverEffect {}

    /** The order stands; nothing answers. */
    record Ordered(Decision.Move move, RoleWord word) implements MoverEffect {}

    /**
     * The mover is idle again; nothing answers.
     *
     * @param result how it ended
     * @param refusal why nothing was ordered; null when something was
     */
    record Finished(
            Decision.Move move,
            MoverResult result,
            @Nullable StayReason refusal,
            String detail) implements MoverEffect {}
}
