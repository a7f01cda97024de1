package dev.retier.bench.board;

import static java.util.Locale.ROOT;

import dev.retier.bench.Measures;
import dev.retier.bench.Progress;
import dev.retier.bench.ResultOptions;
import dev.retier.bench.Results;
import dev.retier.report.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./retier bench ablation}: what each term and constant of the decision is good for. */
@Command(
        name = "ablation",
        description = "What each term, constant and key of the decision is good for: the board of simulated situations"
                + " without it, or with half and double of it, beside the board with it, by the same seeds. Virtual"
                + " time: the figures are the same on every machine. Needs the sources of the checkout.")
@Measures(
        modules = {"simulator", "reconfig-agent", "shared-state", "balance", "traces"},
        simulated = true)
public final class AblationBench implements Callable<Integer> {
    @Mixin
    private BoardOptions board = new BoardOptions();

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "WORD",
            description = "Only variants with this in their name or kind, such as pairs or constant (default: all).")
    private List<String> only = List.of();

    @Mixin
    private ResultOptions options = new ResultOptions();

    /** A variant, and what it does to the figures that it touches. */
    private record Effect(Variant variant, List<Change> changes) {
        List<Change> worse() {
            return changes.stream().filter(Change::isWorse).toList();
        }

        List<Change> better() {
            return changes.stream().filter(Change::isBetter).toList();
        }

        void tell() {
            Progress.tell(variant.name() + ": touches " + changes.size() + " figures, worse " + text(worse())
                    + "; better " + text(better()));
        }
    }

    /** One figure with and without. */
    private record Change(String title, double grain, Score before, Score after) {
        Pairs pairs() {
            return Pairs.of(before.bySeed(), after.bySeed());
        }

        boolean isWorse() {
            return pairs().isWorse(grain);
        }

        boolean isBetter() {
            return pairs().isBetter(grain);
        }

        String text() {
            return String.format(ROOT, "%s %+.3g", title, pairs().change());
        }
    }

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    /**
     * {@inheritDoc}
     *
     * @throws IOException if a variant is no part of these sources, or the result cannot be kept
     */
    @Override
    public Integer call() throws IOException {
        List<Variant> all =
                Stream.concat(Terms.all().stream(), Constants.all().stream()).toList();
        List<Variant> variants = all.stream().filter(this::isWanted).toList();
        if (variants.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--only: there are term, constant, key, and "
                            + all.stream().map(Variant::name).toList());
        }
        Results results = options.begin(
                "ablation",
                "What each term, constant and key of the decision is good for",
                "./retier bench ablation --seeds " + board.seeds().count());
        results.note("The board (docs/results/board.md says what its rows are) by the shipped defaults, and by the"
                + " decision with other text in one place, with seeds "
                + board.seeds().first() + " to "
                + (board.seeds().first() + board.seeds().count() - 1)
                + ", which were not used for tuning. Changes are of the mean over the seeds, paired by seed. Worse or"
                + " better is what is more than the figure's grain and 3.9 standard errors. A row whose first "
                + BoardMain.SCREENED
                + " seeds come out to the bit as shipped is not touched, and not run for the others.");
        BoardRuns runs = new BoardRuns(board.rows(), board.seeds(), board.threads());
        Map<String, Score> shipped = runs.shipped();
        Progress.tell("shipped: " + shipped.size() + " figures");
        List<Effect> effects = new ArrayList<>();
        for (Variant variant : variants) {
            Effect effect = new Effect(variant, changes(shipped, runs.of(variant)));
            effect.tell();
            effects.add(effect);
        }
        for (Variant.Kind kind : Variant.Kind.values()) {
            verdicts(results, kind, effects);
        }
        changes(results, effects);
        options.end(results);
        return 0;
    }

    private boolean isWanted(Variant variant) {
        return only.isEmpty()
                || only.stream()
                        .anyMatch(word -> variant.name().contains(word)
                                || variant.kind().toString().equals(word));
    }

    private List<Change> changes(Map<String, Score> shipped, Map<String, Score> touched) {
        List<Change> changes = new ArrayList<>();
        for (Row row : board.rows()) {
            for (int figure = 0; figure < row.figures().size(); figure++) {
                Score before = shipped.get(row.title(figure));
                Score after = touched.get(row.title(figure));
                if (before != null && after != null) {
                    changes.add(new Change(
                            row.title(figure), row.figures().get(figure).grain(), before, after));
                }
            }
        }
        return changes;
    }

    /** A constant earns its place if either of its other values makes a row worse. */
    private static void verdicts(Results results, Variant.Kind kind, List<Effect> effects) {
        Table table = new Table("what", "variant", "figures_touched", "worse", "better", "verdict");
        List<Effect> alike =
                effects.stream().filter(effect -> effect.variant.kind() == kind).toList();
        for (Effect effect : alike) {
            boolean isEarned = alike.stream()
                    .filter(other -> other.variant.of().equals(effect.variant.of()))
                    .anyMatch(other -> !other.worse().isEmpty());
            table.row(
                    effect.variant.of(),
                    effect.variant.name(),
                    effect.changes.size(),
                    text(effect.worse()),
                    text(effect.better()),
                    isEarned ? "earns its place" : "NO ROW GETS WORSE");
        }
        if (!alike.isEmpty()) {
            results.heading("Each " + kind).table(kind.name().toLowerCase(ROOT) + "-verdicts", table);
        }
    }

    private static String text(List<Change> changes) {
        return changes.isEmpty() ? "-" : changes.stream().map(Change::text).collect(Collectors.joining("; "));
    }

    private static void changes(Results results, List<Effect> effects) {
        Table table = new Table("variant", "row", "shipped", "spread", "with_variant", "change", "standard_error");
        for (Effect effect : effects) {
            effect.changes.stream()
                    .filter(change -> Math.abs(change.pairs().change()) >= change.grain)
                    .forEach(change -> table.row(
                            effect.variant.name(),
                            change.title,
                            change.before.mean(),
                            change.before.spread(),
                            change.after.mean(),
                            change.pairs().change(),
                            change.pairs().error()));
        }
        results.heading("All changes of more than the grain").table("changes", table);
    }
}
