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
 * What a site delivers, and what its tiers can: learnt while running, so that a change of the mix of requests or of
 * the machines is taken over within a few looks.
 *
 * @param deliveredPerSecond client requests per second that its proxies answer
 * @param isShort whether that is less than its guarantee while a tier of it is pressed
 * @param sinceNanos since when without a break it has been short, or not
 * @param proxyRequests client requests per second and unit of proxy capacity fully used
 * @param appRequests client requests per second and unit of app capacity fully used
 * @param busyProxyRequests the same of proxies, but only from looks at which they were pressed
 * @param busyAppRequests the same of apps
 */
record SiteTrend(
        double deliveredPerSecond,
        boolean isShort,
        long sinceNanos,
        RecentMedian proxyRequests,
        RecentMedian appRequests,
        RecentMedian busyProxyRequests,
        RecentMedian busyAppRequests) {
    /** Below this a tier hardly works, and the ratio of two small figures tells nothing. */
    private static final double LEAST_UTILISATION = 0.2;

    private static final RecentMedian NOTHING = RecentMedian.none();

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
        return new SiteTrend(0, false, nowNanos, NOTHING, NOTHING, NOTHING, NOTHING);
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
                look.deliveredPerSecond,
                look.isShort(),
                look.isShort() == isShort ? sinceNanos : look.nowNanos,
                learn(proxyRequests, look.deliveredPerSecond, look.proxy),
                learn(appRequests, look.deliveredPerSecond, look.app),
                learnBusy(busyProxyRequests, look, look.proxy),
                learnBusy(busyAppRequests, look, look.app));
    }

    private static double answered(NodeView node) {
        LoadRecord load = node.standingLoad();
        return load == null ? 0 : load.requestsPerSecond();
    }

    private static RecentMedian learn(RecentMedian figures, double delivered, TierTrend tier) {
        boolean isTelling = tier.isFresh() && tier.mean() >= LEAST_UTILISATION && delivered > 0;
        return isTelling ? figures.with(delivered / (tier.mean() * tier.capacity())) : figures;
    }

    private static RecentMedian learnBusy(RecentMedian figures, Look look, TierTrend tier) {
        boolean isLasting = tier.isPressedFor(1, look.nowNanos);
        return isLasting ? learn(figures, look.deliveredPerSecond, tier) : figures;
    }

    /** Whether it has been short without a break for {@code historyNanos}. */
    boolean isShortFor(long historyNanos, long nowNanos) {
        return isShort && nowNanos - sinceNanos >= historyNanos;
    }

    /** Requests per second that {@code capacity} of a tier can carry with the present mix; 0 if not yet learnt. */
    double carried(Tier tier, double capacity) {
        return (tier == Tier.PROXY ? proxyRequests : appRequests).value() * capacity;
    }

    /** Requests per second that {@code capacity} of a tier carries of what presses that tier; 0 if not yet learnt. */
    double carriedWhenBusy(Tier tier, double capacity) {
        return (tier == Tier.PROXY ? busyProxyRequests : busyAppRequests).value() * capacity;
    }
}
