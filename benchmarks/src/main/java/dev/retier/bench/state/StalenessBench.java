package dev.retier.bench.state;

import dev.retier.bench.Measures;
import dev.retier.bench.Measures.Need;
import dev.retier.bench.Progress;
import dev.retier.bench.QuietRounds;
import dev.retier.bench.ResultOptions;
import dev.retier.bench.Results;
import dev.retier.bench.RoundsOption;
import dev.retier.bench.Stats;
import dev.retier.link.NodeId;
import dev.retier.link.ReservedPorts;
import dev.retier.report.Table;
import dev.retier.state.SharedState;
import dev.retier.state.SlotReading;
import dev.retier.state.verbs.VerbsSharedState;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench staleness}: how old the load figure is that a reader has of a node whose processor is saturated. */
@Command(
        name = "staleness",
        description = "Age of a load figure read from a saturated node: one-sided read beside request and response.")
@Measures(
        modules = {"verbs", "soft-iwarp", "link", "fabric", "shared-state"},
        needs = Need.TASKSET)
public final class StalenessBench implements Callable<Integer> {
    private static final long TICK_NANOS = 20_000_000;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final NodeId WATCHED = new NodeId(2);
    private static final double NINETY_NINE = 0.99;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final String SATURATED = "saturated";
    private static final String SET_UP = "The watched node is a process that may use one core only (taskset). It"
            + " publishes its figure in place every 10 ms and answers the same figure on request; saturated means that"
            + " eight workers of its server, at the priority of all its other threads, always have sixteen requests of"
            + " 5 ms of processor time each. The reader, on the other core, wants a figure every 20 ms, in turns of"
            + " each method. one-sided: an RDMA read over soft-iwarp, whose progress thread shares the saturated core."
            + " one-sided, own core: the same with the progress thread on the reader's core, as an adapter would leave"
            + " the saturated core alone. request: over TCP, answered by a thread that does nothing else. request to"
            + " the server: answered by one of the server's workers. arrival: age of the figure when it comes. in"
            + " hand: age of the one before at that moment, the oldest that a decision rests on.";

    @Mixin
    private RoundsOption rounds = new RoundsOption(3);

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "Time per method, load and round (default: ${DEFAULT-VALUE}).")
    private double seconds = 3;

    @Mixin
    private ResultOptions options = new ResultOptions();

    /** Gives the time at which the newest figure to be had was taken, or nothing. */
    private interface Method {
        Optional<Long> figure() throws IOException;
    }

    /** What one method gave under one load. */
    private static final class Series {
        final String method;
        final String load;
        final Stats arrivalMillis = new Stats();
        final Stats inHandMillis = new Stats();
        final Stats waitMillis = new Stats();
        int missed;

        Series(String method, String load) {
            this.method = method;
            this.load = load;
        }

        void add(Series more) {
            arrivalMillis.addAll(more.arrivalMillis);
            inHandMillis.addAll(more.inHandMillis);
            waitMillis.addAll(more.waitMillis);
            missed += more.missed;
        }
    }

    /**
     * {@inheritDoc}
     *
     * @return 1 if there are less than two cores
     * @throws Exception if the watched process fails
     */
    @Override
    public Integer call() throws Exception {
        if (Runtime.getRuntime().availableProcessors() < 2) {
            Progress.tell("retier: bench staleness needs two cores, one for each node");
            return 1;
        }
        Results results = options.begin(
                "staleness",
                "Age of a load figure from a saturated node",
                "./retier bench staleness --rounds " + rounds.count() + " --seconds " + seconds);
        results.note(SET_UP);
        try (ReservedPorts ports = new ReservedPorts(3)) {
            results.table("ages", measure(results.rounds(), ports.numbers()));
        }
        options.end(results);
        return 0;
    }

    private Table measure(QuietRounds quiet, List<Integer> ports) throws Exception {
        Process victim = startVictim(ports);
        try (SharedState state =
                        VerbsSharedState.open(new StalenessPair(ports.get(0), ports.get(1)).config(new NodeId(1)));
                Socket requests = connect(ports.get(2))) {
            Affinity.pinProcess(ProcessHandle.current().pid(), Affinity.READER);
            state.publish(BenchCell.LOAD);
            awaitVictim(state);
            return measure(quiet, state, requests, victim.pid());
        } finally {
            victim.destroy();
        }
    }

    private Table measure(QuietRounds quiet, SharedState state, Socket requests, long victim) throws Exception {
        DataOutputStream out = new DataOutputStream(requests.getOutputStream());
        DataInputStream in = new DataInputStream(requests.getInputStream());
        Method oneSided = () -> figure(state);
        List<Method> methods = List.of(
                oneSided,
                oneSided,
                () -> ask(out, in, StalenessVictim.ASK_DIRECTLY),
                () -> ask(out, in, StalenessVictim.ASK_SERVER));
        List<Series> all = noFigures();
        quiet.run(1, rounds.count(), _ -> {
                    List<Series> round = noFigures();
                    for (int index = 0; index < round.size(); index++) {
                        Series series = round.get(index);
                        int method = index % methods.size();
                        if (series.load.equals(SATURATED)) {
                            out.write(StalenessVictim.SATURATE);
                        }
                        Affinity.pinProgress(victim, method == 1 ? Affinity.READER : Affinity.WATCHED);
                        run(methods.get(method), series);
                        ask(out, in, StalenessVictim.REST);
                    }
                    return round;
                })
                .all()
                .forEach(round -> {
                    for (int index = 0; index < round.size(); index++) {
                        all.get(index).add(round.get(index));
                    }
                });
        return table(all);
    }

    private static List<Series> noFigures() {
        List<String> names = List.of("one-sided", "one-sided, own core", "request", "request to the server");
        return List.of("idle", SATURATED).stream()
                .flatMap(load -> names.stream().map(name -> new Series(name, load)))
                .toList();
    }

    private void run(Method method, Series series) throws IOException {
        long begun = System.nanoTime();
        long before = begun;
        for (long due = begun; due - begun < seconds * TimeUnit.SECONDS.toNanos(1); due += TICK_NANOS) {
            for (long now = System.nanoTime(); due - now > 0; now = System.nanoTime()) {
                LockSupport.parkNanos(due - now);
            }
            long asked = System.nanoTime();
            Optional<Long> figure = method.figure();
            long now = System.nanoTime();
            series.waitMillis.add((now - asked) / NANOS_PER_MILLI);
            if (figure.isEmpty()) {
                series.missed++;
                continue;
            }
            series.arrivalMillis.add((now - figure.get()) / NANOS_PER_MILLI);
            if (before != begun) {
                series.inHandMillis.add((now - before) / NANOS_PER_MILLI);
            }
            before = figure.get();
        }
    }

    private static Table table(List<Series> all) {
        Table table = new Table(
                "load",
                "method",
                "arrival_median_ms",
                "arrival_p99_ms",
                "in_hand_median_ms",
                "in_hand_p99_ms",
                "wait_median_ms",
                "wait_p99_ms",
                "figures",
                "missed");
        for (Series series : all) {
            table.row(
                    series.load,
                    series.method,
                    series.arrivalMillis.median(),
                    series.arrivalMillis.quantile(NINETY_NINE),
                    series.inHandMillis.median(),
                    series.inHandMillis.quantile(NINETY_NINE),
                    series.waitMillis.median(),
                    series.waitMillis.quantile(NINETY_NINE),
                    series.arrivalMillis.count(),
                    series.missed);
        }
        return table;
    }

    private static Optional<Long> figure(SharedState state) {
        return state.look().get(WATCHED) instanceof SlotReading.Known known
                ? Optional.of((long) known.load().capacityUnitsPerSecond())
                : Optional.empty();
    }

    private static Optional<Long> ask(DataOutputStream out, DataInputStream in, int how) throws IOException {
        out.write(how);
        return Optional.of(in.readLong());
    }

    private static Process startVictim(List<Integer> ports) throws IOException {
        return new ProcessBuilder(
                        "taskset",
                        "-c",
                        String.valueOf(Affinity.WATCHED),
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-XX:+UseSerialGC",
                        "-Dlogback.configurationFile=dev/retier/bench/logback.xml",
                        "-cp",
                        System.getProperty("java.class.path"),
                        StalenessVictim.class.getName(),
                        String.valueOf(ports.get(0)),
                        String.valueOf(ports.get(1)),
                        String.valueOf(ports.get(2)))
                .inheritIO()
                .start();
    }

    private static Socket connect(int port) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (true) {
            try {
                Socket socket = new Socket();
                socket.setTcpNoDelay(true);
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                return socket;
            } catch (IOException notYet) {
                if (System.nanoTime() - deadline > 0) {
                    throw new IllegalStateException("the watched process does not answer", notYet);
                }
                LockSupport.parkNanos(RETRY_NANOS);
            }
        }
    }

    private static void awaitVictim(SharedState state) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (figure(state).isEmpty()) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("the watched slot does not come up");
            }
            LockSupport.parkNanos(RETRY_NANOS);
        }
    }
}
