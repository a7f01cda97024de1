package dev.retier.bench.figures;

import dev.retier.agent.config.ServerKind;
import dev.retier.bench.Measures;
import dev.retier.bench.ResultOptions;
import dev.retier.bench.Results;
import dev.retier.report.Table;
import dev.retier.sim.run.Allocation;
import dev.retier.sim.run.MadeCluster.Rules;
import dev.retier.sim.run.Outcome;
import dev.retier.sim.run.Setup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bench figures}: the experiments of the source, in the simulator, each judged. */
@Command(
        name = "figures",
        description =
                "Run the source's experiments E1 to E10 in the simulator, and judge each. Virtual time: the figures"
                        + " are the same on every machine.")
@Measures(
        modules = {"simulator", "balance", "reconfig-agent", "shared-state", "traces"},
        simulated = true,
        files = "traces/samples/worldcup-minutes.csv")
public final class FiguresBench implements Callable<Integer> {
    private static final double NANOS_PER_SECOND = 1e9;

    /** Servers that can be proxy and app. */
    private enum Kind {
        WEB_NODE(ServerKind.WEB_NODE),
        HTTPD(ServerKind.HTTPD);

        private final ServerKind kind;

        Kind(ServerKind kind) {
            this.kind = kind;
        }

        @Override
        public String toString() {
            return kind.word();
        }
    }

    @Option(names = "--only", split = ",", paramLabel = "ID", description = "Only these, such as E3,E9 (default: all).")
    private List<String> only = List.of();

    @Option(
            names = "--world-cup",
            paramLabel = "FILE",
            description = "A World Cup 98 log for E5, raw or gzip (default: a made mix of the same share).")
    private @Nullable Path worldCup;

    @Option(
            names = "--kind",
            paramLabel = "KIND",
            description =
                    "What serves on each node, by its delays as bench moves measured them: ${COMPLETION-CANDIDATES}"
                            + " (default: ${DEFAULT-VALUE}).")
    private Kind kind = Kind.WEB_NODE;

    @Mixin
    private ResultOptions options = new ResultOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    /**
     * {@inheritDoc}
     *
     * @throws java.io.IOException if the results cannot be kept
     */
    @Override
    public Integer call() throws java.io.IOException {
        if (worldCup != null && !Files.isReadable(worldCup)) {
            throw new ParameterException(spec.commandLine(), "--world-cup " + worldCup + ": cannot be read");
        }
        List<Figure> figures = chosen();
        Results results = options.begin(
                kind == Kind.WEB_NODE ? "figures" : "figures-" + kind,
                "The source's figures, simulated" + (kind == Kind.WEB_NODE ? "" : ", beside " + kind),
                command());
        results.note("The agents' own decisions, moves and locks in virtual time; servers and clients are a model that"
                + " meets seven real httpd nodes within 10 % (simulator/README.md). Ratios are the result, not rates.");
        Verdicts verdicts = new Verdicts();
        long begunNanos = System.nanoTime();
        for (Figure figure : figures) {
            figure.run(results, verdicts);
        }
        results.heading("What ours must show").table("judged", verdicts.table());
        results.note((verdicts.count() - verdicts.missed()) + " of " + verdicts.count() + " met.");
        speed(results, (System.nanoTime() - begunNanos) / NANOS_PER_SECOND);
        options.end(results);
        return 0;
    }

    private String command() {
        return "./retier bench figures"
                + (kind == Kind.WEB_NODE ? "" : " --kind " + kind)
                + (only.isEmpty() ? "" : " --only " + String.join(",", only));
    }

    private List<Figure> chosen() {
        Rules rules = Lab.USUAL.with(kind.kind);
        List<Figure> all = new ArrayList<>();
        all.add(new Splits());
        all.addAll(Bursts.all(rules));
        all.addAll(Durations.all(rules));
        all.add(new RealTrace(worldCup, rules));
        all.add(new RealMinutes(rules));
        all.add(new Sensitivity(rules));
        all.addAll(Promises.all(rules));
        all.addAll(Priorities.all(rules));
        List<String> known = all.stream().map(Figure::id).toList();
        only.stream().filter(id -> !known.contains(id)).findFirst().ifPresent(id -> {
            throw new ParameterException(spec.commandLine(), "--only " + id + ": there are " + known);
        });
        return all.stream()
                .filter(figure -> only.isEmpty() || only.contains(figure.id()))
                .toList();
    }

    /** How fast the simulator itself is: a million requests, agents and all, on one thread. */
    private static void speed(Results results, double seconds) {
        Setup setup = Lab.setup(Lab.cluster(Allocation.of(2, 5), null, Lab.USUAL), Lab.HTTPD, Lab.bursts(65_536, 16));
        long begunNanos = System.nanoTime();
        Outcome outcome = Lab.reconfigured(setup);
        double own = (System.nanoTime() - begunNanos) / NANOS_PER_SECOND;
        results.heading("The simulator's own speed")
                .table(
                        "speed",
                        new Table("requests", "wall_seconds", "requests_per_wall_second", "events", "virtual_seconds")
                                .row(
                                        outcome.done(),
                                        own,
                                        Math.round(outcome.done() / own),
                                        outcome.events(),
                                        Math.round(outcome.seconds())))
                .note("All figures took " + Math.round(seconds) + " s on one thread.");
    }
}
