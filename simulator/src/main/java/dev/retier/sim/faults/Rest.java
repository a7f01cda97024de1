package dev.retier.sim.faults;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.view.RoleText;
import dev.retier.sim.cluster.Cluster;
import dev.retier.sim.service.Service;
import dev.retier.sim.service.Station;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.RoleWord.Phase;
import dev.retier.state.Tier;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Whether all is in order in a cluster that has come to rest. */
final class Rest {
    private final ClusterConfig config;
    private final Cluster cluster;
    private final Service service;

    Rest(ClusterConfig config, Cluster cluster, Service service) {
        this.config = config;
        this.cluster = cluster;
        this.service = service;
    }

    /**
     * A node that is not in one role, or whose server does not run it with the members that there are; an edge that
     * does not send to the proxies that there are.
     */
    Optional<String> disorder() {
        return IntStream.range(0, config.nodes().size())
                .mapToObj(this::disorder)
                .flatMap(Optional::stream)
                .findFirst()
                .or(() -> config.sites().stream()
                        .map(this::disorder)
                        .flatMap(Optional::stream)
                        .findFirst());
    }

    /** An empty list is never written, so that the last one stays. */
    private Optional<String> disorder(SiteConfig site) {
        List<Integer> proxies = members(Role.serving(site.id(), Tier.PROXY));
        List<Integer> sentTo = cluster.edge(site.id()).running();
        return proxies.isEmpty() || sentTo.equals(proxies)
                ? Optional.empty()
                : Optional.of("the edge of " + site.name() + " sends to " + sentTo + " instead of " + proxies);
    }

    private Optional<String> disorder(int node) {
        String name = config.nodes().get(node).name();
        RoleWord word = cluster.word(node);
        Station station = service.station(node);
        if (!cluster.isAgentUp(node) || !station.isUp() || word.phase() != Phase.ACTIVE) {
            return Optional.of(name + " is not at rest: " + word);
        }
        if (!station.plan().role().equals(word.to())) {
            return Optional.of(name + " is " + RoleText.of(word.to(), config) + " and runs "
                    + RoleText.of(station.plan().role(), config));
        }
        boolean isProxy = word.to() instanceof Role.Serving(var _, Tier tier) && tier == Tier.PROXY;
        List<Integer> apps = isProxy && word.to() instanceof Role.Serving(var site, var _)
                ? members(Role.serving(site, Tier.APP))
                : List.of();
        boolean isLast = isProxy && apps.isEmpty(); // an empty list is never written, so that the last one stays
        return isLast || station.plan().apps().equals(apps)
                ? Optional.empty()
                : Optional.of(name + " forwards to " + station.plan().apps() + " instead of " + apps);
    }

    private List<Integer> members(Role role) {
        return IntStream.range(0, config.nodes().size())
                .filter(node -> cluster.word(node).serves(role))
                .boxed()
                .toList();
    }

    /** What each node is. */
    List<Role> roles() {
        return IntStream.range(0, config.nodes().size())
                .mapToObj(node -> cluster.word(node).to())
                .toList();
    }
}
