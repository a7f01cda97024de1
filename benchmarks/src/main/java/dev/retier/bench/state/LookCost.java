package dev.retier.bench.state;

import java.io.IOException;

/**
 * What a look costs over soft-iwarp on the loopback interface, measured.
 *
 * @param nodes of the cell, the one that looks among them
 * @param medianMicros until all slots are read
 * @param cpuMicros processor time of both ends and the kernel
 */
public record LookCost(int nodes, double medianMicros, double cpuMicros) {
    private static final double MEDIAN = 0.5;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MICRO = 1e3;

    /**
     * Looks again and again for so long, after half as long to warm up.
     *
     * @throws IOException if there are not enough ports
     */
    public static LookCost measure(int nodes, double seconds) throws IOException {
        try (BenchCell cell = BenchCell.start(nodes)) {
            look(cell, seconds / 2);
            long cpuNanos = Cpu.nanos();
            Latencies latencies = look(cell, seconds);
            double cpuMicros = (Cpu.nanos() - cpuNanos) / NANOS_PER_MICRO / latencies.count();
            return new LookCost(nodes, latencies.micros(MEDIAN), cpuMicros);
        }
    }

    private static Latencies look(BenchCell cell, double seconds) {
        Latencies latencies = new Latencies();
        long end = System.nanoTime() + (long) (seconds * NANOS_PER_SECOND);
        while (System.nanoTime() - end < 0) {
            long begun = System.nanoTime();
            cell.first().look();
            latencies.add(System.nanoTime() - begun);
        }
        return latencies;
    }
}
