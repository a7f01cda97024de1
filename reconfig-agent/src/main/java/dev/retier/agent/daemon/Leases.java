package dev.retier.agent.daemon;

import dev.retier.agent.loop.LoopEffect;
import dev.retier.agent.loop.LoopEvent;
import dev.retier.link.NodeId;
import dev.retier.state.LockOutcome;
import dev.retier.state.MoveLease;
import dev.retier.state.RoleWord;
import dev.retier.state.SharedState;
import dev.retier.state.SiteId;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The move locks that this node holds. Owned by the control loop. */
final class Leases {
    private final SharedState state;
    private final Map<SiteId, MoveLease> leases = new LinkedHashMap<>();

    Leases(SharedState state) {
        this.state = state;
    }

    LoopEvent tryLock(SiteId site) {
        return switch (state.tryAcquireMoveLock(site)) {
            case LockOutcome.Acquired(MoveLease acquired) -> {
                leases.put(site, acquired);
                yield new LoopEvent.LockTaken();
            }
            case LockOutcome.Held held -> new LoopEvent.LockHeld(held.holder());
            case LockOutcome.Unavailable(String reason) -> new LoopEvent.LockUnavailable(reason);
        };
    }

    LoopEvent fence(List<LoopEffect.Fence.Words> sites) {
        Map<NodeId, RoleWord> fenced = new HashMap<>();
        for (LoopEffect.Fence.Words words : sites) {
            MoveLease lease = leases.get(words.site());
            if (lease != null) {
                fenced.putAll(state.fence(lease, words.seen()));
            }
        }
        return new LoopEvent.Fenced(fenced);
    }

    /** Whether all that are held are safe; true of none. */
    boolean areSafe() {
        return leases.values().stream().allMatch(MoveLease::isSafe);
    }

    LoopEvent renew() {
        boolean isEveryOneHeld = !leases.isEmpty();
        for (MoveLease lease : leases.values()) {
            isEveryOneHeld &= lease.renew();
        }
        return new LoopEvent.Renewed(isEveryOneHeld);
    }

    void release() {
        leases.values().forEach(MoveLease::release);
        leases.clear();
    }
}
