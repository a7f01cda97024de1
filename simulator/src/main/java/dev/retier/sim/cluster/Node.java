package dev.retier.sim.cluster;

import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.move.MoveRecord;
import dev.retier.agent.status.ServerStatus;
import dev.retier.agent.view.RoleText;
import dev.retier.sim.service.Plan;
import dev.retier.sim.service.Station;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.SiteId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One machine: its server with its file, the memory of its agent, its journal. Not thread-safe. */
final class Node {
    final int index;
    final NodeConfig config;
    final Station station;
    final Slot slot;
    final List<MoveRecord> journal = new ArrayList<>();
    /** The agent process and its links. */
    boolean isAgentUp = true;

    private final Cluster cluster;
    private @Nullable Plan file;
    private long fileNumber;

    Node(Cluster cluster, int index, NodeConfig config, Station station, RoleWord first) {
        this.cluster = cluster;
        this.index = index;
        this.config = config;
        this.station = station;
        this.slot = new Slot(config.id(), first, cluster.config().sites().size(), cluster::wordChanged);
    }

    /** Puts a file where the server finds it; the newest counts. */
    void install(Plan next) {
        file = next;
        long number = ++fileNumber;
        boolean isOtherRole = !next.role().equals(station.plan().role());
        long delay = cluster.delays()
                .untilApplied(
                        config.server().kind(), isOtherRole, cluster.time().nowNanos());
        cluster.time().after(delay, () -> apply(number));
    }

    private void apply(long number) {
        if (number == fileNumber && file != null && station.isUp()) {
            station.run(file);
        }
    }

    /** What the status page says now. */
    ServerStatus status(long nowNanos) {
        Station.Counters counters = station.counters(nowNanos);
        Plan plan = station.plan();
        return new ServerStatus(
                RoleText.tier(plan.role()),
                plan.role() instanceof Role.Serving(SiteId site, var _) ? RoleText.site(site, cluster.config()) : null,
                plan.stamp(),
                null,
                station.unitsPerSecond(),
                station.busySeconds(nowNanos),
                counters.inFlight(),
                counters.backEndInFlight(),
                counters.lastClientAgeSeconds() < 0 ? null : counters.lastClientAgeSeconds(),
                counters.requests(),
                counters.hits(),
                counters.misses());
    }
}
