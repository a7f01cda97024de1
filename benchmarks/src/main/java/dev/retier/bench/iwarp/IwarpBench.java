package dev.retier.bench.iwarp;

import com.ibm.disni.verbs.IbvSendWR;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** {@code bench iwarp}: latency and throughput beside plain TCP, and the cost of many regions. */
public final class IwarpBench {
    private static final int CHUNK = 64 * 1024;

    private final int rounds;
    private final double scale;
    private final List<Comparison> results = new ArrayList<>();

    private IwarpBench(int rounds, double scale) {
        this.rounds = rounds;
        this.scale = scale;
    }

    /** Both transports do the same; one sample of each makes a round. */
    @FunctionalInterface
    private interface Run {
        Sample run(int count) throws Exception;
    }

    /**
     * Arguments: rounds (default 5), work per round as a factor (default 1), and a CSV file (default none).
     *
     * @throws Exception if a connection fails
     */
    public static void main(String[] arguments) throws Exception {
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 5;
        double scale = arguments.length > 1 ? Double.parseDouble(arguments[1]) : 1;
        IwarpBench bench = new IwarpBench(rounds, scale);
        bench.compare();
        if (arguments.length > 2) {
            bench.write(Path.of(arguments[2]));
        }
        bench.regions();
    }

    private void compare() throws Exception {
        IO.println(Comparison.header());
        run("write 4 B, round trip", 20_000, n -> Latency.tcp(4, 4, n), Latency::writes);
        run(
                "read 256 B",
                20_000,
                n -> Latency.tcp(52, 256, n),
                n -> Latency.oneSided(IbvSendWR.IBV_WR_RDMA_READ, 256, n));
        run(
                "compare-and-swap",
                20_000,
                n -> Latency.tcp(76, 36, n),
                n -> Latency.oneSided(IbvSendWR.IBV_WR_ATOMIC_CMP_AND_SWP, 8, n));
        run("write 64 KiB, CRC off", 20_000, n -> Throughput.tcp(CHUNK, n), n -> Throughput.writes(CHUNK, false, n));
        run("write 64 KiB, CRC on", 20_000, n -> Throughput.tcp(CHUNK, n), n -> Throughput.writes(CHUNK, true, n));
    }

    private void run(String name, int operations, Run tcp, Run iwarp) throws Exception {
        Comparison comparison = new Comparison(name);
        int count = Math.max(200, (int) (operations * scale));
        for (int i = -1; i < rounds; i++) {
            Sample overTcp = tcp.run(count);
            Sample overIwarp = iwarp.run(count);
            if (i >= 0) {
                comparison.add(overTcp, overIwarp);
            }
        }
        results.add(comparison);
        IO.println(comparison.row());
    }

    private void regions() throws Exception {
        IO.println(String.format("%-30s %10s %10s", "writes into", "64 B us", "1 KiB us"));
        int count = Math.max(200, (int) (10_000 * scale));
        for (int regions : new int[] {1, 1000, 100_000}) {
            regionRow(regions + " regions of 1 MB", regions, 1 << 20, count);
        }
        regionRow("1 region of 1 GB", 1, 1 << 30, count);
    }

    private static void regionRow(String name, int regions, int bytes, int count) throws Exception {
        Throughput.manyRegions(64, regions, bytes, count);
        Sample small = Throughput.manyRegions(64, regions, bytes, count);
        Sample large = Throughput.manyRegions(1024, regions, bytes, count);
        IO.println(String.format(
                Locale.ROOT,
                "%-30s %10.2f %10.2f",
                name,
                small.nanosPerOperation() / 1000,
                large.nanosPerOperation() / 1000));
    }

    private void write(Path file) throws Exception {
        List<String> lines = new ArrayList<>();
        lines.add("operation,round,tcp-nanos,iwarp-nanos,tcp-cpu-nanos,iwarp-cpu-nanos,iwarp-bytes-allocated");
        results.forEach(result -> lines.addAll(result.csv()));
        Files.write(file, lines);
    }
}
