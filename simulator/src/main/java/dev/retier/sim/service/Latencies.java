package dev.retier.sim.service;

/** Latencies in cells that grow with them: 16 to each doubling, so a cell is at most 6 % wide. Stateless. */
final class Latencies {
    /** Up to 2^40 ns, 18 minutes. */
    static final int CELLS = 41 * 16;

    private static final int PER_DOUBLING_BITS = 4;

    private Latencies() {}

    static int cell(long nanos) {
        if (nanos < 1 << PER_DOUBLING_BITS) {
            return (int) Math.max(0, nanos);
        }
        int doubling = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos);
        int within = (int) (nanos >>> (doubling - PER_DOUBLING_BITS)) & ((1 << PER_DOUBLING_BITS) - 1);
        return Math.min(CELLS - 1, ((doubling - PER_DOUBLING_BITS + 1) << PER_DOUBLING_BITS) + within);
    }

    /** The middle of the cell in which the share is reached. */
    static double atShare(int[] cells, long total, double share) {
        long wanted = (long) Math.ceil(share * total);
        long sum = 0;
        for (int cell = 0; cell < cells.length; cell++) {
            sum += cells[cell];
            if (sum >= wanted && sum > 0) {
                return middle(cell);
            }
        }
        return 0;
    }

    private static double middle(int cell) {
        int doubling = (cell >> PER_DOUBLING_BITS) + PER_DOUBLING_BITS - 1;
        int within = cell & ((1 << PER_DOUBLING_BITS) - 1);
        return cell < 1 << PER_DOUBLING_BITS
                ? cell
                : Math.scalb((1 << PER_DOUBLING_BITS) + within + 0.5, doubling - PER_DOUBLING_BITS);
    }
}
