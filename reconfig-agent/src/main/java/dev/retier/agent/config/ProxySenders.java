package dev.retier.agent.config;

import java.util.List;

/**
 * Who sends to the proxies of a site: an edge of retier, which says what it runs, or somebody who says nothing and is
 * given time. Stateless.
 */
final class ProxySenders {
    private ProxySenders() {}

    /** Of sites of which the file says neither: a proxy would leave whoever it is that still sends to it. */
    static List<ConfigWarning> warnings(List<SiteConfig> sites, List<EdgeConfig> edges) {
        return sites.stream()
                .filter(site -> site.proxyHold() == null)
                .filter(site -> edges.stream().noneMatch(edge -> edge.site().equals(site.id())))
                .map(ProxySenders::warning)
                .toList();
    }

    private static ConfigWarning warning(SiteConfig site) {
        return new ConfigWarning(
                "sites." + site.name(),
                "site " + site.name() + " has neither an edge nor a proxy-hold, so a proxy of it leaves at once,"
                        + " whoever still sends to it; name what stands before its proxies under edges, or set"
                        + " proxy-hold to the time in which senders learn of new targets (0s: they do at once)");
    }
}
