package dev.retier.bench.figures;

import static java.util.Locale.ROOT;

import dev.retier.bench.Results;
import dev.retier.report.Axis;
import dev.retier.report.Plot;
import dev.retier.report.Plot.Point;
import dev.retier.report.Plot.Series;
import dev.retier.report.Plot.Shape;
import dev.retier.report.Table;
import dev.retier.sim.model.NodeCosts;
import dev.retier.sim.run.Allocation;
import dev.retier.sim.run.BestRigid;
import dev.retier.sim.run.BurstSeen;
import dev.retier.sim.run.MadeCluster.Rules;
import dev.retier.sim.run.Outcome;
import dev.retier.sim.run.Setup;
import dev.retier.sim.service.Demand;
import dev.retier.traces.RequestClass;
import dev.retier.traces.made.Catalogue;
import dev.retier.traces.made.GeneratedTrace;
import dev.retier.traces.made.UnevenBursts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;

/**
 * E3 and E4 at the source's time scale: what counts is how long a burst lasts, not how many requests it has. Each burst
 * has as many requests as the best split for it answers in the stated time.
 */
final class Durations implements Figure {
    private static final List<Double> ALL_SECONDS = List.of(0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0);
    private static final List<Double> DYNAMIC = List.of(545.0, 1570.0);
    private static final double LEAST_SECONDS = 128;
    private static final int LEAST_BURSTS = 6;
    private static final int MOST_BURSTS = 2560;
    private static final int AFTER_A_CHANGE = 10;
    private static final int BEFORE_A_CHANGE = 20;
    private static final double OVER_PROMPT = 0.97;
    private static final double OVER_RIGID = 0.98;

    /** Which lengths bursts have around the stated one. */
    private enum Lengths {
        EVEN("as stated"),
        RANDOM("0.5 to 1.5 of it at random"),
        SLOWER("a quarter of it, then it"),
        FASTER("four times it, then it");

        private final String text;

        Lengths(String text) {
            this.text = text;
        }

        boolean isChange() {
            return this == SLOWER || this == FASTER;
        }
    }

    private final String id;
    private final Catalogue catalogue;
    private final List<Lengths> kinds;
    private final List<Double> spans;
    private final Rules rules;

    private Durations(String id, Catalogue catalogue, List<Lengths> kinds, List<Double> spans, Rules rules) {
        this.id = id;
        this.catalogue = catalogue;
        this.kinds = kinds;
        this.spans = spans;
        this.rules = rules;
    }

    /** Bursts of one file, also of uneven and of changed lengths; then of Zipf's many. */
    static List<Figure> all(Rules rules) {
        return List.of(
                new Durations("E3-durations", Lab.SINGLE, List.of(Lengths.values()), ALL_SECONDS, rules),
                new Durations("E4-durations", Lab.ZIPF, List.of(Lengths.EVEN), Lasting.SECONDS, rules));
    }

    @Override
    public String id() {
        return id;
    }

    private record Case(double seconds, double dynamic, Lengths lengths) {}

    /** All are throughputs over those of others, of the same bursts. */
    private record Row(Case of, double overRigid, double overPrompt, double overOracle, int moves, int promptMoves) {}

    @Override
    public void run(Results results, Verdicts verdicts) {
        results.heading(name() + " by how long bursts last (shipped defaults)");
        PromptMover prompt = PromptMover.of(rules);
        results.note("A burst has as many requests as the best split for it answers in the stated time. "
                + prompt.text()
                + "; the oracle knows all beforehand and pays nothing. After a change of lengths the " + AFTER_A_CHANGE
                + " bursts that follow are judged.");
        List<Row> rows = new ArrayList<>();
        for (Lengths lengths : kinds) {
            for (double dynamic : DYNAMIC) {
                for (double seconds : spans) {
                    rows.add(row(new Case(seconds, dynamic, lengths), prompt));
                }
            }
        }
        Table table = new Table(
                "lengths",
                "dynamic_us",
                "burst_seconds",
                "over_best_rigid",
                "over_prompt",
                "over_oracle",
                "moves",
                "prompt_moves");
        rows.forEach(row -> table.row(
                row.of.lengths.text,
                row.of.dynamic,
                row.of.seconds,
                row.overRigid,
                row.overPrompt,
                row.overOracle,
                row.moves,
                row.promptMoves));
        results.table(id.toLowerCase(ROOT), table);
        results.plot(plot(rows));
        judge(verdicts, rows);
    }

    private String name() {
        return id.substring(0, id.indexOf('-'));
    }

    private Setup setup(NodeCosts costs, Demand demand) {
        return Lab.setup(Lab.cluster(Allocation.of(2, 5), null, rules), costs, demand);
    }

    private Row row(Case of, PromptMover mover) {
        NodeCosts costs = new NodeCosts(Lab.CAPACITY, 363, 363, 97, of.dynamic);
        List<Long> lengths = lengths(of, Lasting.of(demand -> setup(costs, demand)));
        Setup setup = setup(
                costs,
                Lab.closed(GeneratedTrace.uneven(new UnevenBursts(lengths, RequestClass.STATIC), catalogue, Lab.SEED)));
        Outcome ours = Lab.reconfigured(setup);
        Outcome prompt = mover.run(setup);
        return new Row(
                of,
                seconds(of, BestRigid.find(setup)) / seconds(of, ours),
                seconds(of, prompt) / seconds(of, ours),
                seconds(of, Lab.oracle(setup)) / seconds(of, ours),
                ours.moves().size(),
                prompt.moves().size());
    }

    private static List<Long> lengths(Case of, Lasting best) {
        int most = of.lengths.isChange()
                ? BEFORE_A_CHANGE + AFTER_A_CHANGE
                : (int) Math.clamp(LEAST_SECONDS / of.seconds, LEAST_BURSTS, MOST_BURSTS);
        SplittableRandom random = new SplittableRandom(Lab.SEED);
        List<Long> lengths = new ArrayList<>();
        for (int burst = 0; burst < most; burst++) {
            double factor = switch (of.lengths) {
                case EVEN -> 1;
                case RANDOM -> 0.5 + random.nextDouble();
                case SLOWER -> burst < BEFORE_A_CHANGE ? 0.25 : 1;
                case FASTER -> burst < BEFORE_A_CHANGE ? 4 : 1;
            };
            lengths.add(best.requests(burst % 2 == 1, of.seconds * factor));
        }
        return lengths;
    }

    /** Of the bursts that are judged. */
    private static double seconds(Case of, Outcome outcome) {
        return outcome.bursts().stream()
                .skip(of.lengths.isChange() ? BEFORE_A_CHANGE : 0)
                .mapToDouble(BurstSeen::seconds)
                .sum();
    }

    private Plot plot(List<Row> rows) {
        List<Series> series = new ArrayList<>();
        for (double dynamic : DYNAMIC) {
            List<Row> even = rows.stream()
                    .filter(row -> row.of.dynamic == dynamic && row.of.lengths == Lengths.EVEN)
                    .toList();
            String name = String.format(ROOT, ", dynamic %.0f us", dynamic);
            String dashed = dynamic == DYNAMIC.getFirst() ? "" : " dashed";
            series.add(line("over the prompt mover" + name, "a" + dashed, even, Row::overPrompt));
            series.add(line("over the best rigid split" + name, "b" + dashed, even, Row::overRigid));
            series.add(line("over the oracle" + name, "c" + dashed, even, Row::overOracle));
        }
        return Plot.of(
                name() + " by how long bursts last",
                Axis.log("seconds that a burst lasts at the oracle's rate", spans.getFirst(), spans.getLast()),
                Axis.linear("throughput over that of the other", 1.6),
                series);
    }

    private static Series line(String name, String style, List<Row> rows, ToDoubleFunction<Row> of) {
        return new Series(
                name,
                style,
                Shape.LINE,
                rows.stream()
                        .map(row -> new Point(row.of.seconds, of.applyAsDouble(row)))
                        .toList());
    }

    private void judge(Verdicts verdicts, List<Row> rows) {
        for (Lengths lengths : kinds) {
            List<Row> alike =
                    rows.stream().filter(row -> row.of.lengths == lengths).toList();
            judge(verdicts, alike, Row::overPrompt, OVER_PROMPT, "the prompt mover");
            judge(verdicts, alike, Row::overRigid, OVER_RIGID, "the best rigid split");
        }
    }

    private void judge(Verdicts verdicts, List<Row> alike, ToDoubleFunction<Row> ratio, double wanted, String of) {
        Row least = alike.stream().min(Comparator.comparingDouble(ratio)).orElseThrow();
        verdicts.judge(
                id(),
                ">= " + wanted + " of " + of + ", bursts " + least.of.lengths.text,
                "",
                String.format(
                        ROOT,
                        "%.3f at %s s and %.0f us",
                        ratio.applyAsDouble(least),
                        least.of.seconds,
                        least.of.dynamic),
                ratio.applyAsDouble(least) >= wanted);
    }
}
