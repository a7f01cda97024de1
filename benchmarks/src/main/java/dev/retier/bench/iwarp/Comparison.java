package dev.retier.bench.iwarp;

import dev.retier.bench.Interval;
import dev.retier.bench.QuietRounds.Kept;
import dev.retier.bench.Stats;
import dev.retier.bench.iwarp.Turns.Both;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * One thing done over plain TCP and over iWARP, in turns.
 *
 * @param operation what is done
 * @param bytes of each operation
 * @param rounds the turns of each block
 */
record Comparison(String operation, int bytes, Kept<List<Both>> rounds) {
    private static final double MICRO = 1e3;

    /** The median time of one operation over TCP in microseconds. */
    double tcpMicros() {
        return tcp(Sample::nanosPerOperation).median() / MICRO;
    }

    /** The median time of one operation over iWARP in microseconds. */
    double iwarpMicros() {
        return iwarp(Sample::nanosPerOperation).median() / MICRO;
    }

    /** iWARP's time by TCP's, turn by turn. */
    Interval time() {
        return ratios(Sample::nanosPerOperation);
    }

    /** iWARP's throughput by TCP's, turn by turn. */
    Interval throughput() {
        return interval(both -> both.tcp().nanosPerOperation() / both.iwarp().nanosPerOperation());
    }

    /** iWARP's processor time by TCP's, turn by turn. */
    Interval processor() {
        return ratios(Sample::cpuNanosPerOperation);
    }

    /** Processor nanoseconds per byte over TCP, both sides; the median. */
    double tcpCpuNanosPerByte() {
        return tcp(Sample::cpuNanosPerOperation).median() / bytes;
    }

    /** Processor nanoseconds per byte over iWARP, both sides; the median. */
    double iwarpCpuNanosPerByte() {
        return iwarp(Sample::cpuNanosPerOperation).median() / bytes;
    }

    /** Heap bytes that an iWARP operation allocates, both sides and the benchmark itself; the median. */
    double allocatedBytes() {
        return iwarp(Sample::bytesPerOperation).median();
    }

    private Interval ratios(ToDoubleFunction<Sample> what) {
        return interval(both -> what.applyAsDouble(both.iwarp()) / what.applyAsDouble(both.tcp()));
    }

    private Interval interval(ToDoubleFunction<Both> ratio) {
        return Interval.ofMedian(
                rounds.all().stream().map(block -> Stats.of(block, ratio)).toList());
    }

    private Stats tcp(ToDoubleFunction<Sample> what) {
        return all(both -> what.applyAsDouble(both.tcp()));
    }

    private Stats iwarp(ToDoubleFunction<Sample> what) {
        return all(both -> what.applyAsDouble(both.iwarp()));
    }

    private Stats all(ToDoubleFunction<Both> what) {
        return Stats.of(rounds.all().stream().flatMap(List::stream).toList(), what);
    }
}
