package dev.retier.bench.iwarp;

import com.ibm.disni.verbs.IbvSendWR;
import dev.retier.bench.Progress;
import dev.retier.bench.Stats;
import dev.retier.report.Table;
import java.util.List;

/** What software iWARP is meant to reach beside TCP (experiment E12 and the read and compare-and-swap of E11). */
final class Targets {
    private static final int CHUNK = 64 * 1024;
    private static final int READ = 256;
    /** FPDUs of an Atomic Request and an Atomic Response. */
    private static final int ATOMIC_REQUEST_BYTES = 76;

    private static final int ATOMIC_RESPONSE_BYTES = 36;
    private static final double TRIP = 1.05;
    private static final double ONE_SIDED = 1.15;
    private static final double THROUGHPUT_PLAIN = 0.95;
    private static final double THROUGHPUT_CRC = 0.90;
    private static final double PROCESSOR = 1.2;
    private static final double BYTES_PER_KIB = 1024;

    private final Turns turns;
    private final Table table = new Table(
            "what",
            "unit",
            "tcp",
            "iwarp",
            "ratio",
            "ratio_least",
            "ratio_most",
            "target",
            "verdict",
            "allocated_bytes_per_operation");

    Targets(Turns turns) {
        this.turns = turns;
    }

    /** Measures all of them. */
    Table measure() throws Exception {
        trips();
        streams(Waiting.POLL);
        streams(Waiting.SLEEP);
        return table;
    }

    private void trips() throws Exception {
        Waiting poll = Waiting.POLL;
        Progress.tell("measuring: targets, latency");
        List<Comparison> found = turns.run(new Turns.Group()
                .add("half round trip, write 4 B", 4, TcpWork.requests(4, 4, poll), IwarpTrips.writes(4))
                .add(
                        "read 256 B",
                        READ,
                        TcpWork.requests(Matrix.READ_REQUEST_BYTES, READ, poll),
                        IwarpTrips.oneSided(IbvSendWR.IBV_WR_RDMA_READ, READ, poll))
                .add(
                        "compare-and-swap",
                        Long.BYTES,
                        TcpWork.requests(ATOMIC_REQUEST_BYTES, ATOMIC_RESPONSE_BYTES, poll),
                        IwarpTrips.oneSided(IbvSendWR.IBV_WR_ATOMIC_CMP_AND_SWP, Long.BYTES, poll)));
        latencyRow(found.get(0), 2, TRIP);
        latencyRow(found.get(1), 1, ONE_SIDED);
        latencyRow(found.get(2), 1, ONE_SIDED);
    }

    private void latencyRow(Comparison found, int legs, double target) {
        var figures = new Figures("us", found.tcpMicros() / legs, found.iwarpMicros() / legs);
        row(found, figures, found.time(), new Limit(target, true));
    }

    private void streams(Waiting waiting) throws Exception {
        boolean polled = waiting == Waiting.POLL;
        Progress.tell("measuring: targets, 64 KiB writes, " + (polled ? "polled" : "notified"));
        String how = polled ? "" : ", notified";
        Work.Opening tcp = TcpWork.stream(CHUNK, waiting);
        int write = IbvSendWR.IBV_WR_RDMA_WRITE;
        List<Comparison> found = turns.run(new Turns.Group()
                .add("write 64 KiB, CRC off" + how, CHUNK, tcp, IwarpStream.of(write, CHUNK, false, waiting))
                .add("write 64 KiB, CRC on" + how, CHUNK, tcp, IwarpStream.of(write, CHUNK, true, waiting)));
        if (polled) {
            throughputRow(found.get(0), THROUGHPUT_PLAIN);
            throughputRow(found.get(1), THROUGHPUT_CRC);
        } else {
            found.forEach(this::processorRow);
        }
    }

    private void throughputRow(Comparison found, double target) {
        double tcp = Charts.mebibytes(found.bytes(), found.tcpMicros());
        double iwarp = Charts.mebibytes(found.bytes(), found.iwarpMicros());
        row(found, new Figures("MiB/s", tcp, iwarp), found.throughput(), new Limit(target, false));
    }

    private void processorRow(Comparison found) {
        double tcp = found.tcpCpuNanosPerByte() * BYTES_PER_KIB;
        double iwarp = found.iwarpCpuNanosPerByte() * BYTES_PER_KIB;
        row(found, new Figures("cpu ns/KiB", tcp, iwarp), found.processor(), new Limit(PROCESSOR, true));
    }

    private record Figures(String unit, double tcp, double iwarp) {}

    private record Limit(double ratio, boolean most) {
        boolean holds(Stats ratios) {
            return most ? ratios.median() <= ratio : ratios.median() >= ratio;
        }

        String text() {
            return (most ? "<= " : ">= ") + ratio;
        }
    }

    private void row(Comparison found, Figures figures, Stats ratio, Limit limit) {
        table.row(
                found.operation(),
                figures.unit(),
                figures.tcp(),
                figures.iwarp(),
                ratio.median(),
                ratio.least(),
                ratio.most(),
                limit.text(),
                found.rounds().verdict(limit.holds(ratio)),
                found.allocatedBytes());
    }
}
