package dev.retier.agent.daemon;

import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.config.TierBounds;
import dev.retier.agent.decide.SiteTrend;
import dev.retier.agent.decide.TierTrend;
import dev.retier.agent.decide.TierTrend.Direction;
import dev.retier.agent.view.RoleText;
import dev.retier.state.Role;
import dev.retier.state.Tier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What each site delivers and was promised, and how its tiers stand, as the status page tells it. Stateless. */
final class SitesPage {
    private static final double NANOS_PER_SECOND = 1e9;

    private SitesPage() {}

    /** Adds them; of what is not known yet there are no figures. */
    static void show(ArrayNode out, LoopState now) {
        for (SiteConfig site : now.config().sites()) {
            ObjectNode one = out.addObject().put("site", site.name()).put("priority", site.priority());
            SiteTrend trend = now.history().site(site.id());
            if (trend != null) {
                one.put("delivered_requests_per_second", trend.deliveredPerSecond());
            }
            Double guarantee = site.guaranteeRequestsPerSecond();
            if (guarantee != null) {
                one.put("guarantee_requests_per_second", guarantee);
                one.put("guarantee_kept", trend == null || !trend.isShort());
            }
            ArrayNode tiers = one.putArray("tiers");
            for (Tier tier : Tier.values()) {
                ObjectNode shown = tiers.addObject().put("tier", RoleText.tier(Role.serving(site.id(), tier)));
                tier(shown, now.history().tier(site.id(), tier), now.atNanos());
                TierBounds bounds = site.bounds(tier);
                shown.put("take_threshold_ratio", now.config().decision().takeThreshold())
                        .put("min", bounds.min())
                        .put("max", bounds.max());
            }
        }
    }

    private static void tier(ObjectNode out, @Nullable TierTrend tier, long nowNanos) {
        if (tier == null) {
            return;
        }
        out.put("nodes", tier.members().size());
        if (tier.known() > 0) {
            out.put("utilisation_ratio", tier.pressure());
        }
        double seconds = (nowNanos - tier.directionSinceNanos()) / NANOS_PER_SECOND;
        out.put("pressed_seconds", tier.direction() == Direction.PRESSED ? seconds : 0);
        out.put("calm_seconds", tier.direction() == Direction.CALM ? seconds : 0);
    }
}
