package dev.retier.agent.view;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.SiteConfig;
import dev.retier.state.Role;
import dev.retier.state.SiteId;
import dev.retier.state.Tier;

/** Roles as people and files write them: {@code shop/proxy}, {@code shop/app}, {@code spare}. */
public final class RoleText {
    private RoleText() {}

    /** The role with the site's name, or its number if the site is not configured. */
    public static String of(Role role, ClusterConfig config) {
        return switch (role) {
            case Role.Spare _ -> tier(role);
            case Role.Serving(SiteId site, Tier _) -> site(site, config) + "/" + tier(role);
        };
    }

    /** {@code proxy}, {@code app} or {@code spare}. */
    public static String tier(Role role) {
        return switch (role) {
            case Role.Spare _ -> "spare";
            case Role.Serving(SiteId _, Tier tier) -> tier == Tier.PROXY ? "proxy" : "app";
        };
    }

    /** The site's name, or its number if it is not configured. */
    public static String site(SiteId id, ClusterConfig config) {
        return config.site(id).map(SiteConfig::name).orElseGet(() -> "site-" + id.value());
    }
}
