package dev.retier.agent.render;

import dev.retier.agent.config.Timing;
import dev.retier.agent.view.ClusterView;
import dev.retier.agent.view.NodeView;
import dev.retier.balance.AppLoad;
import dev.retier.balance.Loads;
import dev.retier.link.NodeId;
import dev.retier.state.LoadRecord;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.Tier;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** What a proxy is told of how busy its apps are. Stateless. */
public final class AppLoads {
    private AppLoads() {}

    /**
     * The loads of the apps of the site of which {@code self} is a proxy, or becomes or was one in a move; empty if it
     * is none. A node whose load nobody knows now is left out.
     *
     * @param name what the server calls a node; empty for one in which nobody counts requests: it is dealt with as if
     *     nothing were known of it, as none that are held and none that come would be false
     * @param number another one with each look
     */
    public static Optional<Loads> of(
            ClusterView view, NodeId self, Timing timing, Function<NodeId, Optional<String>> name, long number) {
        return view.word(self).flatMap(AppLoads::site).map(apps -> {
            List<AppLoad> loads = new ArrayList<>();
            for (NodeView app : view.serving(apps)) {
                if (app instanceof NodeView.Known known
                        && known.load().serverHealth().isUp()) {
                    name.apply(known.id()).ifPresent(called -> loads.add(load(called, known.load())));
                }
            }
            return new Loads(
                    number, timing.sensitivity().toNanos(), timing.staleness().toNanos(), loads);
        });
    }

    private static AppLoad load(String name, LoadRecord load) {
        return new AppLoad(
                name,
                load.requestsInService(),
                load.utilisation(),
                load.requestsPerSecond(),
                load.capacityUnitsPerSecond());
    }

    /** The role of the apps of its site. */
    private static Optional<Role> site(RoleWord word) {
        return apps(word.to()).or(() -> apps(word.from()));
    }

    private static Optional<Role> apps(Role role) {
        return role instanceof Role.Serving(var site, Tier tier) && tier == Tier.PROXY
                ? Optional.of(Role.serving(site, Tier.APP))
                : Optional.empty();
    }
}
