package dev.retier.bench.rpc;

import dev.retier.bench.CarrierOption;
import dev.retier.bench.Measures;
import dev.retier.bench.Progress;
import dev.retier.bench.QuietRounds;
import dev.retier.bench.ResultOptions;
import dev.retier.bench.Results;
import dev.retier.bench.RoundsOption;
import dev.retier.bench.Stats;
import dev.retier.fabric.Call;
import dev.retier.fabric.calls.Priority;
import dev.retier.report.Table;
import java.util.ArrayDeque;
import java.util.ArrayList;
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
@Measures(modules = {"verbs", "soft-iwarp", "link", "fabric"})
public final class RpcBench implements Callable<Integer> {
    private static final int[] SIZES = {8, 1024, 4096};
    private static final int THREADS = 16;
    private static final int FLOOD = 48;
    private static final double NINETY_NINE = 0.99;
    private static final double NANOS_PER_MICRO = 1e3;

    @Mixin
    private RoundsOption rounds = new RoundsOption(3);

    @Option(names = "--calls", paramLabel = "N", description = "Calls per round (default: ${DEFAULT-VALUE}).")
    private int calls = 20_000;

    @Mixin
    private CarrierOption carrier = new CarrierOption();

    @Mixin
    private ResultOptions options = new ResultOptions();

    /**
     * {@inheritDoc}
     *
     * @throws Exception if a connection fails
     */
    @Override
    public Integer call() throws Exception {
        Results results = options.begin(
                carrier.record("rpc"),
                "Calls over RDMA rings of " + carrier.sentence() + " beside plain TCP",
                "./retier bench rpc --rounds " + rounds.count() + " --calls " + calls + carrier.words());
        Table latency = new Table("body_bytes", "way", "median_us", "p99_us");
        Table throughput = new Table("body_bytes", "way", "threads", "calls_per_second");
        try (FabricPair fabric = new FabricPair(carrier);
                TcpEcho tcp = new TcpEcho()) {
            for (int size : SIZES) {
                measure(size, new Ends(fabric, tcp), results.rounds(), latency, throughput);
            }
            results.heading("One caller, one call at a time").table("latency", latency);
            results.heading("Many callers").table("throughput", throughput);
            results.heading("Urgent calls of 8 bytes while " + FLOOD + " calls of 4096 bytes are always in flight")
                    .table("priority", priorities(fabric, results.rounds()));
        }
        results.note(
                "TCP: blocking sockets, a connection and a serving thread per caller. Calls: one connection and the"
                        + " polling thread of each node. An inline handler runs where its call is found, others on one"
                        + " of four handler threads; a caller serves its node's connections for 60 us before it sleeps,"
                        + " where that has lately been of use.");
        options.end(results);
        return 0;
    }

    private static final List<String> WAYS = List.of("tcp", "fabric, handler thread", "fabric, inline handler");

    private record Ends(FabricPair fabric, TcpEcho tcp) {}

    /** One way in one round. */
    private record Sample(Stats micros, double callsPerSecond) {}

    private void measure(int size, Ends ends, QuietRounds quiet, Table latency, Table throughput) throws Exception {
        Progress.tell("measuring: " + size + " bytes");
        List<Source> ways = List.of(ends.tcp::connect, ends.fabric::echo, ends.fabric::promptEcho);
        for (Source way : ways) {
            micros(way.open(), size, calls);
        }
        List<List<Sample>> all =
                quiet.run(0, rounds.count(), _ -> round(ways, size)).all();
        for (int i = 0; i < WAYS.size(); i++) {
            int way = i;
            latency.row(
                    size,
                    WAYS.get(i),
                    Stats.of(all, round -> round.get(way).micros.median()).median(),
                    Stats.of(all, round -> round.get(way).micros.quantile(NINETY_NINE))
                            .median());
            throughput.row(
                    size,
                    WAYS.get(i),
                    THREADS,
                    Stats.of(all, round -> round.get(way).callsPerSecond).median());
        }
    }

    private List<Sample> round(List<Source> ways, int size) throws Exception {
        List<Stats> micros = new ArrayList<>();
        for (Source way : ways) {
            micros.add(micros(way.open(), size, calls));
        }
        List<Sample> samples = new ArrayList<>();
        for (int i = 0; i < ways.size(); i++) {
            samples.add(new Sample(micros.get(i), rate(ways.get(i), size)));
        }
        return samples;
    }

    /** Microseconds of each round trip. */
    private static Stats micros(Echo echo, int size, int count) throws Exception {
        byte[] body = new byte[size];
        Stats micros = new Stats();
        for (int i = 0; i < count; i++) {
            long begun = System.nanoTime();
            echo.roundTrip(body);
            micros.add((System.nanoTime() - begun) / NANOS_PER_MICRO);
        }
        return micros;
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

    private Table priorities(FabricPair fabric, QuietRounds quiet) throws Exception {
        Progress.tell("measuring: priorities");
        int count = calls / 4;
        List<Flooded> found = quiet.run(
                        1,
                        1,
                        _ -> List.of(
                                new Flooded(micros(fabric.echo(), SIZES[0], count), 0),
                                flooded(fabric, Priority.HIGH, count),
                                flooded(fabric, Priority.LOW, count)))
                .all()
                .getFirst();
        List<String> names = List.of("nothing", "a flood of the same class", "a flood of low priority");
        Table table = new Table("beside_them", "median_us", "p99_us", "flood_calls_per_second");
        for (int i = 0; i < names.size(); i++) {
            Stats micros = found.get(i).micros;
            table.row(names.get(i), micros.median(), micros.quantile(NINETY_NINE), found.get(i).rate);
        }
        return table;
    }

    private record Flooded(Stats micros, double rate) {}

    private static Flooded flooded(FabricPair fabric, Priority priority, int count) throws Exception {
        AtomicBoolean on = new AtomicBoolean(true);
        try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
            long begun = System.nanoTime();
            Future<Integer> flood = thread.submit(() -> flood(fabric, priority, on));
            Stats micros = micros(fabric.echo(), SIZES[0], count);
            double seconds = (System.nanoTime() - begun) / 1e9;
            on.set(false);
            return new Flooded(micros, flood.get() / seconds);
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
}
