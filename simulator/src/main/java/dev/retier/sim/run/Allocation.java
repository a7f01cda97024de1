package dev.retier.sim.run;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.SiteConfig;
import dev.retier.state.Role;
import dev.retier.state.Tier;
import java.util.ArrayList;
import java.util.List;

/**
 * How many nodes each tier of each site has.
 *
 * @param proxies by site, in the order of the configuration
 * @param apps by site
 */
public record Allocation(List<Integer> proxies, List<Integer> apps) {
    /** Keeps its own copies. */
    public Allocation {
        proxies = List.copyOf(proxies);
        apps = List.copyOf(apps);
    }

    /** One site. */
    public static Allocation of(int proxies, int apps) {
        return new Allocation(List.of(proxies), List.of(apps));
    }

    /** What the configuration's initial roles come to. */
    public static Allocation of(ClusterConfig config) {
        return of(
                config, config.nodes().stream().map(node -> node.initialRole()).toList());
    }

    static Allocation of(ClusterConfig config, List<Role> roles) {
        List<Integer> proxies = new ArrayList<>();
        List<Integer> apps = new ArrayList<>();
        for (SiteConfig site : config.sites()) {
            proxies.add(count(roles, Role.serving(site.id(), Tier.PROXY)));
            apps.add(count(roles, Role.serving(site.id(), Tier.APP)));
        }
        return new Allocation(proxies, apps);
    }

    private static int count(List<Role> roles, Role wanted) {
        return (int) roles.stream().filter(wanted::equals).count();
    }

    /** All nodes that serve. */
    public int nodes() {
        return proxies.stream().mapToInt(Integer::intValue).sum()
                + apps.stream().mapToInt(Integer::intValue).sum();
    }

    /** A role for each node: the first ones are the first site's proxies, then its apps; what is left is spare. */
    public List<Role> roles(ClusterConfig config) {
        List<Role> roles = new ArrayList<>();
        for (int site = 0; site < proxies.size(); site++) {
            for (int node = 0; node < proxies.get(site); node++) {
                roles.add(Role.serving(config.sites().get(site).id(), Tier.PROXY));
            }
            for (int node = 0; node < apps.get(site); node++) {
                roles.add(Role.serving(config.sites().get(site).id(), Tier.APP));
            }
        }
        while (roles.size() < config.nodes().size()) {
            roles.add(Role.SPARE);
        }
        return roles;
    }

    /** Such as {@code 2p+5a}, one for each site. */
    @Override
    public String toString() {
        List<String> sites = new ArrayList<>();
        for (int site = 0; site < proxies.size(); site++) {
            sites.add(proxies.get(site) + "p+" + apps.get(site) + "a");
        }
        return String.join(" ", sites);
    }
}
