package dev.retier.bench.iwarp;

import com.ibm.disni.verbs.IbvSendWR;
import dev.retier.bench.Interval;
import dev.retier.bench.Progress;
import dev.retier.report.Table;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/** What software iWARP is meant to reach beside TCP (experiment E12 and the read and compare-and-swap of E11). */
final class Targets {
    private static final int CHUNK = 64 * 1024;
    private static final int READ = 256;
    private static final int LARGE_READ = 1 << 20;
    /** FPDUs of an Atomic Request and an Atomic Response. */
    private static final int ATOMIC_REQUEST_BYTES = 76;

    private static final int ATOMIC_RESPONSE_BYTES = 36;
    private static final double TRIP = 1.00;
    private static final double ONE_SIDED = 1.05;
    private static final double NOTIFIED = 1.15;
    private static final double READ_LARGE = 1.15;
    private static final double THROUGHPUT_PLAIN = 0.95;
    private static final double THROUGHPUT_CRC = 0.90;
    private static final double SERVED = 0.5;
    private static final double PROCESSOR = 1.15;
    private static final double BYTES_PER_KIB = 1024;

    private static final int LEAST_BLOCKS = 10;
    private static final int LEAST_TURNS = 200;
    private static final Duration LEAST_TIME = Duration.ofMillis(20);

    private final Turns turns;
    private final Predicate<String> chosen;
    private final Table table = new Table(
            "what",
            "unit",
            "tcp",
            "iwarp",
            "ratio",
            "ratio_from",
            "ratio_to",
            "target",
            "verdict",
            "allocated_bytes_per_operation");

    /** The rows with a chosen name. */
    Targets(Turns turns, Predicate<String> chosen) {
        this.turns = turns;
        this.chosen = chosen;
    }

    /** One row: what is done, how its figures are said, and what they are to be. */
    private record Row(
            String name, int bytes, Work.Opening tcp, Work.Opening iwarp, BiConsumer<Targets, Comparison> teller) {}

    private static Map<String, List<Row>> groups() {
        Map<String, List<Row>> groups = new LinkedHashMap<>();
        groups.put("latency, polled", polledTrips());
        groups.put("latency, notified", notifiedTrips());
        groups.put("reads of 1 MiB", largeReads());
        groups.put("64 KiB writes, polled", streams(Waiting.POLL));
        groups.put("64 KiB writes, notified", streams(Waiting.SLEEP));
        groups.put("served reads", servedReads());
        return groups;
    }

    private List<Row> chosen(List<Row> rows) {
        return rows.stream().filter(row -> chosen.test(row.name)).toList();
    }

    /** Whether any is chosen. */
    boolean areAny() {
        return groups().values().stream().anyMatch(rows -> !chosen(rows).isEmpty());
    }

    /** Measures all of them, those side by side that belong together. */
    Table measure() throws Exception {
        for (Map.Entry<String, List<Row>> group : groups().entrySet()) {
            measure(group.getKey(), chosen(group.getValue()));
        }
        return table;
    }

    private void measure(String what, List<Row> wanted) throws Exception {
        Turns.Group group = new Turns.Group();
        wanted.forEach(row -> group.add(row.name, row.bytes, row.tcp, row.iwarp));
        if (!wanted.isEmpty()) {
            Progress.tell("measuring: targets, " + what);
        }
        List<Comparison> found = turns.run(group);
        for (int i = 0; i < found.size(); i++) {
            wanted.get(i).teller.accept(this, found.get(i));
        }
    }

    private static List<Row> polledTrips() {
        Waiting poll = Waiting.POLL;
        return List.of(
                new Row(
                        "half round trip, write 4 B",
                        4,
                        TcpWork.requests(4, 4, poll),
                        IwarpTrips.writes(4),
                        latency(2, TRIP)),
                new Row(
                        "read 256 B",
                        READ,
                        TcpWork.requests(Matrix.READ_REQUEST_BYTES, READ, poll),
                        IwarpTrips.oneSided(IbvSendWR.IBV_WR_RDMA_READ, READ, poll),
                        latency(1, ONE_SIDED)),
                new Row(
                        "compare-and-swap",
                        Long.BYTES,
                        TcpWork.requests(ATOMIC_REQUEST_BYTES, ATOMIC_RESPONSE_BYTES, poll),
                        IwarpTrips.oneSided(IbvSendWR.IBV_WR_ATOMIC_CMP_AND_SWP, Long.BYTES, poll),
                        latency(1, ONE_SIDED)));
    }

    private static List<Row> notifiedTrips() {
        Waiting sleep = Waiting.SLEEP;
        Work.Opening tcp = TcpWork.requests(4, 4, sleep);
        return List.of(
                new Row(
                        "half round trip, send 4 B, notified",
                        4,
                        tcp,
                        IwarpTrips.messages(IbvSendWR.IBV_WR_SEND, 4, sleep),
                        latency(2, NOTIFIED)),
                new Row(
                        "half round trip, write with immediate 4 B, notified",
                        4,
                        tcp,
                        IwarpTrips.messages(IbvSendWR.IBV_WR_RDMA_WRITE_WITH_IMM, 4, sleep),
                        latency(2, NOTIFIED)));
    }

    private static List<Row> largeReads() {
        Work.Opening tcp = TcpWork.requests(Matrix.READ_REQUEST_BYTES, LARGE_READ, Waiting.POLL);
        return List.of(
                new Row(
                        "read 1 MiB",
                        LARGE_READ,
                        tcp,
                        IwarpTrips.oneSided(IbvSendWR.IBV_WR_RDMA_READ, LARGE_READ, Waiting.POLL),
                        latency(1, READ_LARGE)),
                new Row(
                        "read 1 MiB, CRC off",
                        LARGE_READ,
                        tcp,
                        IwarpTrips.plainRead(LARGE_READ),
                        latency(1, Double.NaN)));
    }

    private static List<Row> streams(Waiting waiting) {
        boolean isPolled = waiting == Waiting.POLL;
        String how = isPolled ? "" : ", notified";
        Work.Opening tcp = TcpWork.stream(CHUNK, waiting);
        int write = IbvSendWR.IBV_WR_RDMA_WRITE;
        return List.of(
                new Row(
                        "write 64 KiB, CRC off" + how,
                        CHUNK,
                        tcp,
                        IwarpStream.of(write, CHUNK, false, waiting),
                        isPolled ? throughput(THROUGHPUT_PLAIN) : Targets::processorRow),
                new Row(
                        "write 64 KiB, CRC on" + how,
                        CHUNK,
                        tcp,
                        IwarpStream.of(write, CHUNK, true, waiting),
                        isPolled ? throughput(THROUGHPUT_CRC) : Targets::processorRow));
    }

    private static List<Row> servedReads() {
        return List.of(new Row(
                "served reads", ServedReads.BLOCK, ServedReads.overTcp(), ServedReads.overIwarp(), rate(SERVED)));
    }

    private static BiConsumer<Targets, Comparison> latency(int legs, double target) {
        return (targets, found) -> targets.row(
                found,
                new Figures("us", found.tcpMicros() / legs, found.iwarpMicros() / legs),
                found.time(),
                new Limit(target, true));
    }

    private static BiConsumer<Targets, Comparison> throughput(double target) {
        return (targets, found) -> targets.row(
                found,
                new Figures(
                        "MiB/s",
                        Charts.mebibytes(found.bytes(), found.tcpMicros()),
                        Charts.mebibytes(found.bytes(), found.iwarpMicros())),
                found.throughput(),
                new Limit(target, false));
    }

    private static BiConsumer<Targets, Comparison> rate(double target) {
        return (targets, found) -> targets.row(
                found,
                new Figures("thousand/s", 1e3 / found.tcpMicros(), 1e3 / found.iwarpMicros()),
                found.throughput(),
                new Limit(target, false));
    }

    private void processorRow(Comparison found) {
        row(
                found,
                new Figures(
                        "cpu ns/KiB",
                        found.tcpCpuNanosPerByte() * BYTES_PER_KIB,
                        found.iwarpCpuNanosPerByte() * BYTES_PER_KIB),
                found.processor(),
                new Limit(PROCESSOR, true));
    }

    /** Of fewer or shorter turns, an interval promises more than it holds. */
    private boolean isLongEnough() {
        return turns.blocks() >= LEAST_BLOCKS
                && turns.blocks() * turns.turns() >= LEAST_TURNS
                && turns.time().compareTo(LEAST_TIME) >= 0;
    }

    private record Figures(String unit, double tcp, double iwarp) {}

    private record Limit(double ratio, boolean isMost) {
        String text() {
            return Double.isNaN(ratio) ? "" : (isMost ? "<= " : ">= ") + ratio;
        }

        String verdict(Comparison found, Interval ratios, boolean isLongEnough) {
            if (Double.isNaN(ratio)) {
                return "";
            }
            if (!isLongEnough) {
                return "undecided";
            }
            boolean isMet = isMost ? ratios.isAtMost(ratio) : ratios.isAtLeast(ratio);
            boolean isMissed = isMost ? ratios.from() > ratio : ratios.to() < ratio;
            return found.rounds().verdict(isMet, isMissed);
        }
    }

    private void row(Comparison found, Figures figures, Interval ratio, Limit limit) {
        table.row(
                found.operation(),
                figures.unit(),
                figures.tcp(),
                figures.iwarp(),
                ratio.median(),
                ratio.from(),
                ratio.to(),
                limit.text(),
                limit.verdict(found, ratio, isLongEnough()),
                found.allocatedBytes());
    }
}
