package dev.retier.bench.state;

import dev.retier.bench.CarrierOption;
import dev.retier.bench.Launched;
import dev.retier.bench.Measures;
import dev.retier.bench.Pause;
import dev.retier.bench.ProcessFigures;
import dev.retier.bench.Progress;
import dev.retier.bench.ResultOptions;
import dev.retier.bench.Results;
import dev.retier.bench.Stats;
import dev.retier.bench.agent.AgentCell;
import dev.retier.report.Table;
import dev.retier.state.SharedState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./retier bench tls}: what TLS between the nodes costs. */
@Command(
        name = "tls",
        description = "What TLS between the nodes costs: looks with it beside looks without, in turns in the same"
                + " process, and processor time of agents in two cells that run side by side. Linux.")
@Measures(
        modules = {
            "verbs",
            "soft-iwarp",
            "link",
            "fabric",
            "config",
            "shared-state",
            "reconfig-agent",
            "web-node",
            "cli"
        })
public final class TlsBench implements Callable<Integer> {
    private static final double NANOS_PER_MICRO = 1e3;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double PERCENT = 100;
    private static final double NINETY_NINE = 0.99;
    private static final int PROXIES = 2;
    private static final int LITTLE = 7;
    private static final String LOOKS = "A look is one read of every other node's slot, all under way together, by the"
            + " first node. Both cells are in this process, over loopback, so processor time is that of both ends, of"
            + " TLS and of the kernel. In each round one cell is looked at, then the other. Up to "
            + BenchCell.LARGEST_MESH + " nodes all are connected with each other; of more, each with the first alone."
            + " connected_s: from the first node's start until all see whom"
            + " they are connected with, once, plain first, after a small cell of each.";
    private static final String AGENTS = "Two cells of agents, each a process started by `./retier agent` with every"
            + " default, beside web-nodes that nobody asks; both cells run at the same time, and each round is the"
            + " same time of both. Processor time in percent of one core, in the mean of a cell's agents.";

    @Option(
            names = "--nodes",
            split = ",",
            paramLabel = "N",
            description = "Sizes of the cells that are looked at (default: ${DEFAULT-VALUE}).")
    private List<Integer> sizes = List.of(7, 64);

    @Option(names = "--rounds", paramLabel = "N", description = "Of each measurement (default: ${DEFAULT-VALUE}).")
    private int rounds = 5;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "Of looks with and without, in each round (default: ${DEFAULT-VALUE}).")
    private int seconds = 3;

    @Option(
            names = "--agents",
            paramLabel = "N",
            description = "Agents of each of two cells of processes; 0 for none (default: ${DEFAULT-VALUE}).")
    private int agents = 7;

    @Option(
            names = "--agent-seconds",
            paramLabel = "S",
            description = "Of each round of theirs (default: ${DEFAULT-VALUE}).")
    private int agentSeconds = 30;

    @Option(
            names = "--warm-up",
            paramLabel = "S",
            description = "Before the first of them (default: ${DEFAULT-VALUE}).")
    private int warmUp = 90;

    @Mixin
    private ResultOptions options = new ResultOptions();

    /** Looks of a round. */
    private record Looks(double medianMicros, double highMicros, double cpuMicros) {}

    /** The same cell without and with TLS, at the same time or one right after the other. */
    private record Pair<T>(T plain, T tls) {}

    private record Cells(BenchCell plain, BenchCell tls, Pair<Double> connectedSeconds) implements AutoCloseable {
        @Override
        public void close() {
            tls.close();
            plain.close();
        }
    }

    /**
     * {@inheritDoc}
     *
     * @throws Exception if a certificate cannot be made, a cell does not start, or the results cannot be kept
     */
    @Override
    public Integer call() throws Exception {
        Results results = options.begin(
                "tls",
                "What TLS between the nodes costs",
                String.format(
                        Locale.ROOT,
                        "./retier bench tls --rounds %d --seconds %d --agents %d --agent-seconds %d --warm-up %d",
                        rounds,
                        seconds,
                        agents,
                        agentSeconds,
                        warmUp));
        Path folder = Launched.emptyWorkFolder("bench-tls");
        int most = Math.max(agents, Collections.max(sizes));
        CellCertificate certificate = CellCertificate.make(Files.createDirectory(folder.resolve("certificate")), most);
        results.heading("Looks").note(LOOKS).table("looks", looks(results, certificate));
        if (agents > 0) {
            results.heading("Agents").note(AGENTS).table("agents", agents(results, folder, certificate));
        }
        options.end(results);
        return 0;
    }

    private Table looks(Results results, CellCertificate certificate) throws Exception {
        Table table = new Table("nodes", "figure", "plain", "tls", "ratio", "ratio_least", "ratio_most");
        for (int size : sizes) {
            Progress.tell("connecting " + size + " nodes, without and with TLS");
            connect(Math.min(size, LITTLE), certificate).close(); // what is met for the first time takes longer
            try (Cells cells = connect(size, certificate)) {
                row(table, size, "connected_s", List.of(cells.connectedSeconds));
                Progress.tell("measuring " + size + " nodes");
                List<Pair<Looks>> all = results.rounds()
                        .run(1, rounds, number -> look(cells, number % 2 == 0))
                        .all();
                row(table, size, "look_median_us", figures(all, Looks::medianMicros));
                row(table, size, "look_p99_us", figures(all, Looks::highMicros));
                row(table, size, "look_cpu_us", figures(all, Looks::cpuMicros));
            }
        }
        return table;
    }

    private static Cells connect(int size, CellCertificate certificate) {
        long beganNanos = System.nanoTime();
        BenchCell plain = BenchCell.start(size, new CarrierOption());
        long betweenNanos = System.nanoTime();
        try {
            BenchCell tls = BenchCell.start(size, new CarrierOption(), Optional.of(certificate.tls()));
            return new Cells(
                    plain,
                    tls,
                    new Pair<>(
                            (betweenNanos - beganNanos) / NANOS_PER_SECOND,
                            (System.nanoTime() - betweenNanos) / NANOS_PER_SECOND));
        } catch (RuntimeException e) {
            plain.close();
            throw e;
        }
    }

    private Pair<Looks> look(Cells cells, boolean isPlainFirst) {
        if (isPlainFirst) {
            Looks plain = look(cells.plain.first());
            return new Pair<>(plain, look(cells.tls.first()));
        }
        Looks tls = look(cells.tls.first());
        return new Pair<>(look(cells.plain.first()), tls);
    }

    private Looks look(SharedState node) {
        Stats micros = new Stats();
        long cpuNanos = Cpu.nanos();
        long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (System.nanoTime() - endNanos < 0) {
            long begunNanos = System.nanoTime();
            node.look();
            micros.add((System.nanoTime() - begunNanos) / NANOS_PER_MICRO);
        }
        double cpuMicros = (Cpu.nanos() - cpuNanos) / NANOS_PER_MICRO / micros.count();
        return new Looks(micros.median(), micros.quantile(NINETY_NINE), cpuMicros);
    }

    private Table agents(Results results, Path folder, CellCertificate certificate) throws Exception {
        Path without = Files.createDirectory(folder.resolve("plain"));
        Path with = Files.createDirectory(folder.resolve("tls"));
        List<AgentCell.Launch> launches = Collections.nCopies(agents, AgentCell.Launch.usual());
        Table table = new Table("agents", "figure", "plain", "tls", "ratio", "ratio_least", "ratio_most");
        try (AgentCell plain = AgentCell.start(without, launches, PROXIES, "");
                AgentCell tls = AgentCell.start(with, launches, PROXIES, certificate.lines())) {
            Progress.tell("agents warm up for " + warmUp + " s");
            Pause.seconds(warmUp);
            List<Pair<Double>> all =
                    results.rounds().run(0, rounds, _ -> percent(plain, tls)).all();
            row(table, agents, "agent_cpu_percent", all);
            row(table, agents, "agent_resident_mib", List.of(new Pair<>(mebibytes(plain), mebibytes(tls))));
        }
        return table;
    }

    /** In the mean of all agents, both cells over the same time. */
    private Pair<Double> percent(AgentCell plain, AgentCell tls) throws IOException {
        double plainBefore = cpuSeconds(plain);
        double tlsBefore = cpuSeconds(tls);
        long beganNanos = System.nanoTime();
        Pause.seconds(agentSeconds);
        double plainTook = cpuSeconds(plain) - plainBefore;
        double tlsTook = cpuSeconds(tls) - tlsBefore;
        double each = PERCENT / agents / ((System.nanoTime() - beganNanos) / NANOS_PER_SECOND);
        return new Pair<>(each * plainTook, each * tlsTook);
    }

    private static double cpuSeconds(AgentCell cell) throws IOException {
        return cell.figures().stream().mapToDouble(ProcessFigures::cpuSeconds).sum();
    }

    private static double mebibytes(AgentCell cell) throws IOException {
        return cell.figures().stream()
                .mapToDouble(ProcessFigures::residentMebibytes)
                .average()
                .orElseThrow();
    }

    private static <T> List<Pair<Double>> figures(List<Pair<T>> all, ToDoubleFunction<T> figure) {
        return all.stream()
                .map(pair -> new Pair<>(figure.applyAsDouble(pair.plain), figure.applyAsDouble(pair.tls)))
                .toList();
    }

    /** Medians of the rounds, and the ratio of each round. */
    private static void row(Table table, int nodes, String figure, List<Pair<Double>> all) {
        Stats ratios = Stats.of(all, pair -> pair.tls / pair.plain);
        table.row(
                nodes,
                figure,
                Stats.of(all, Pair::plain).median(),
                Stats.of(all, Pair::tls).median(),
                ratios.median(),
                ratios.least(),
                ratios.most());
    }
}
