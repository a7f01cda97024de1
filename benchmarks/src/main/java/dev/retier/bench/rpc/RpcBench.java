package dev.retier.bench.rpc;

import dev.retier.bench.RecordOption;
import dev.retier.bench.Results;
import dev.retier.fabric.Call;
import dev.retier.fabric.calls.Priority;
import dev.retier.report.Table;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench rpc}: calls between two nodes beside request and answer over plain TCP. */
@Command(name = "rpc", description = "Calls over RDMA rings beside plain TCP, in the same process and run.")
public final class RpcBench implements Callable<Integer> {
    private static final int[] SIZES = {8, 1024, 4096};
    private static final int THREADS = 16;
    private static final int FLOOD = 48;

    @Option(names = "--rounds", paramLabel = "N", description = "Interleaved rounds (default: ${DEFAULT-VALUE}).")
    private int rounds = 3;

    @Option(names = "--calls", paramLabel = "N", description = "Calls per round (default: ${DEFAULT-VALUE}).")
    private int calls = 20_000;

    @Mixin
    private RecordOption recorded = new RecordOption();

    /**
     * {@inheritDoc}
     *
     * @throws Exception if a connection fails
     */
    @Override
    public Integer call() throws Exception {
        Results results = new Results(
                "rpc",
                "Calls over RDMA rings beside plain TCP",
                "./retier bench rpc --rounds " + rounds + " --calls " + calls);
        Table latency = new Table("body_bytes", "way", "median_us", "p99_us");
        Table throughput = new Table("body_bytes", "way", "threads", "calls_per_second");
        try (FabricPair fabric = new FabricPair();
                TcpEcho tcp = new TcpEcho()) {
            for (int size : SIZES) {
                measure(size, fabric, tcp, latency, throughput);
            }
            results.heading("One caller, one call at a time").table("latency", latency);
            results.heading("Many callers").table("throughput", throughput);
            results.heading("Urgent calls of 8 bytes while " + FLOOD + " calls of 4096 bytes are always in flight")
                    .table("priority", priorities(fabric));
        }
        results.note(
                "TCP: blocking sockets, a connection and a serving thread per caller. Calls: one connection and the"
                        + " polling thread of each node. An inline handler runs where its call is found, others on one"
                        + " of four handler threads; a caller serves its node's connections for 60 us before it sleeps,"
                        + " where that has lately been of use.");
        recorded.keep(results);
        return 0;
    }

    private void measure(int size, FabricPair fabric, TcpEcho tcp, Table latency, Table throughput) throws Exception {
        IO.println("measuring: " + size + " bytes");
        List<long[]> overFabric = new ArrayList<>();
        List<long[]> overTcp = new ArrayList<>();
        double[] fabricRate = new double[rounds];
        double[] tcpRate = new double[rounds];
        List<long[]> promptly = new ArrayList<>();
        double[] promptRate = new double[rounds];
        times(fabric.echo(), size, calls);
        times(fabric.promptEcho(), size, calls);
        times(tcp.connect(), size, calls);
        for (int round = 0; round < rounds; round++) {
            overTcp.add(times(tcp.connect(), size, calls));
            overFabric.add(times(fabric.echo(), size, calls));
            promptly.add(times(fabric.promptEcho(), size, calls));
            tcpRate[round] = rate(tcp::connect, size);
            fabricRate[round] = rate(fabric::echo, size);
            promptRate[round] = rate(fabric::promptEcho, size);
        }
        addLatency(latency, size, "tcp", overTcp);
        addLatency(latency, size, "fabric, handler thread", overFabric);
        addLatency(latency, size, "fabric, inline handler", promptly);
        throughput.row(size, "tcp", THREADS, median(tcpRate));
        throughput.row(size, "fabric, handler thread", THREADS, median(fabricRate));
        throughput.row(size, "fabric, inline handler", THREADS, median(promptRate));
    }

    /** Nanoseconds of each round trip, sorted. */
    private static long[] times(Echo echo, int size, int count) throws Exception {
        byte[] body = new byte[size];
        long[] nanos = new long[count];
        for (int i = 0; i < count; i++) {
            long begun = System.nanoTime();
            echo.roundTrip(body);
            nanos[i] = System.nanoTime() - begun;
        }
        Arrays.sort(nanos);
        return nanos;
    }

    private interface Source {
        Echo open() throws Exception;
    }

    private double rate(Source source, int size) throws Exception {
        List<Future<?>> callers = new ArrayList<>();
        long begun = System.nanoTime();
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            for (int i = 0; i < THREADS; i++) {
                Echo echo = source.open();
                callers.add(threads.submit(() -> {
                    byte[] body = new byte[size];
                    for (int n = 0; n < calls / THREADS; n++) {
                        echo.roundTrip(body);
                    }
                    return true;
                }));
            }
        }
        for (Future<?> caller : callers) {
            caller.get();
        }
        return (long) (calls / THREADS) * THREADS * 1e9 / (System.nanoTime() - begun);
    }

    private Table priorities(FabricPair fabric) throws Exception {
        IO.println("measuring: priorities");
        Table table = new Table("beside_them", "median_us", "p99_us", "flood_calls_per_second");
        int count = calls / 4;
        for (int round = 0; round < 2; round++) {
            // The first round warms up.
            long[] alone = times(fabric.echo(), SIZES[0], count);
            Flooded same = flooded(fabric, Priority.HIGH, count);
            Flooded low = flooded(fabric, Priority.LOW, count);
            if (round > 0) {
                table.row("nothing", micros(alone, 0.5), micros(alone, 0.99), 0.0);
                table.row("a flood of the same class", micros(same.nanos, 0.5), micros(same.nanos, 0.99), same.rate);
                table.row("a flood of low priority", micros(low.nanos, 0.5), micros(low.nanos, 0.99), low.rate);
            }
        }
        return table;
    }

    @SuppressWarnings("ArrayRecordComponent") // compared by nobody
    private record Flooded(long[] nanos, double rate) {}

    private static Flooded flooded(FabricPair fabric, Priority priority, int count) throws Exception {
        AtomicBoolean on = new AtomicBoolean(true);
        try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
            long begun = System.nanoTime();
            Future<Integer> flood = thread.submit(() -> flood(fabric, priority, on));
            long[] nanos = times(fabric.echo(), SIZES[0], count);
            double seconds = (System.nanoTime() - begun) / 1e9;
            on.set(false);
            return new Flooded(nanos, flood.get() / seconds);
        }
    }

    private static int flood(FabricPair fabric, Priority priority, AtomicBoolean on) throws InterruptedException {
        byte[] body = new byte[SIZES[2]];
        Queue<Call> open = new ArrayDeque<>();
        int ended = 0;
        while (on.get()) {
            while (open.size() < FLOOD) {
                open.add(fabric.begin(body, priority));
            }
            open.remove().await();
            ended++;
        }
        for (Call call : open) {
            call.await();
        }
        return ended;
    }

    private static void addLatency(Table table, int size, String way, List<long[]> rounds) {
        double[] medians =
                rounds.stream().mapToDouble(nanos -> micros(nanos, 0.5)).toArray();
        double[] tails =
                rounds.stream().mapToDouble(nanos -> micros(nanos, 0.99)).toArray();
        table.row(size, way, median(medians), median(tails));
    }

    private static double micros(long[] sorted, double quantile) {
        return sorted[(int) (quantile * (sorted.length - 1))] / 1000.0;
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
