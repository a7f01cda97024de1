package dev.retier.sim.cluster;

import dev.retier.agent.config.SiteConfig;
import dev.retier.link.NodeId;
import dev.retier.state.RoleWord.Phase;
import dev.retier.state.SlotReading;
import dev.retier.state.Watch;
import dev.retier.state.slot.Beat;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the slots of a cluster for one agent: all, or, as a study, some as long as nothing happens. */
final class Eyes {
    private final Agent agent;
    private final Cluster cluster;
    private final Locks locks;
    private final List<Watch<Beat>> heartbeats;
    private final Sampler sampler;
    private boolean wasCalled = true;
    private @Nullable Consumer<Map<NodeId, SlotReading>> standingIn;

    Eyes(Agent agent, Locks locks) {
        this.agent = agent;
        this.cluster = agent.cluster();
        this.locks = locks;
        this.heartbeats =
                Stream.generate(Watch<Beat>::new).limit(cluster.size()).toList();
        this.sampler = new Sampler(agent, cluster.looks().sampled());
    }

    /** Something was announced: the next look is at all, and one that only samples becomes one. */
    void called() {
        wasCalled = true;
        Consumer<Map<NodeId, SlotReading>> then = standingIn;
        if (then != null) {
            standingIn = null;
            lookAtAll(then);
        }
    }

    /** Everything that follows from the readings speaks of what the slots had a hop ago. */
    void look(Consumer<Map<NodeId, SlotReading>> then) {
        cluster.chargeLook(agent.node());
        boolean isQuiet = !wasCalled && agent.loop().isQuiet();
        wasCalled = false;
        if (isQuiet && sampler.mayStandIn(agent.view(), agent.loop().history())) {
            standingIn = then;
            sample(then);
        } else {
            lookAtAll(then);
        }
    }

    /** Reads some slots every S until they are not as before, and then all. */
    private void sample(Consumer<Map<NodeId, SlotReading>> then) {
        BitSet slots = sampler.turn();
        agent.later(agent.hopNanos(), () -> {
            Map<NodeId, SlotReading> readings = new HashMap<>();
            slots.stream()
                    .forEach(target -> readings.put(cluster.node(target).config.id(), reading(target)));
            observeLocks();
            agent.later(answerNanos(slots.cardinality()), () -> {
                boolean isOrdered = agent.node().slot.word().phase() == Phase.ORDERED;
                if (standingIn == null) {
                    return;
                }
                if (isOrdered || !sampler.isNothing(readings, agent.view())) {
                    standingIn = null;
                    lookAtAll(then);
                } else {
                    agent.later(cluster.config().timing().sensitivity().toNanos(), () -> sampleAgain(then));
                }
            });
        });
    }

    private void sampleAgain(Consumer<Map<NodeId, SlotReading>> then) {
        if (standingIn != null) {
            cluster.chargeLook(agent.node());
            sample(then);
        }
    }

    /** Reads all slots. */
    private void lookAtAll(Consumer<Map<NodeId, SlotReading>> then) {
        agent.later(agent.hopNanos(), () -> {
            Map<NodeId, SlotReading> readings = new HashMap<>(cluster.size() * 2);
            boolean isLate = false;
            for (int target = 0; target < cluster.size(); target++) {
                SlotReading reading = reading(target);
                isLate |= reading instanceof SlotReading.Unknown(var reason) && reason == SlotReading.Reason.TIMED_OUT;
                readings.put(cluster.node(target).config.id(), reading);
            }
            observeLocks();
            long answerNanos = answerNanos(cluster.size() - 1);
            agent.later(isLate ? agent.deadlineNanos() - agent.hopNanos() : answerNanos, () -> then.accept(readings));
        });
    }

    /** Until the answers of so many reads are in. */
    private long answerNanos(int slots) {
        cluster.traffic().looked(slots);
        return agent.hopNanos() + slots * cluster.looks().slotNanos();
    }

    private SlotReading reading(int target) {
        int self = agent.node().index;
        if (!cluster.fabric().isConnected(self, target)) {
            return new SlotReading.Unknown(SlotReading.Reason.NOT_CONNECTED);
        }
        if (!cluster.fabric().isPrompt(self, target) || !cluster.fabric().isPrompt(target, self)) {
            return new SlotReading.Unknown(SlotReading.Reason.TIMED_OUT);
        }
        Slot slot = cluster.node(target).slot;
        SlotReading.Known known = slot.read();
        long standingNanos =
                heartbeats.get(target).observe(new Beat(slot.incarnation(), slot.heartbeat()), agent.clock());
        boolean isStale = standingNanos >= cluster.config().timing().staleness().toNanos();
        return known == null || isStale ? new SlotReading.Unknown(SlotReading.Reason.STALE) : known;
    }

    /** Reads the slots of these nodes alone. */
    void glance(Set<NodeId> nodes, Consumer<Map<NodeId, SlotReading>> then) {
        agent.later(agent.hopNanos(), () -> {
            Map<NodeId, SlotReading> readings = new HashMap<>();
            boolean isLate = false;
            for (NodeId id : nodes) {
                SlotReading reading = reading(cluster.index(id));
                isLate |= reading instanceof SlotReading.Unknown(var reason) && reason == SlotReading.Reason.TIMED_OUT;
                readings.put(id, reading);
            }
            int slots = nodes.contains(agent.id()) ? nodes.size() - 1 : nodes.size();
            cluster.traffic().glanced(slots);
            long answerNanos = agent.hopNanos() + slots * cluster.looks().slotNanos();
            agent.later(isLate ? agent.deadlineNanos() - agent.hopNanos() : answerNanos, () -> then.accept(readings));
        });
    }

    private void observeLocks() {
        int self = agent.node().index;
        int[] witnesses = cluster.witnesses();
        for (int witness = 0; witness < witnesses.length; witness++) {
            int target = witnesses[witness];
            if (cluster.fabric().isPrompt(self, target) && cluster.fabric().isPrompt(target, self)) {
                Slot slot = cluster.node(target).slot;
                for (SiteConfig site : cluster.config().sites()) {
                    locks.observe(site.id(), witness, slot.lock(cluster.siteIndex(site.id())));
                }
            }
        }
    }
}
