package dev.retier.bench.agent;

import dev.retier.bench.CellOptions;
import dev.retier.bench.Launched;
import dev.retier.bench.Measures;
import dev.retier.bench.Pause;
import dev.retier.bench.ProcessFigures;
import dev.retier.bench.QuietRounds.Kept;
import dev.retier.bench.ResultOptions;
import dev.retier.bench.Results;
import dev.retier.load.drive.LoadPlan;
import dev.retier.load.drive.LoadRun;
import dev.retier.load.report.LoadResult;
import dev.retier.load.schedule.Pacing;
import dev.retier.load.target.source.AgentAccess;
import dev.retier.load.target.source.TargetSource;
import dev.retier.report.Axis;
import dev.retier.report.Plot;
import dev.retier.report.Table;
import dev.retier.traces.made.Catalogue;
import dev.retier.traces.made.GeneratedTrace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** {@code ./retier bench agent}: processor time and memory of agents, at rest and under load, and over many moves. */
@Command(
        name = "agent",
        description =
                "What an agent takes of its node: processor time and memory of real agents beside web-nodes or httpd,"
                        + " without and with load, then threads, files and memory over many moves. Linux.")
@Measures(
        modules = {
            "verbs",
            "soft-iwarp",
            "link",
            "fabric",
            "shared-state",
            "reconfig-agent",
            "web-node",
            "load-gen",
            "cli"
        })
public final class AgentBench implements Callable<Integer> {
    private static final double TARGET_PERCENT = 1;
    private static final double HTTPD_TARGET_PERCENT = 0.8;
    private static final double PERCENT = 100;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final int SAMPLES = 10;
    private static final double HEADROOM = 1.2;
    private static final double DYNAMIC_SHARE = 0.2;
    private static final long PLENTY = Integer.MAX_VALUE;

    @Mixin
    private CellOptions size = new CellOptions(40);

    @Option(
            names = "--warm-up",
            paramLabel = "SECONDS",
            description = "After all agents are ready, before anything is measured (default: ${DEFAULT-VALUE}).")
    private int warmUp = 120;

    @Option(
            names = "--beside",
            paramLabel = "SERVER",
            description = "web-node, or httpd: Apache httpd beside each agent, and the agents at rest alone (default:"
                    + " ${DEFAULT-VALUE}).",
            converter = KindText.class)
    private NodeServers.Kind beside = NodeServers.Kind.WEB_NODE;

    @Option(names = "--rate", paramLabel = "N", description = "Requests per second (default: ${DEFAULT-VALUE}).")
    private int rate = 300;

    @Option(
            names = "--moves",
            paramLabel = "N",
            description = "Moves under that load; 0 for none (default: ${DEFAULT-VALUE}).")
    private int moves = 1_000;

    @Mixin
    private ResultOptions options = new ResultOptions();

    /**
     * {@inheritDoc}
     *
     * @throws Exception if an agent does not start, a move fails, or load cannot be sent
     */
    @Override
    public Integer call() throws Exception {
        return switch (beside) {
            case WEB_NODE -> besideWebNodes();
            case HTTPD -> besideHttpd();
        };
    }

    /** What the command line says. */
    static final class KindText implements ITypeConverter<NodeServers.Kind> {
        @Override
        public NodeServers.Kind convert(String text) {
            return Stream.of(NodeServers.Kind.values())
                    .filter(kind -> kind.toString().equals(text))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException("'" + text + "' is neither web-node nor httpd"));
        }
    }

    /** Nobody asks httpd for anything but its agent: what is measured is the poll of its page and of its processes. */
    private Integer besideHttpd() throws Exception {
        Results results = options.begin(
                "agent-httpd",
                "What an agent takes beside Apache httpd",
                "./retier bench agent --beside httpd --nodes " + size.nodes() + " --warm-up " + warmUp + " --seconds "
                        + size.seconds());
        results.note(String.format(
                Locale.ROOT,
                "%d agents, each a process started by `./retier agent` with every default (S = 200 ms), each beside an"
                        + " httpd with the configuration of `conf/httpd`, at rest. Processor time in percent of one"
                        + " core and resident memory (VmRSS), as the kernel counts them, %d s after all agents were"
                        + " ready.",
                size.nodes(),
                warmUp));
        Path folder = Launched.emptyWorkFolder("bench-agent");
        try (AgentCell cell = AgentCell.start(folder, size.nodes(), 2, beside)) {
            Pause.seconds(warmUp);
            List<ProcessFigures> warm = cell.figures();
            Kept<Period> idle = results.rounds().run(0, 1, _ -> measure(cell));
            Period period = idle.all().getFirst();
            Table table = new Table("node", "cpu_percent_idle", "resident_mib_idle", "threads", "descriptors");
            for (int i = 0; i < size.nodes(); i++) {
                ProcessFigures end = period.end.get(i);
                table.row(
                        ClusterText.name(i + 1),
                        period.cpuPercent.get(i),
                        end.residentMebibytes(),
                        end.threads(),
                        end.descriptors());
            }
            results.heading("At rest").table("cost", table);
            double most = Collections.max(period.cpuPercent);
            results.note(String.format(
                    Locale.ROOT,
                    "The most that an agent took: %.2f %% of a core; ours must show at most %.1f %%: %s. Before that,"
                            + " in its start and those %d s, an agent took at most %.1f s of processor time.",
                    most,
                    HTTPD_TARGET_PERCENT,
                    idle.verdict(most <= HTTPD_TARGET_PERCENT),
                    warmUp,
                    most(warm, ProcessFigures::cpuSeconds)));
        }
        options.end(results);
        return 0;
    }

    private Integer besideWebNodes() throws Exception {
        Results results = options.begin(
                "agent",
                "What an agent takes of its node",
                "./retier bench agent --nodes " + size.nodes() + " --warm-up " + warmUp + " --seconds " + size.seconds()
                        + " --moves " + moves);
        results.note(String.format(
                Locale.ROOT,
                "%d agents, each a process started by `./retier agent` with every default (S = 200 ms), beside"
                        + " web-nodes that share another process. Processor time in percent of one core and resident"
                        + " memory (VmRSS), as the kernel counts them, %d s after all agents were ready; the load is"
                        + " %d requests/s, a fifth of them dynamic, to the targets that the first agent tells.",
                size.nodes(),
                warmUp,
                rate));
        Path folder = Launched.emptyWorkFolder("bench-agent");
        try (AgentCell cell = AgentCell.start(folder, size.nodes(), 2, beside)) {
            Pause.seconds(warmUp);
            List<ProcessFigures> warm = cell.figures();
            Kept<Period> idle = results.rounds().run(0, 1, _ -> measure(cell));
            try (LoadRun load = load(cell)) {
                Kept<Period> loaded = results.rounds().run(0, 1, _ -> measure(cell));
                cost(results, idle, loaded);
                results.note(String.format(
                        Locale.ROOT,
                        "Before that, in its start and those %d s, an agent took at most %.1f s of processor time.",
                        warmUp,
                        most(warm, ProcessFigures::cpuSeconds)));
                if (moves > 0) {
                    move(cell, results);
                }
                load.stop();
                tell(results, load.await());
            }
        }
        options.end(results);
        return 0;
    }

    /** What each agent took over a time, and held at its end. */
    private record Period(List<Double> cpuPercent, List<ProcessFigures> end) {}

    private Period measure(AgentCell cell) throws IOException {
        List<ProcessFigures> before = cell.figures();
        long beganNanos = System.nanoTime();
        Pause.seconds(size.seconds());
        List<ProcessFigures> after = cell.figures();
        double elapsed = (System.nanoTime() - beganNanos) / NANOS_PER_SECOND;
        return new Period(
                IntStream.range(0, size.nodes())
                        .mapToObj(i -> PERCENT
                                * (after.get(i).cpuSeconds() - before.get(i).cpuSeconds())
                                / elapsed)
                        .toList(),
                after);
    }

    private LoadRun load(AgentCell cell) throws InterruptedException {
        return LoadRun.start(LoadPlan.of(
                        "shop",
                        GeneratedTrace.mixed(PLENTY, DYNAMIC_SHARE, Catalogue.DEFAULT, 1),
                        TargetSource.agents(List.of(cell.agent(1)), AgentAccess.OPEN))
                .withClients(16)
                .withPacing(Pacing.Rates.constant(rate))
                .build());
    }

    private void cost(Results results, Kept<Period> idleRounds, Kept<Period> loadedRounds) {
        Period idle = idleRounds.all().getFirst();
        Period loaded = loadedRounds.all().getFirst();
        Table table = new Table(
                "node",
                "cpu_percent_idle",
                "cpu_percent_loaded",
                "resident_mib_idle",
                "resident_mib_loaded",
                "threads",
                "descriptors");
        for (int i = 0; i < size.nodes(); i++) {
            ProcessFigures end = loaded.end.get(i);
            table.row(
                    ClusterText.name(i + 1),
                    idle.cpuPercent.get(i),
                    loaded.cpuPercent.get(i),
                    idle.end.get(i).residentMebibytes(),
                    end.residentMebibytes(),
                    end.threads(),
                    end.descriptors());
        }
        results.heading("At rest and under load").table("cost", table);
        double most = Math.max(Collections.max(idle.cpuPercent), Collections.max(loaded.cpuPercent));
        results.note(String.format(
                Locale.ROOT,
                "The most that an agent took: %.2f %% of a core; ours must show at most %.0f %%: %s.",
                most,
                TARGET_PERCENT,
                (idleRounds.othersShare() > loadedRounds.othersShare() ? idleRounds : loadedRounds)
                        .verdict(most <= TARGET_PERCENT)));
    }

    /** Node 3 goes to the proxies and back, again and again. */
    private void move(AgentCell cell, Results results) throws IOException {
        Table table = new Table(
                "moves", "threads_least", "threads_most", "descriptors_least", "descriptors_most", "resident_mib_most");
        List<Plot.Point> resident = new ArrayList<>();
        int step = Math.max(1, moves / SAMPLES);
        long beganNanos = System.nanoTime();
        for (int done = 0; done <= moves; done++) {
            if (done % step == 0) {
                List<ProcessFigures> now = cell.figures();
                double most = most(now, ProcessFigures::residentMebibytes);
                table.row(
                        done,
                        (int) least(now, ProcessFigures::threads),
                        (int) most(now, ProcessFigures::threads),
                        (int) least(now, ProcessFigures::descriptors),
                        (int) most(now, ProcessFigures::descriptors),
                        most);
                resident.add(new Plot.Point(done, most));
            }
            if (done < moves) {
                cell.move(3, done % 2 == 0 ? "shop/proxy" : "shop/app");
            }
        }
        double took = (System.nanoTime() - beganNanos) / NANOS_PER_SECOND;
        results.heading("Over many moves")
                .note(String.format(
                        Locale.ROOT,
                        "%d moves under that load, each asked for at the first agent's control socket, in %.0f s. Of"
                                + " all agents the least and the most:",
                        moves,
                        took))
                .table("moves", table)
                .plot(new Plot(
                        "Resident memory of the largest agent",
                        Axis.linear("moves", moves),
                        Axis.linear(
                                "MiB",
                                resident.stream()
                                                .mapToDouble(Plot.Point::y)
                                                .max()
                                                .orElseThrow()
                                        * HEADROOM),
                        List.of(),
                        List.of(),
                        List.of(new Plot.Series("resident memory", "a", Plot.Shape.LINE, resident)),
                        List.of()));
    }

    private static double least(List<ProcessFigures> all, ToDoubleFunction<ProcessFigures> figure) {
        return all.stream().mapToDouble(figure).min().orElseThrow();
    }

    private static double most(List<ProcessFigures> all, ToDoubleFunction<ProcessFigures> figure) {
        return all.stream().mapToDouble(figure).max().orElseThrow();
    }

    private static void tell(Results results, LoadResult load) {
        results.note(String.format(
                Locale.ROOT,
                "Of %d requests under way meanwhile %d failed.",
                load.totals().sent(),
                load.totals().failed()));
    }
}
