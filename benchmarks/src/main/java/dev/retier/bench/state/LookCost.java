package dev.retier.bench.state;

import dev.retier.bench.CarrierOption;
import dev.retier.bench.Stats;

/**
 * What a look costs over soft-iwarp on the loopback interface, measured.
 *
 * @param nodes of the cell, the one that looks among them
 * @param medianMicros until all slots are read
 * @param cpuMicros processor time of both ends and the kernel
 */
public record LookCost(int nodes, double medianMicros, double cpuMicros) {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MICRO = 1e3;

    /** Looks again and again for so long, after half as long to warm up. */
    public static LookCost measure(int nodes, double seconds) {
        try (BenchCell cell = BenchCell.start(nodes, new CarrierOption())) {
            look(cell, seconds / 2);
            long cpuNanos = Cpu.nanos();
            Stats micros = look(cell, seconds);
            double cpuMicros = (Cpu.nanos() - cpuNanos) / NANOS_PER_MICRO / micros.count();
            return new LookCost(nodes, micros.median(), cpuMicros);
        }
    }

    /** Microseconds of each look. */
    private static Stats look(BenchCell cell, double seconds) {
        Stats micros = new Stats();
        long end = System.nanoTime() + (long) (seconds * NANOS_PER_SECOND);
        while (System.nanoTime() - end < 0) {
            long begun = System.nanoTime();
            cell.first().look();
            micros.add((System.nanoTime() - begun) / NANOS_PER_MICRO);
        }
        return micros;
    }
}
