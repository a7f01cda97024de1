package dev.retier.bench.figures;

import static java.util.Locale.ROOT;

import dev.retier.bench.Results;
import dev.retier.report.Table;
import dev.retier.sim.run.Allocation;
import dev.retier.sim.run.MadeCluster.Rules;
import dev.retier.sim.run.Outcome;
import dev.retier.sim.run.Setup;
import dev.retier.sim.service.Clients;
import dev.retier.sim.service.Demand;
import java.util.function.IntFunction;

/**
 * E3 or E4 once more, with clients that keep their connections while their proxy is there.
 *
 * @param id such as {@code E3-stay}
 * @param what of the bursts
 * @param load the bursts of so many requests each, of clients that spread
 * @param rules of the agents, and what they are beside
 */
record Staying(String id, String what, IntFunction<Demand> load, Rules rules) implements Figure {
    private static final Allocation RIGID = Allocation.of(2, 5);
    private static final int[] LENGTHS = {4096, 16_384, 65_536};

    @Override
    public void run(Results results, Verdicts verdicts) {
        results.heading(id + ": clients that stay where they are, " + what);
        results.note(
                "As pools, browsers behind DNS and TCP balancers do: a kept connection is left when its proxy goes,"
                        + " or lets it go. Usual rules, from 2p+5a; shares are of the oracle's throughput.");
        Table table = new Table(
                "burst",
                "oracle_per_second",
                "spread_per_second",
                "stay_per_second",
                "spread_of_oracle",
                "stay_of_oracle",
                "moves_spread",
                "moves_stay",
                "failed");
        double longest = 0;
        for (int length : LENGTHS) {
            Setup spread = setup(load.apply(length));
            Outcome oracle = Lab.oracle(spread);
            Outcome spreading = Lab.reconfigured(spread);
            Outcome staying = Lab.reconfigured(setup(staying(load.apply(length))));
            longest = staying.perSecond() / oracle.perSecond();
            table.row(
                    length,
                    oracle.perSecond(),
                    spreading.perSecond(),
                    staying.perSecond(),
                    spreading.perSecond() / oracle.perSecond(),
                    longest,
                    spreading.moves().size(),
                    staying.moves().size(),
                    staying.failed());
        }
        results.table(id.toLowerCase(ROOT), table);
        verdicts.judge(
                id,
                "0.9 of oracle or more at 64 K with clients that stay",
                "-",
                String.format(ROOT, "%.3f", longest),
                longest >= 0.9);
    }

    private Setup setup(Demand demand) {
        return Lab.setup(Lab.cluster(RIGID, null, rules), Lab.HTTPD, demand);
    }

    private static Demand staying(Demand demand) {
        return new Demand(demand.workload(), Clients.staying(demand.clients().count()));
    }
}
