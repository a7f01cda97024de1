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
 * @param sinceNanos since when without a break it has been short, or not
 */
record SiteTrend(double deliveredPerSecond, boolean isShort, long sinceNanos) {

    /** What one look shows of a site. */
    record Look(double deliveredPerSecond, @Nullable Double guarantee, TierTrend proxy, TierTrend app, long nowNanos) {
        /** Sums up what the proxies answer; an unknown one is not counted. */
        static Look of(ClusterView view, SiteConfig site, Map<Role.Serving, TierTrend> tiers, long nowNanos) {
            Role.Serving proxies = new Role.Serving(site.id(), Tier.PROXY);
            Role.Serving apps = new Role.Serving(site.id(), Tier.APP);
            double delivered = 0;
            for (NodeView node : view.serving(proxies)) {
                delivered += answered(node);
            }
            return new Look(
                    delivered,
                    site.guaranteeRequestsPerSecond(),
                    Objects.requireNonNull(tiers.get(proxies)),
                    Objects.requireNonNull(tiers.get(apps)),
                    nowNanos);
        }

        /** What {@code before} becomes by this look. */
        Spells tell(Spells before, double threshold) {
            if (!proxy.isFresh() || !app.isFresh() || proxy.known() == 0) {
                return before.blind(nowNanos);
            }
            double ofProxies = way(proxy, threshold);
            double ofApps = way(app, threshold);
            Limit limit =
                    Math.max(ofProxies, ofApps) <= 0 ? Limit.NEITHER : ofProxies >= ofApps ? Limit.PROXY : Limit.APP;
            double answered = deliveredPerSecond > 0 ? deliveredPerSecond : 1;
            return before.after(
                    limit,
                    new Load.Look(
                            answered,
                            proxy.mean() * proxy.capacity(),
                            app.mean() * app.capacity(),
                            Math.max(0, Math.max(ofProxies, ofApps))),
                    nowNanos);
        }

        /** How far a tier is on the way from the threshold, 0, to all used, 1; negative below the threshold. */
        private static double way(TierTrend tier, double threshold) {
            return tier.known() == 0 ? -1 : (tier.pressure() - threshold - TierSample.ROUNDING) / (1 - threshold);
        }

        private boolean isShort() {
            return guarantee != null && deliveredPerSecond < guarantee && (proxy.isPressed() || app.isPressed());
        }
    }

    /** Before the first look, at {@code nowNanos}. */
    static SiteTrend none(long nowNanos) {
        return new SiteTrend(0, false, nowNanos);
    }

    /**
     * After one more look. While the members of the proxy tier settle, what they deliver says nothing, so all stays as
     * it was.
     */
    SiteTrend after(Look look) {
        if (!look.proxy.isFresh()) {
            return this;
        }
        return new SiteTrend(
                look.deliveredPerSecond, look.isShort(), look.isShort() == isShort ? sinceNanos : look.nowNanos);
    }

    private static double answered(NodeView node) {
        LoadRecord load = node.standingLoad();
        return load == null ? 0 : load.requestsPerSecond();
    }

    /** Whether it has been short without a break for {@code historyNanos}. */
    boolean isShortFor(long historyNanos, long nowNanos) {
        return isShort && nowNanos - sinceNanos >= historyNanos;
    }
}
