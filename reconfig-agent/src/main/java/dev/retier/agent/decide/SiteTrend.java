package dev.retier.agent.decide;

import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.view.ClusterView;
import dev.retier.agent.view.NodeView;
import dev.retier.state.LoadRecord;
import dev.retier.state.Role;
import dev.retier.state.Tier;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a site delivers, and whether it keeps its promise.
 *
 * @param deliveredPerSecond client requests per second that its proxies answer
 * @param isShort whether that is less than its guarantee while a tier of it is pressed
 * @param answerSeconds how long an answer takes: requests that are under way over those that are answered (Little's
 *     law); infinite when some are under way and none is answered
 */
public record SiteTrend(double deliveredPerSecond, boolean isShort, double answerSeconds) {
    private static final SiteTrend NONE = new SiteTrend(0, false, 0);
    /** A tier shows that share of what it is asked for, at least, while a change of members holds its site back. */
    private static final double HELD_BACK = 0.5;

    /** What one look shows of a site. */
    record Look(
            double deliveredPerSecond,
            int underWay,
            @Nullable Double guarantee,
            TierTrend proxy,
            TierTrend app,
            long nowNanos) {
        /** Sums up what the proxies answer and what is under way in them; an unknown one is not counted. */
        static Look of(ClusterView view, SiteConfig site, Map<Role.Serving, TierTrend> tiers, long nowNanos) {
            Role.Serving proxies = new Role.Serving(site.id(), Tier.PROXY);
            Role.Serving apps = new Role.Serving(site.id(), Tier.APP);
            double delivered = 0;
            int underWay = 0;
            for (NodeView node : view.serving(proxies)) {
                LoadRecord load = node.standingLoad();
                delivered += load == null ? 0 : load.requestsPerSecond();
                underWay += load == null ? 0 : load.requestsInService();
            }
            return new Look(
                    delivered,
                    underWay,
                    site.guaranteeRequestsPerSecond(),
                    Objects.requireNonNull(tiers.get(proxies)),
                    Objects.requireNonNull(tiers.get(apps)),
                    nowNanos);
        }

        /** What {@code before} becomes by this look; see {@link Spells#after}. */
        Spells tell(Spells before, double threshold, long freshNanos) {
            if (!proxy.isFresh() || !app.isFresh() || proxy.known() == 0 || app.known() == 0) {
                return before.blind(nowNanos);
            }
            double ofProxies = way(proxy, threshold);
            double ofApps = way(app, threshold);
            Limit limit = limit(before, ofProxies, ofApps, threshold);
            Load.Look figures =
                    new Load.Look(deliveredPerSecond, used(proxy), used(app), Math.max(0, Math.max(ofProxies, ofApps)));
            if (limit == Limit.NEITHER) {
                return before.after(new Spells.Seen(limit, 0, figures, false), freshNanos, nowNanos);
            }
            boolean isOtherPressed = way(limit == Limit.PROXY ? app : proxy, threshold) > 0;
            return before.after(
                    new Spells.Seen(limit, tier(limit).capacity(), figures, isOtherPressed), freshNanos, nowNanos);
        }

        /**
         * A kind of load lasts as long as its tier is pressed, as with the split that suits it the other one may be,
         * too; and while its own would be with the nodes that it had at first, unless the other one came to be pressed
         * since members changed last. One that the change itself has pressed answers less than before, so that the own
         * one has less to do.
         */
        private Limit limit(Spells before, double ofProxies, double ofApps, double threshold) {
            Limit kind = before.kind();
            boolean isPressed = kind != Limit.NEITHER && way(tier(kind), threshold) > 0;
            boolean isCalm = Math.max(ofProxies, ofApps) <= 0;
            double enough = isCalm ? threshold : before.isUpset() ? HELD_BACK * threshold : Double.POSITIVE_INFINITY;
            boolean isMended =
                    kind != Limit.NEITHER && used(tier(kind)) > (enough + TierSample.ROUNDING) * before.units();
            if (isPressed || isMended) {
                return kind;
            }
            return isCalm ? Limit.NEITHER : ofProxies >= ofApps ? Limit.PROXY : Limit.APP;
        }

        private TierTrend tier(Limit limit) {
            return limit == Limit.PROXY ? proxy : app;
        }

        private static double used(TierTrend tier) {
            return tier.pressure() * tier.capacity();
        }

        /** How far a tier is on the way from the threshold, 0, to all used, 1; negative below the threshold. */
        private static double way(TierTrend tier, double threshold) {
            return (tier.pressure() - threshold - TierSample.ROUNDING) / (1 - threshold);
        }

        private boolean isShort() {
            return guarantee != null && deliveredPerSecond < guarantee && (proxy.isPressed() || app.isPressed());
        }

        private double answerSeconds() {
            return underWay == 0 ? 0 : underWay / deliveredPerSecond;
        }
    }

    /** Before the first look. */
    static SiteTrend none() {
        return NONE;
    }

    /**
     * After one more look. While the members of the proxy tier settle, what they deliver says nothing, so all stays as
     * it was.
     */
    SiteTrend after(Look look) {
        if (!look.proxy.isFresh()) {
            return this;
        }
        return new SiteTrend(look.deliveredPerSecond, look.isShort(), look.answerSeconds());
    }
}
