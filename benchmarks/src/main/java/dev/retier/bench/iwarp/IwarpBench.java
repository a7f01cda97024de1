package dev.retier.bench.iwarp;

import com.ibm.disni.verbs.IbvSendWR;
import dev.retier.bench.RecordOption;
import dev.retier.bench.Results;
import dev.retier.report.Table;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench iwarp}: latency and throughput beside plain TCP, and the cost of many regions. */
@Command(name = "iwarp", description = "Software iWARP beside plain Java TCP, in the same process and run.")
public final class IwarpBench implements Callable<Integer> {
    private static final int CHUNK = 64 * 1024;
    private static final int OPERATIONS = 20_000;

    @Option(names = "--rounds", paramLabel = "N", description = "Interleaved rounds (default: ${DEFAULT-VALUE}).")
    private int rounds = 5;

    @Option(names = "--scale", paramLabel = "FACTOR", description = "Work per round (default: ${DEFAULT-VALUE}).")
    private double scale = 1;

    @Mixin
    private RecordOption recorded = new RecordOption();

    /** Both transports do the same; one sample of each makes a round. */
    @FunctionalInterface
    private interface Run {
        Sample run(int count) throws Exception;
    }

    /**
     * {@inheritDoc}
     *
     * @throws Exception if a connection fails
     */
    @Override
    public Integer call() throws Exception {
        Results results = new Results(
                "iwarp",
                "Software iWARP beside plain TCP",
                "./retier bench iwarp --rounds " + rounds + " --scale " + scale);
        results.heading("Latency and throughput").table("compared", compare());
        results.heading("Many regions").table("regions", regions());
        recorded.keep(results);
        return 0;
    }

    private Table compare() throws Exception {
        Table table = Comparison.table();
        run(table, "write 4 B, round trip", n -> Latency.tcp(4, 4, n), Latency::writes);
        run(
                table,
                "read 256 B",
                n -> Latency.tcp(52, 256, n),
                n -> Latency.oneSided(IbvSendWR.IBV_WR_RDMA_READ, 256, n));
        run(
                table,
                "compare-and-swap",
                n -> Latency.tcp(76, 36, n),
                n -> Latency.oneSided(IbvSendWR.IBV_WR_ATOMIC_CMP_AND_SWP, 8, n));
        run(table, "write 64 KiB, CRC off", n -> Throughput.tcp(CHUNK, n), n -> Throughput.writes(CHUNK, false, n));
        run(table, "write 64 KiB, CRC on", n -> Throughput.tcp(CHUNK, n), n -> Throughput.writes(CHUNK, true, n));
        return table;
    }

    private void run(Table table, String name, Run tcp, Run iwarp) throws Exception {
        IO.println("measuring: " + name);
        Comparison comparison = new Comparison(name);
        int count = Math.max(200, (int) (OPERATIONS * scale));
        for (int i = -1; i < rounds; i++) {
            Sample overTcp = tcp.run(count);
            Sample overIwarp = iwarp.run(count);
            if (i >= 0) {
                comparison.add(overTcp, overIwarp);
            }
        }
        comparison.addTo(table);
    }

    private Table regions() throws Exception {
        Table table = new Table("writes_into", "write_64_b_us", "write_1_kib_us");
        int count = Math.max(200, (int) (OPERATIONS * scale / 2));
        for (int regions : new int[] {1, 1000, 100_000}) {
            regionRow(table, regions + " regions of 1 MB", regions, 1 << 20, count);
        }
        regionRow(table, "1 region of 1 GB", 1, 1 << 30, count);
        return table;
    }

    private static void regionRow(Table table, String name, int regions, int bytes, int count) throws Exception {
        Throughput.manyRegions(64, regions, bytes, count);
        Sample small = Throughput.manyRegions(64, regions, bytes, count);
        Sample large = Throughput.manyRegions(1024, regions, bytes, count);
        table.row(name, small.nanosPerOperation() / 1000, large.nanosPerOperation() / 1000);
    }
}
