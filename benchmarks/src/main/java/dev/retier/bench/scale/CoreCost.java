package dev.retier.bench.scale;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.ServerKind;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.decide.Decider;
import dev.retier.agent.decide.Decision;
import dev.retier.agent.decide.History;
import dev.retier.agent.decide.Policy;
import dev.retier.agent.view.ClusterView;
import dev.retier.agent.view.Ground;
import dev.retier.agent.view.Patience;
import dev.retier.agent.view.Probes;
import dev.retier.agent.view.Sightings;
import dev.retier.link.NodeId;
import dev.retier.state.LoadRecord;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.SlotReading;
import dev.retier.state.Tier;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * The processor time that an agent spends on what a look has read, measured on this machine: sightings, view, history,
 * the ground of its own file, and a decision for each site. Not thread-safe.
 */
final class CoreCost {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final long LOOK_NANOS = 200_000_000;
    private static final double NANOS_PER_MICRO = 1e3;
    private static final int LEAST_LOOKS = 8;

    private final ClusterConfig config;
    private final Policy policy;
    private final boolean isPressed;
    private final SplittableRandom random = new SplittableRandom(1);
    private Sightings sightings = Sightings.none();
    private History history = History.none();
    private long nowNanos;
    private long decided;

    private CoreCost(ClusterConfig config, boolean isPressed) {
        this.isPressed = isPressed;
        this.config = config;
        this.policy = Policy.of(config);
    }

    /**
     * Microseconds per look in a cell of so many nodes and sites, measured for so long after as long to warm up; at
     * rest, or while the apps are saturated and the proxies idle, so that changes of every size are valued each time.
     */
    static double micros(int nodes, int sites, boolean isPressed, double seconds) {
        CoreCost core = new CoreCost(Cells.config(ServerKind.WEB_NODE, nodes, sites), isPressed);
        double warm = core.run(seconds);
        double micros = core.run(seconds);
        if (core.decided == 0) {
            throw new IllegalStateException("no decision in " + warm + " us");
        }
        return micros;
    }

    private double run(double seconds) {
        Map<NodeId, SlotReading> readings = readings();
        long end = System.nanoTime() + (long) (seconds * 1e9);
        long begun = THREADS.getCurrentThreadCpuTime();
        int looks = 0;
        while (looks < LEAST_LOOKS || System.nanoTime() - end < 0) {
            look(readings);
            looks++;
        }
        return (THREADS.getCurrentThreadCpuTime() - begun) / NANOS_PER_MICRO / looks;
    }

    private Map<NodeId, SlotReading> readings() {
        Map<NodeId, SlotReading> readings = new HashMap<>();
        for (var node : config.nodes()) {
            RoleWord word = RoleWord.active(1, 0, node.initialRole());
            boolean isApp = node.initialRole() instanceof Role.Serving(var _, Tier tier) && tier == Tier.APP;
            double pressed = isApp ? 1 : 0.3 * random.nextDouble();
            double utilisation = isPressed ? pressed : 0.6 + 0.35 * random.nextDouble();
            LoadRecord load = new LoadRecord(3, LoadRecord.Health.UP, utilisation, 0.5, 0.5, 100, 3, 95_000, 0);
            readings.put(node.id(), new SlotReading.Known(word, load, 1, 1, 0));
        }
        return readings;
    }

    private void look(Map<NodeId, SlotReading> readings) {
        nowNanos += LOOK_NANOS;
        sightings = sightings.after(readings, nowNanos);
        ClusterView view = sightings.view(Probes.NONE, Patience.of(config), nowNanos);
        history = history.after(view, policy, nowNanos);
        Ground ground = Ground.of(
                view, config.epochs(), view.word(config.nodes().getFirst().id()).orElseThrow(), 3);
        decided += ground.apps().size();
        for (SiteConfig site : policy.sites()) {
            Decision decision = Decider.decide(view, history, policy, site, nowNanos);
            decided += decision.reasonWord().length();
        }
    }
}
