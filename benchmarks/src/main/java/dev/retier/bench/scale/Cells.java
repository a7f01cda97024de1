package dev.retier.bench.scale;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.ServerKind;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.config.TierBounds;
import dev.retier.report.Table;
import dev.retier.sim.model.NodeCosts;
import dev.retier.sim.model.Split;
import dev.retier.sim.run.Allocation;
import dev.retier.sim.run.MadeCluster;
import dev.retier.state.Role;
import dev.retier.state.SiteId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/** The cells of this study, and what dividing a cluster into cells costs at best. Stateless. */
final class Cells {
    /** As seven real httpd nodes: a tenth of a core each (simulator/README.md). */
    static final NodeCosts COSTS = new NodeCosts(95_000, 363, 363, 97, 1570);

    /** Every default of the cluster file. */
    private static final MadeCluster.Rules RULES = MadeCluster.Rules.DEFAULTS;

    private static final int MIXES = 200;

    private Cells() {}

    /** A cell with these servers whose nodes are divided evenly among the sites, each half proxies and half apps. */
    static ClusterConfig config(ServerKind kind, int nodes, int sites) {
        int each = nodes / sites;
        List<SiteConfig> all = IntStream.rangeClosed(1, sites)
                .mapToObj(id -> new SiteConfig(
                        new SiteId(id),
                        "site-" + id,
                        List.of(),
                        1,
                        null,
                        new TierBounds(1, each),
                        new TierBounds(1, each),
                        null))
                .toList();
        List<Integer> proxies = Collections.nCopies(sites, each / 2);
        List<Integer> apps = Collections.nCopies(sites, each - each / 2);
        ClusterConfig spare = MadeCluster.of(all, Collections.nCopies(each * sites, Role.SPARE), RULES);
        ClusterConfig divided = MadeCluster.with(spare, new Allocation(proxies, apps).roles(spare));
        return MadeCluster.ofKind(divided, kind);
    }

    /** What the best split of each cell answers, over what the best split of the whole would, for all mixes. */
    static Table best(int nodes, List<Integer> cellSizes) {
        Table table = new Table("nodes", "cell", "cells", "mean_percent_of_whole", "worst_percent_of_whole");
        for (int cell : cellSizes) {
            List<Double> shares = new ArrayList<>();
            for (int step = 1; step < MIXES; step++) {
                double mix = (double) step / MIXES;
                shares.add(divided(nodes, cell, mix) / rate(nodes, mix));
            }
            double mean =
                    shares.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
            table.row(nodes, cell, cells(nodes, cell).size(), 100 * mean, 100 * Collections.min(shares));
        }
        return table;
    }

    /** The sizes of the cells: as few as may be, and as equal. */
    static List<Integer> cells(int nodes, int most) {
        int count = (nodes + most - 1) / most;
        return IntStream.range(0, count)
                .mapToObj(cell -> nodes / count + (cell < nodes % count ? 1 : 0))
                .toList();
    }

    /** Each cell gets requests by its nodes, so the one that can do least for each of them sets the pace. */
    private static double divided(int nodes, int most, double mix) {
        return cells(nodes, most).stream()
                .distinct()
                .mapToDouble(size -> rate(size, mix) * nodes / size)
                .min()
                .orElseThrow();
    }

    private static double rate(int nodes, double mix) {
        return Split.of(nodes)
                .mapToDouble(split -> COSTS.requestsPerSecond(split, mix))
                .max()
                .orElseThrow();
    }
}
