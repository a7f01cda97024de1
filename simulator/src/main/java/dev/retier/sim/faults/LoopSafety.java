package dev.retier.sim.faults;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.move.MovePhase;
import dev.retier.agent.view.RoleText;
import dev.retier.sim.cluster.Cluster;
import dev.retier.sim.cluster.ClusterListener;
import dev.retier.sim.cluster.FrontEdge;
import dev.retier.sim.service.Plan;
import dev.retier.sim.service.Service;
import dev.retier.sim.service.Station;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.RoleWord.Phase;
import dev.retier.state.SiteId;
import dev.retier.state.Tier;

/**
 * Watches what each agent's loop promises: what is on disk before a switch begins, that no edge still sends to a proxy
 * which does, and that it never stands still.
 */
final class LoopSafety implements ClusterListener {
    private final ClusterConfig config;
    private final Cluster cluster;
    private final Service service;
    private final Verdict verdict;

    LoopSafety(ClusterConfig config, Cluster cluster, Service service, Verdict verdict) {
        this.service = service;
        this.config = config;
        this.cluster = cluster;
        this.verdict = verdict;
    }

    private String name(int node) {
        return config.nodes().get(node).name();
    }

    /** What a crash leaves must say that the server may be in either role. */
    @Override
    public void installed(int node, Plan plan) {
        RoleWord word = cluster.word(node);
        boolean isSwitch = word.phase() == Phase.ORDERED
                && plan.role().equals(word.to())
                && !plan.role().equals(word.from());
        boolean isKnown = cluster.journal(node).stream()
                .anyMatch(entry -> entry.word().equals(word) && entry.phase() == MovePhase.SWITCHING);
        if (isSwitch && !isKnown) {
            verdict.violated(name(node) + " hands over the file of " + RoleText.of(plan.role(), config)
                    + " before its journal has that it switches");
        }
        checkEdge(node, plan);
    }

    /** A proxy serves until nobody sends to it. */
    private void checkEdge(int node, Plan plan) {
        Station station = service.station(node);
        Role before = station.plan().role();
        boolean isLeaving = station.isUp() && !plan.role().equals(before);
        if (isLeaving && before instanceof Role.Serving(SiteId site, Tier tier) && tier == Tier.PROXY) {
            FrontEdge edge = cluster.edge(site);
            if (edge.isTelling() && edge.running().contains(node)) {
                verdict.violated(name(node) + " hands over the file of " + RoleText.of(plan.role(), config)
                        + " while the edge of " + RoleText.site(site, config) + " still sends to it");
            }
        }
    }

    @Override
    public void astray(int node, String what) {
        verdict.violated(name(node) + " " + what);
    }
}
