package dev.retier.agent.decide;

import static dev.retier.agent.decide.Decision.stay;

import dev.retier.agent.config.DecisionRules;
import dev.retier.agent.config.Mode;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.view.ClusterView;
import dev.retier.state.Role;
import dev.retier.state.Tier;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides for one site after one look (seed thesis, sections 3.2.3 to 3.2.6): a tier that has been pressed for T takes
 * a spare node, else a node of the site's other tier, if every rail allows it. Stateless; the same input gives the same
 * answer.
 */
public final class Decider {
    private Decider() {}

    /**
     * Stay or move.
     *
     * @param view the newest look
     * @param history up to and including that look
     * @param policy what to obey
     * @param site one of the policy's
     * @param nowNanos monotonic time of the look
     */
    public static Decision decide(ClusterView view, History history, Policy policy, SiteConfig site, long nowNanos) {
        TierTrend proxy = history.tier(site.id(), Tier.PROXY);
        TierTrend app = history.tier(site.id(), Tier.APP);
        if (proxy == null || app == null) {
            return stay(site.id(), StayReason.TOO_MUCH_UNKNOWN, "no look yet");
        }
        Case facts = new Case(view, history, policy, site, nowNanos, proxy, app);
        return facts.siteRail().orElseGet(facts::decide);
    }

    /** Everything that one decision looks at. */
    record Case(
            ClusterView view,
            History history,
            Policy policy,
            SiteConfig site,
            long nowNanos,
            TierTrend proxy,
            TierTrend app) {

        private Optional<Decision> siteRail() {
            if (policy.mode() == Mode.OBSERVE) {
                return refuse(StayReason.MODE_OBSERVE);
            }
            if (view.unknownShare() > rules().maxUnknownShare()) {
                return refuse(StayReason.TOO_MUCH_UNKNOWN);
            }
            return view.ordered(site.id()).isEmpty() ? Optional.empty() : refuse(StayReason.MOVE_IN_FLIGHT);
        }

        private Decision decide() {
            Tier receiver = receiver();
            if (receiver == null) {
                boolean isAnyPressed = proxy.isPressed() || app.isPressed();
                return no(isAnyPressed ? StayReason.PRESSURE_TOO_SHORT : StayReason.NO_PRESSURE);
            }
            return receiverRail(receiver)
                    .or(() -> Donors.spare(this, receiver))
                    .orElseGet(() -> Donors.otherTier(this, receiver));
        }

        /** The tier that has been pressed for T; of two, the one that has lost its nodes, then the more pressed. */
        private @Nullable Tier receiver() {
            long historyNanos = rules().takeHistory().toNanos();
            boolean isProxy = proxy.isPressedFor(historyNanos, nowNanos);
            boolean isApp = app.isPressedFor(historyNanos, nowNanos);
            if (isProxy && isApp) {
                return isMorePressed(app, proxy) ? Tier.APP : Tier.PROXY;
            }
            if (isProxy) {
                return Tier.PROXY;
            }
            return isApp ? Tier.APP : null;
        }

        private static boolean isMorePressed(TierTrend left, TierTrend right) {
            return left.isBelowMinimum() != right.isBelowMinimum() ? left.isBelowMinimum() : left.mean() > right.mean();
        }

        private Optional<Decision> receiverRail(Tier receiver) {
            TierTrend pressed = trend(receiver);
            if (!pressed.isFresh()) {
                return refuse(StayReason.SETTLING);
            }
            if (pressed.members().size() >= site.bounds(receiver).max()) {
                return refuse(StayReason.RECEIVER_AT_MAXIMUM);
            }
            if (history.isResting(site.id(), rules().coolDownSite().toNanos(), nowNanos)) {
                return refuse(StayReason.SITE_COOL_DOWN);
            }
            boolean isSpent = history.movesLastHour(site.id(), nowNanos) >= rules().movesPerHour();
            return isSpent ? refuse(StayReason.MOVE_BUDGET_SPENT) : Optional.empty();
        }

        DecisionRules rules() {
            return policy.rules();
        }

        TierTrend trend(Tier tier) {
            return tier == Tier.PROXY ? proxy : app;
        }

        Role role(Tier tier) {
            return Role.serving(site.id(), tier);
        }

        Decision no(StayReason reason) {
            return stay(site.id(), reason, figures());
        }

        private Optional<Decision> refuse(StayReason reason) {
            return Optional.of(no(reason));
        }

        String figures() {
            return String.format(Locale.ROOT, "proxy %s, app %s", figures(proxy), figures(app));
        }

        private String figures(TierTrend trend) {
            String load = trend.known() == 0 ? "?" : String.format(Locale.ROOT, "%.2f", trend.mean());
            double seconds = (nowNanos - trend.directionSinceNanos()) / 1e9;
            String since = String.format(Locale.ROOT, "%s for %.1f s", word(trend.direction()), seconds);
            return load + " on " + trend.members().size() + " (" + since + ")";
        }

        private static String word(TierTrend.Direction direction) {
            return direction.name().toLowerCase(Locale.ROOT);
        }
    }
}
