package dev.retier.sim.run;

import dev.retier.report.Table;
import dev.retier.sim.service.Ledger;
import java.util.ArrayList;
import java.util.List;

/**
 * The same load on the same nodes, run in every way.
 *
 * @param setup what was run
 * @param outcomes reconfigured, best rigid, the configuration's roles kept, over-provisioned, oracle
 */
public record Comparison(Setup setup, List<Outcome> outcomes) {
    /** Keeps its own copy. */
    public Comparison {
        outcomes = List.copyOf(outcomes);
    }

    /** Runs them all, one after the other. */
    public static Comparison of(Setup setup) {
        List<Outcome> outcomes = new ArrayList<>();
        outcomes.add(Simulation.run(setup, new Approach.Reconfigured()));
        Outcome best = BestRigid.find(setup);
        outcomes.add(best.named("best " + best.name()));
        Allocation given = Allocation.of(setup.config());
        outcomes.add(given(setup, given));
        Allocation ample = OverProvisioned.of(setup);
        outcomes.add(overProvisioned(setup, ample));
        outcomes.add(Simulation.run(setup, new Approach.Oracle()));
        return new Comparison(setup, outcomes);
    }

    private static Outcome given(Setup setup, Allocation given) {
        return Simulation.run(
                        setup,
                        new Approach.Rigid(setup.config().nodes().stream()
                                .map(node -> node.initialRole())
                                .toList()))
                .named("given rigid " + given);
    }

    private static Outcome overProvisioned(Setup setup, Allocation ample) {
        Setup larger = OverProvisioned.resized(setup, ample);
        return Simulation.run(larger, new Approach.Rigid(ample.roles(larger.config())))
                .named("over-provisioned " + ample);
    }

    /** The agents' own outcome. */
    public Outcome reconfigured() {
        return outcomes.getFirst();
    }

    /** The best that stands still. */
    public Outcome bestRigid() {
        return outcomes.get(1);
    }

    /** The upper bound. */
    public Outcome oracle() {
        return outcomes.getLast();
    }

    /** One row per approach and site; ratios are to the best rigid one. */
    public Table table() {
        Table table = new Table(
                "approach",
                "nodes",
                "site",
                "answered",
                "failed",
                "seconds",
                "throughput_per_second",
                "over_best_rigid",
                "guarantee_per_second",
                "kept_percent",
                "moves",
                "p50_ms",
                "p99_ms");
        for (Outcome outcome : outcomes) {
            for (int site = 0; site < outcome.sites().size(); site++) {
                double rigid = bestRigid().sites().get(site).ledger().perSecond();
                row(table, outcome, outcome.sites().get(site), rigid);
            }
        }
        return table;
    }

    private static void row(Table table, Outcome outcome, SiteOutcome site, double rigid) {
        Ledger ledger = site.ledger();
        Double guarantee = site.guaranteePerSecond();
        table.row(
                outcome.name(),
                outcome.nodes(),
                site.site(),
                ledger.doneTotal(),
                ledger.failedTotal(),
                rounded(ledger.seconds(), 10),
                rounded(ledger.perSecond(), 10),
                rigid > 0 ? rounded(ledger.perSecond() / rigid, 1000) : 0.0,
                guarantee == null ? "" : String.valueOf(guarantee),
                guarantee == null ? "" : String.valueOf(rounded(100 * site.keptShare(), 10)),
                outcome.moves().size(),
                rounded(1e3 * ledger.latencySeconds(0.5), 100),
                rounded(1e3 * ledger.latencySeconds(0.99), 100));
    }

    private static double rounded(double value, int steps) {
        return Math.round(value * steps) / (double) steps;
    }
}
