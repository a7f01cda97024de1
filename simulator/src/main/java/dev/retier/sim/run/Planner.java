package dev.retier.sim.run;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.SiteConfig;
import dev.retier.sim.model.Split;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The best allocation for a known need: first every site gets what its guarantee asks for, the highest
 * priority first; then those without a guarantee get as much as they can use; then all together. Not thread-safe.
 */
final class Planner {
    private static final double EQUAL = 1e-9;
    private static final int MIX_STEPS = 1000;

    private final ClusterConfig config;
    private final Rates rates;
    private final List<Allocation> candidates;
    private final Map<List<Need>, Allocation> known = new HashMap<>();

    /**
     * What a site is asked for.
     *
     * @param perSecond requests; infinite when clients ask as fast as they are answered
     */
    record Need(double perSecond, double dynamicShare) {
        static final Need NOTHING = new Need(0, 0);

        static Need of(double perSecond, double dynamicShare) {
            return new Need(perSecond, Math.round(dynamicShare * MIX_STEPS) / (double) MIX_STEPS);
        }
    }

    /** What a site is worth that has these nodes. */
    interface Rates {
        /** Requests per second that {@code split} answers at saturation, static ones from cache. */
        double perSecond(Split split, double dynamicShare);
    }

    Planner(ClusterConfig config, Rates rates) {
        this.config = config;
        this.rates = rates;
        this.candidates = candidates(config);
    }

    /** Every allocation of all nodes that the bounds allow. */
    static List<Allocation> candidates(ClusterConfig config) {
        List<Allocation> all = new ArrayList<>();
        int tiers = 2 * config.sites().size();
        enumerate(config, new int[tiers], 0, config.nodes().size(), counts -> {
            List<Integer> proxies = new ArrayList<>();
            List<Integer> apps = new ArrayList<>();
            for (int tier = 0; tier < tiers; tier += 2) {
                proxies.add(counts[tier]);
                apps.add(counts[tier + 1]);
            }
            all.add(new Allocation(proxies, apps));
        });
        if (all.isEmpty()) {
            throw new IllegalArgumentException(config.nodes().size() + " nodes are too few for "
                    + config.sites().size() + " sites with these minima");
        }
        return all;
    }

    private static void enumerate(ClusterConfig config, int[] counts, int tier, int left, Consumer<int[]> each) {
        SiteConfig site = config.sites().get(tier / 2);
        int least = Math.max(1, tier % 2 == 0 ? site.proxy().min() : site.app().min());
        int most =
                Math.min(left, tier % 2 == 0 ? site.proxy().max() : site.app().max());
        if (tier == counts.length - 1) {
            if (left >= least) {
                counts[tier] = most;
                each.accept(counts);
            }
            return;
        }
        for (int count = least; count <= most; count++) {
            counts[tier] = count;
            enumerate(config, counts, tier + 1, left - count, each);
        }
    }

    /** The best allocation for {@code needs}, one per site. */
    Allocation best(List<Need> needs) {
        return known.computeIfAbsent(needs, this::search);
    }

    private Allocation search(List<Need> needs) {
        Allocation best = candidates.getFirst();
        double[] bestScore = score(best, needs);
        for (Allocation candidate : candidates) {
            double[] score = score(candidate, needs);
            if (isBetter(score, bestScore)) {
                best = candidate;
                bestScore = score;
            }
        }
        return best;
    }

    private static boolean isBetter(double[] score, double[] other) {
        for (int part = 0; part < score.length; part++) {
            if (Math.abs(score[part] - other[part]) > EQUAL) {
                return score[part] > other[part];
            }
        }
        return false;
    }

    /** The parts in order of weight: what each guarantee gets, what the others get, what all get. */
    private double[] score(Allocation allocation, List<Need> needs) {
        int sites = config.sites().size();
        double[] score = new double[sites + 2];
        for (int site = 0; site < sites; site++) {
            double served = Math.min(
                    rate(allocation, site, needs.get(site)), needs.get(site).perSecond());
            Double guarantee = config.sites().get(site).guaranteeRequestsPerSecond();
            if (guarantee == null) {
                score[sites] += served;
            } else {
                score[site] = Math.min(served, guarantee);
            }
            score[sites + 1] += served;
        }
        return score;
    }

    /** What a site can answer per second. */
    double rate(Allocation allocation, int site, Need need) {
        Split split =
                new Split(allocation.proxies().get(site), allocation.apps().get(site));
        return rates.perSecond(split, need.dynamicShare());
    }

    /** Whether {@code allocation} keeps the guarantees of all sites under this need. */
    boolean keeps(Allocation allocation, List<Need> needs) {
        for (int site = 0; site < needs.size(); site++) {
            Double guarantee = guarantee(site);
            double wanted =
                    guarantee == null ? 0 : Math.min(guarantee, needs.get(site).perSecond());
            if (rate(allocation, site, needs.get(site)) < wanted) {
                return false;
            }
        }
        return true;
    }

    private @Nullable Double guarantee(int site) {
        return config.sites().get(site).guaranteeRequestsPerSecond();
    }
}
