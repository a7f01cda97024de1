package dev.retier.agent.move;

import dev.retier.agent.status.ServerPage;
import dev.retier.agent.status.ServerStatus;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.SiteId;
import dev.retier.state.Tier;
import java.time.Duration;
import java.util.Set;

/**
 * Whether a server has gone quiet: no request has come for the quiet time, or, where none are counted, nobody has been
 * connected for so long. What it still holds is no matter unless the node is to be drained, because
 * every kind answers it across a switch: a web-node by its plan per request, the others by the processes that a
 * graceful reload lets finish. A proxy tells the age of its last client request, so one that was idle before is quiet
 * at once; for others the time is measured here.
 */
final class Drain {
    private static final double NANOS_PER_SECOND = 1e9;

    private final long quietNanos;
    private final Set<Tier> answersLate;
    private boolean hasSample;
    private int held;
    private long requests;
    private long quietSinceNanos;

    /** Of a node that leaves these tiers for the other one without a gap. */
    Drain(Duration quietTime, Set<Tier> answersLate) {
        this.answersLate = Set.copyOf(answersLate);
        this.quietNanos = quietTime.toNanos();
    }

    /**
     * Whether there is nothing to wait for, whatever else the server is asked, for other sites or by clients that go by
     * no list: no list named it, or what was sent to the old role and comes once the new one is taken is answered
     * rightly.
     */
    boolean isNeedless(RoleWord order) {
        return !(order.from() instanceof Role.Serving(SiteId from, Tier tier))
                || (answersLate.contains(tier)
                        && order.to() instanceof Role.Serving(SiteId to, Tier _)
                        && from.equals(to));
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
     * may not tell. A node that is drained may be stopped next, so it has also answered what it had.
     */
    boolean isQuiet(RoleWord order, ServerStatus status, long askedAtNanos, long nowNanos) {
        boolean isAsked =
                status.requests() == ServerPage.UNCOUNTED ? status.inFlight() > 0 : status.requests() != requests;
        if (!hasSample || isAsked) {
            quietSinceNanos = nowNanos;
        }
        hasSample = true;
        requests = status.requests();
        boolean isLeft = order.to().equals(Role.DRAINED) && status.inFlight() > 0;
        return !isLeft && (askedAtNanos - quietSinceNanos >= quietNanos || isQuietProxy(order.from(), status));
    }

    private boolean isQuietProxy(Role oldRole, ServerStatus status) {
        boolean isProxy = oldRole instanceof Role.Serving(var _, Tier tier) && tier == Tier.PROXY;
        Double age = status.lastClientRequestAgeSeconds();
        return isProxy && (age == null || age * NANOS_PER_SECOND >= quietNanos);
    }
}
