package dev.retier.bench.iwarp;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** Interleaved rounds of one thing done over plain TCP and over iWARP. */
final class Comparison {
    private static final double MICRO = 1e3;

    private final String operation;
    private final int bytes;
    private final List<Sample> tcp = new ArrayList<>();
    private final List<Sample> iwarp = new ArrayList<>();

    /** Of operations of so many bytes. */
    Comparison(String operation, int bytes) {
        this.operation = operation;
        this.bytes = bytes;
    }

    /** The samples of one round. */
    void add(Sample overTcp, Sample overIwarp) {
        tcp.add(overTcp);
        iwarp.add(overIwarp);
    }

    String operation() {
        return operation;
    }

    int bytes() {
        return bytes;
    }

    /** The median time of one operation over TCP in microseconds. */
    double tcpMicros() {
        return median(tcp, Sample::nanosPerOperation) / MICRO;
    }

    /** The median time of one operation over iWARP in microseconds. */
    double iwarpMicros() {
        return median(iwarp, Sample::nanosPerOperation) / MICRO;
    }

    /** iWARP's time by TCP's, round by round. */
    Spread time() {
        return Spread.of(iwarp, tcp, Sample::nanosPerOperation);
    }

    /** iWARP's throughput by TCP's, round by round. */
    Spread throughput() {
        return Spread.of(tcp, iwarp, Sample::nanosPerOperation);
    }

    /** iWARP's processor time by TCP's, round by round. */
    Spread processor() {
        return Spread.of(iwarp, tcp, Sample::cpuNanosPerOperation);
    }

    /** Processor nanoseconds per byte over TCP, both sides; the median. */
    double tcpCpuNanosPerByte() {
        return median(tcp, Sample::cpuNanosPerOperation) / bytes;
    }

    /** Processor nanoseconds per byte over iWARP, both sides; the median. */
    double iwarpCpuNanosPerByte() {
        return median(iwarp, Sample::cpuNanosPerOperation) / bytes;
    }

    /** Heap bytes that an iWARP operation allocates, both sides and the benchmark itself; the median. */
    double allocatedBytes() {
        return median(iwarp, Sample::bytesPerOperation);
    }

    private static double median(List<Sample> samples, ToDoubleFunction<Sample> what) {
        return Spread.of(samples.stream().mapToDouble(what).toArray()).median();
    }

    /** Figures of several rounds. */
    record Spread(double median, double least, double most) {
        static Spread of(double... values) {
            double[] sorted = values.clone();
            Arrays.sort(sorted);
            int middle = sorted.length / 2;
            double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
            return new Spread(median, sorted[0], sorted[sorted.length - 1]);
        }

        private static Spread of(List<Sample> over, List<Sample> under, ToDoubleFunction<Sample> what) {
            return of(IntStream.range(0, over.size())
                    .mapToDouble(i -> what.applyAsDouble(over.get(i)) / what.applyAsDouble(under.get(i)))
                    .toArray());
        }
    }
}
