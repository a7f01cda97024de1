package dev.retier.sim.faults;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.sim.cluster.ClusterListener;
import dev.retier.state.RoleWord;
import dev.retier.state.SiteId;
import java.util.HashMap;
import java.util.Map;

/** Watches that no two movers act in one term, that only the newest orders, and that epochs are nobody else's. */
final class LockSafety implements ClusterListener {
    private final ClusterConfig config;
    private final Verdict verdict;
    private final Map<SiteId, Map<Long, Integer>> holders = new HashMap<>();
    private final Map<SiteId, Long> newestTerm = new HashMap<>();
    private final Map<Integer, Map<SiteId, Long>> fences = new HashMap<>();
    private final Map<Long, SiteId> siteOfEpoch = new HashMap<>();
    private long acquisitions;

    LockSafety(ClusterConfig config, Verdict verdict) {
        this.config = config;
        this.verdict = verdict;
    }

    long acquisitions() {
        return acquisitions;
    }

    private String name(int node) {
        return config.nodes().get(node).name();
    }

    @Override
    public void acquired(int node, SiteId site, long term, boolean isSafe) {
        acquisitions++;
        Integer other = holders.computeIfAbsent(site, _ -> new HashMap<>()).putIfAbsent(term, node);
        if (other != null) {
            verdict.violated(
                    name(other) + " and " + name(node) + " both hold the lock of " + site + " in term " + term);
        }
        long newest = newestTerm.getOrDefault(site, 0L);
        if (isSafe && term <= newest) {
            verdict.violated(name(node) + " acquires term " + term + " of " + site + " after term " + newest);
        }
        newestTerm.merge(site, term, Math::max);
    }

    @Override
    public void fenced(int target, int mover, SiteId site, long term) {
        fences.computeIfAbsent(target, _ -> new HashMap<>()).merge(site, term, Math::max);
    }

    @Override
    public void ordering(Order order) {
        if (!order.terms().keySet().containsAll(order.move().sites())) {
            verdict.violated(name(order.mover()) + " orders for " + order.move().sites() + " and holds the locks of "
                    + order.terms().keySet());
        }
        order.terms().forEach((site, term) -> {
            long newest = newestTerm.getOrDefault(site, 0L);
            if (term < newest) {
                verdict.violated(name(order.mover()) + " orders in term " + term + " of " + site + " though term "
                        + newest + " is held");
            }
        });
    }

    @Override
    public void ordered(Order order) {
        order.terms().forEach((site, term) -> {
            long fence = fences.getOrDefault(order.target(), Map.of()).getOrDefault(site, 0L);
            if (term < fence) {
                verdict.violated("an order of term " + term + " of " + site + " changes the role word of "
                        + name(order.target()) + " after the fence of term " + fence);
            }
        });
        SiteId before =
                siteOfEpoch.putIfAbsent(order.next().epoch(), order.move().site());
        if (before != null && !before.equals(order.move().site())) {
            verdict.violated("epoch " + order.next().epoch() + " is ordered for " + before + " and for "
                    + order.move().site());
        }
    }

    @Override
    public void wordAtBoot(int node, RoleWord now) {
        fences.remove(node);
    }
}
