package dev.retier.agent.move;

import dev.retier.agent.status.ServerStatus;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.SiteId;
import dev.retier.state.Tier;
import java.time.Duration;

/**
 * Whether a server has gone quiet: no request has come for the quiet time. What it still holds is no matter, because
 * every kind answers it across a switch: a web-node by its plan per request, the others by the processes that a
 * graceful reload lets finish. A proxy tells the age of its last client request, so one that was idle before is quiet
 * at once; for others the time is measured here.
 */
final class Drain {
    private static final double NANOS_PER_SECOND = 1e9;

    private final long quietNanos;
    private final boolean changesRoleAtRunTime;
    private boolean hasSample;
    private int held;
    private long requests;
    private long quietSinceNanos;

    /** Of a node that does, or does not, go from one tier to the other without a gap. */
    Drain(Duration quietTime, boolean changesRoleAtRunTime) {
        this.changesRoleAtRunTime = changesRoleAtRunTime;
        this.quietNanos = quietTime.toNanos();
    }

    /**
     * Whether there is nothing to wait for, whatever else the server is asked, for other sites or by clients that go by
     * no list: no list named it, or what was sent to the old role and comes once the new one is taken is answered
     * rightly.
     */
    boolean isNeedless(RoleWord order) {
        return !(order.from() instanceof Role.Serving(SiteId from, Tier _))
                || (changesRoleAtRunTime && order.to() instanceof Role.Serving(SiteId to, Tier _) && from.equals(to));
    }

    /** Before a move of which nothing is known yet. */
    void forget() {
        held = 0;
        hasSample = false;
    }

    /** Takes note of what the server has, which is whole and still in its old role. */
    void see(ServerStatus status) {
        held = status.inFlight();
    }

    /** How many requests the server had by that: it finishes them, whatever its role is then. */
    int held() {
        return held;
    }

    /**
     * Whether it is, by a status that was asked for at {@code askedAtNanos} and is read now: what came in between it
     * may not tell.
     */
    boolean isQuiet(Role oldRole, ServerStatus status, long askedAtNanos, long nowNanos) {
        if (!hasSample || status.requests() != requests) {
            quietSinceNanos = nowNanos;
        }
        hasSample = true;
        requests = status.requests();
        return askedAtNanos - quietSinceNanos >= quietNanos || isQuietProxy(oldRole, status);
    }

    private boolean isQuietProxy(Role oldRole, ServerStatus status) {
        boolean isProxy = oldRole instanceof Role.Serving(var _, Tier tier) && tier == Tier.PROXY;
        Double age = status.lastClientRequestAgeSeconds();
        return isProxy && (age == null || age * NANOS_PER_SECOND >= quietNanos);
    }
}
