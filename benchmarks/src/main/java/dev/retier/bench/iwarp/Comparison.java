package dev.retier.bench.iwarp;

import dev.retier.bench.QuietRounds.Kept;
import dev.retier.bench.Stats;
import dev.retier.bench.iwarp.Turns.Both;
import java.util.function.ToDoubleFunction;

/**
 * Interleaved rounds of one thing done over plain TCP and over iWARP.
 *
 * @param operation what is done
 * @param bytes of each operation
 * @param rounds the samples
 */
record Comparison(String operation, int bytes, Kept<Both> rounds) {
    private static final double MICRO = 1e3;

    /** The median time of one operation over TCP in microseconds. */
    double tcpMicros() {
        return tcp(Sample::nanosPerOperation).median() / MICRO;
    }

    /** The median time of one operation over iWARP in microseconds. */
    double iwarpMicros() {
        return iwarp(Sample::nanosPerOperation).median() / MICRO;
    }

    /** iWARP's time by TCP's, round by round. */
    Stats time() {
        return Stats.ratios(iwarp(Sample::nanosPerOperation), tcp(Sample::nanosPerOperation));
    }

    /** iWARP's throughput by TCP's, round by round. */
    Stats throughput() {
        return Stats.ratios(tcp(Sample::nanosPerOperation), iwarp(Sample::nanosPerOperation));
    }

    /** iWARP's processor time by TCP's, round by round. */
    Stats processor() {
        return Stats.ratios(iwarp(Sample::cpuNanosPerOperation), tcp(Sample::cpuNanosPerOperation));
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

    private Stats tcp(ToDoubleFunction<Sample> what) {
        return Stats.of(rounds.all(), round -> what.applyAsDouble(round.tcp()));
    }

    private Stats iwarp(ToDoubleFunction<Sample> what) {
        return Stats.of(rounds.all(), round -> what.applyAsDouble(round.iwarp()));
    }
}
