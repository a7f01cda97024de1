package dev.retier.bench.figures;

import static java.util.Locale.ROOT;

import dev.retier.sim.run.Setup;
import dev.retier.sim.service.Demand;
import dev.retier.traces.RequestClass;
import dev.retier.traces.made.Catalogue;
import dev.retier.traces.made.GeneratedTrace;
import dev.retier.traces.made.UnevenBursts;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Bursts that last a stated time: each has as many requests as the best split for it answers meanwhile, which the
 * oracle tells.
 *
 * @param staticPerSecond what that is of static requests
 * @param dynamicPerSecond and of dynamic ones
 */
record Lasting(double staticPerSecond, double dynamicPerSecond) {
    /**
     * How long bursts last where figures are judged by it. At its 11,000 requests per second, the source's bursts of
     * 512 lasted 0.05 s and those of 65,536 6 s; here those of 512 last 0.8 s and those of 65,536 some 2 minutes.
     */
    static final List<Double> SECONDS = List.of(0.05, 0.8, 2.0, 8.0, 32.0, 128.0);

    private static final int CALIBRATION = 20_000;
    private static final double LEAST_SECONDS = 80;
    private static final int LEAST_BURSTS = 4;
    private static final int MOST_BURSTS = 400;

    /** Of the nodes that {@code setup} has, whatever is asked of them. */
    static Lasting of(Function<Demand, Setup> setup) {
        return new Lasting(rate(setup, 0), rate(setup, 1));
    }

    private static double rate(Function<Demand, Setup> setup, double dynamicShare) {
        return Lab.oracle(setup.apply(Lab.mix(CALIBRATION, dynamicShare))).perSecond();
    }

    /** Requests of one burst. */
    long requests(boolean isDynamic, double seconds) {
        return Math.max(1, Math.round(seconds * (isDynamic ? dynamicPerSecond : staticPerSecond)));
    }

    /** So many bursts, an even number, as there is time for, but some of the longest and not endlessly many. */
    static int count(double seconds) {
        return 2 * (int) Math.clamp(LEAST_SECONDS / seconds / 2, LEAST_BURSTS / 2.0, MOST_BURSTS / 2.0);
    }

    /** Bursts of both kinds in turn, static ones first. */
    Demand bursts(double seconds, Catalogue catalogue) {
        List<Long> lengths = new ArrayList<>();
        for (int burst = 0; burst < count(seconds); burst++) {
            lengths.add(requests(burst % 2 == 1, seconds));
        }
        return Lab.closed(GeneratedTrace.uneven(new UnevenBursts(lengths, RequestClass.STATIC), catalogue, Lab.SEED));
    }

    /** For people. */
    static String text(double seconds) {
        return seconds < 1 ? String.format(ROOT, "%s s", seconds) : String.format(ROOT, "%.0f s", seconds);
    }
}
