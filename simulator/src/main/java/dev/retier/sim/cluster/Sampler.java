package dev.retier.sim.cluster;

import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.decide.History;
import dev.retier.agent.decide.Pressure;
import dev.retier.agent.decide.TierTrend;
import dev.retier.agent.view.ClusterView;
import dev.retier.link.NodeId;
import dev.retier.state.Role;
import dev.retier.state.SlotReading;
import dev.retier.state.Tier;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which slots an agent reads while nothing happens, and whether they say that nothing happens. A sample decides
 * nothing: whatever is not as the last whole look showed it, and every tier above the take threshold in the sample, is
 * a reason to look at all. Not thread-safe.
 */
final class Sampler {
    private final Agent agent;
    private final int sampled;
    private int next;

    Sampler(Agent agent, int sampled) {
        this.agent = agent;
        this.sampled = sampled;
        this.next = agent.node().index;
    }

    /** Whether a sample may stand for a look: the last whole look showed all nodes at rest and every tier calm. */
    boolean mayStandIn(ClusterView view, History history) {
        return sampled > 0
                && view.unknownShare() == 0
                && agent.cluster().config().sites().stream()
                        .allMatch(site -> view.ordered(site.id()).isEmpty()
                                && isCalm(history, site, Tier.PROXY)
                                && isCalm(history, site, Tier.APP));
    }

    private static boolean isCalm(History history, SiteConfig site, Tier tier) {
        TierTrend trend = history.tier(site.id(), tier);
        return trend != null && trend.direction() == TierTrend.Direction.CALM;
    }

    /** The next nodes in turn, and the witnesses; not the own one. */
    BitSet turn() {
        BitSet slots = new BitSet();
        int size = agent.cluster().size();
        for (int step = 0; step < Math.min(sampled, size - 1); step++) {
            next = (next + 1) % size;
            slots.set(next);
        }
        for (int witness : agent.cluster().witnesses()) {
            slots.set(witness);
        }
        slots.clear(agent.node().index);
        return slots;
    }

    /** Whether these are all as {@code view} has them, and no tier among them is pressed. */
    boolean isNothing(Map<NodeId, SlotReading> readings, ClusterView view) {
        Map<Role, List<Double>> tiers = new HashMap<>();
        for (Map.Entry<NodeId, SlotReading> entry : readings.entrySet()) {
            if (!(entry.getValue() instanceof SlotReading.Known known)
                    || !known.load().serverHealth().isUp()
                    || view.word(entry.getKey()).stream()
                            .noneMatch(word -> word.to().equals(known.roleWord().to())
                                    && word.phase() == known.roleWord().phase())) {
                return false;
            }
            tiers.computeIfAbsent(known.roleWord().to(), _ -> new ArrayList<>())
                    .add(known.load().utilisation());
        }
        double threshold = agent.cluster().config().decision().takeThreshold();
        return tiers.values().stream().allMatch(members -> Pressure.of(members) <= threshold);
    }
}
