package dev.retier.agent.view;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.SiteConfig;
import dev.retier.state.Role;
import dev.retier.state.SiteId;
import dev.retier.state.Tier;
import java.util.Optional;
import java.util.stream.Stream;

/** Roles as people and files write them: {@code shop/proxy}, {@code shop/app}, {@code spare}, {@code drained}. */
public final class RoleText {
    /** How a role that an operator keeps empty is written. */
    public static final String DRAINED = "drained";

    private RoleText() {}

    /** The role with the site's name, or its number if the site is not configured. */
    public static String of(Role role, ClusterConfig config) {
        return switch (role) {
            case Role.Spare _ -> tier(role);
            case Role.Drained _ -> DRAINED;
            case Role.Serving(SiteId site, Tier _) -> site(site, config) + "/" + tier(role);
        };
    }

    /**
     * What {@link #of} has printed for a role of this cluster; empty for a text that names none.
     *
     * @param text {@code spare}, {@code drained}, or the name of a site with {@code /proxy} or {@code /app}
     */
    public static Optional<Role> parse(String text, ClusterConfig config) {
        if (text.equals(tier(Role.SPARE))) {
            return Optional.of(Role.SPARE);
        }
        if (text.equals(DRAINED)) {
            return Optional.of(Role.DRAINED);
        }
        return config.sites().stream()
                .flatMap(site -> Stream.of(Tier.values()).map(tier -> Role.serving(site.id(), tier)))
                .filter(role -> of(role, config).equals(text))
                .findFirst();
    }

    /** What the server does: {@code proxy}, {@code app}, or {@code spare}, which a drained one is to it. */
    public static String tier(Role role) {
        return switch (role) {
            case Role.Spare _, Role.Drained _ -> "spare";
            case Role.Serving(SiteId _, Tier tier) -> tier == Tier.PROXY ? "proxy" : "app";
        };
    }

    /** The name of the site that the role serves, as generated files have it; empty for none. */
    public static Optional<String> site(Role role, ClusterConfig config) {
        return switch (role) {
            case Role.Spare _, Role.Drained _ -> Optional.empty();
            case Role.Serving(SiteId site, Tier _) -> Optional.of(site(site, config));
        };
    }

    /** The site's name, or its number if it is not configured. */
    public static String site(SiteId id, ClusterConfig config) {
        return config.site(id).map(SiteConfig::name).orElseGet(() -> "site-" + id.value());
    }
}
