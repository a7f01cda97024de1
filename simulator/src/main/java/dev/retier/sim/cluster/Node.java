package dev.retier.sim.cluster;

import dev.retier.agent.command.PauseWord;
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
    private static final double NANOS_PER_SECOND = 1e9;

    final int index;
    final NodeConfig config;
    final Station station;
    final Slot slot;
    final List<MoveRecord> journal = new ArrayList<>();
    /** What operators have told the agent, as its file has it. */
    PauseWord pause = PauseWord.NONE;

    boolean isPausedHere;
    /** Of its newest start, as its file has it. */
    long bootNumber;
    /** The agent process and its links. */
    boolean isAgentUp = true;

    /** The agent process is of the version before. */
    boolean isFormer;

    private final Cluster cluster;
    /** What is wrong with the server, if anything. */
    final ServerTrouble trouble;

    private final Installing installing;

    private final WorkTold workTold;

    final DiskTrouble disk = new DiskTrouble();

    private Plan file = new Plan(0, Role.SPARE, List.of());
    private long fileNumber;
    private @Nullable String refusal;
    private long startNanos;

    Node(Cluster cluster, int index, NodeConfig config, Station station, RoleWord first) {
        this.cluster = cluster;
        this.index = index;
        this.config = config;
        this.station = station;
        this.slot = new Slot(
                config.id(),
                first,
                cluster.config().sites().size(),
                (before, now) -> cluster.wordChanged(index, before, now));
        this.trouble = new ServerTrouble(index);
        this.installing = new Installing(config.server().kind(), cluster.delays(), cluster.seed() + index);
        this.workTold = new WorkTold(cluster.delays().lagNanos(), cluster.seed() + index);
    }

    /** The server starts for the first time, by this file. */
    void begin(Plan first) {
        file = first;
        run(first);
    }

    /** The server starts again, by the file on its disk. */
    void boot(long nowNanos) {
        station.restart(nowNanos);
        startNanos = nowNanos;
        workTold.restart(station.busySeconds(nowNanos));
        refusal = null;
        run(file);
    }

    private void run(Plan plan) {
        station.run(plan);
        cluster.listener().ran(index, plan);
    }

    /** Puts a file where the server finds it; the newest counts. {@code whenOut}: it runs it, or has refused it. */
    void install(Plan next, Runnable whenOut) {
        cluster.listener().installed(index, next);
        file = next;
        long number = ++fileNumber;
        boolean isOtherRole = !next.role().equals(station.plan().role());
        long delay = installing.untilApplied(isOtherRole, cluster.time().nowNanos());
        cluster.time().after(delay, () -> apply(number, whenOut));
    }

    private void apply(long number, Runnable whenOut) {
        if (number != fileNumber || !station.isUp()) {
            return;
        }
        if (trouble.isDeaf()) {
            cluster.time().after(cluster.delays().fileLookNanos(), () -> apply(number, whenOut));
            return;
        }
        if (trouble.isRefusing() && !file.equals(station.plan())) {
            refusal = "no file " + number;
        } else {
            refusal = null;
            run(file);
        }
        whenOut.run();
    }

    /** Whether the agent learns at once what has become of a file: it has asked the server to run it. */
    boolean tellsOfFiles() {
        return config.server().kind().isReloaded();
    }

    /** What the status page says now. */
    ServerStatus status(long nowNanos) {
        Station.Counters counters = station.counters(nowNanos);
        Plan plan = station.plan();
        return trouble.told(new ServerStatus(
                RoleText.tier(plan.role()),
                plan.role() instanceof Role.Serving(SiteId site, var _) ? RoleText.site(site, cluster.config()) : null,
                plan.stamp(),
                refusal,
                station.unitsPerSecond(),
                workTold.after(station.busySeconds(nowNanos)),
                counters.inFlight(),
                counters.backEndInFlight(),
                counters.lastClientAgeSeconds() < 0 ? null : counters.lastClientAgeSeconds(),
                counters.requests(),
                counters.hits(),
                counters.misses(),
                (nowNanos - startNanos) / NANOS_PER_SECOND));
    }
}
