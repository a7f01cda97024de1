package dev.retier.load.report.page;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Maps values to pixels.
 *
 * @param from smallest value
 * @param to largest value, above {@code from}
 * @param logarithmic whether equal ratios take equal room; {@code from} is then above 0
 */
record Axis(double from, double to, boolean logarithmic) {
    private static final int TICKS = 5;

    /** An axis from 0 (or, logarithmic, the decade of {@code least}) to a round number at or above {@code most}. */
    static Axis covering(double least, double most, boolean logarithmic) {
        if (logarithmic) {
            double from = Math.pow(10, Math.floor(Math.log10(Math.max(least, 1e-3))));
            double to = Math.pow(10, Math.ceil(Math.log10(Math.max(most, from * 10))));
            return new Axis(from, to, true);
        }
        double step = step(Math.max(most, 1e-9));
        return new Axis(0, Math.max(step, Math.ceil(most / step - 1e-9) * step), false);
    }

    /** 0..1 along the axis. */
    double share(double value) {
        double share = logarithmic
                ? Math.log(Math.max(value, from) / from) / Math.log(to / from)
                : (value - from) / (to - from);
        return Math.clamp(share, 0, 1);
    }

    List<Double> ticks() {
        List<Double> ticks = new ArrayList<>();
        if (logarithmic) {
            for (double tick = from; tick <= to * 1.001; tick *= 10) {
                ticks.add(tick);
            }
        } else {
            double step = step(to);
            for (int i = 0; i * step <= to * 1.001; i++) {
                ticks.add(i * step);
            }
        }
        return ticks;
    }

    /** A short text without needless digits: 0.5, 20, 1.5k, 2M. */
    static String label(double value) {
        if (value >= 1e6) {
            return trimmed(value / 1e6) + "M";
        }
        return value >= 10_000 ? trimmed(value / 1e3) + "k" : trimmed(value);
    }

    private static String trimmed(double value) {
        String text = String.format(Locale.ROOT, "%.3f", value);
        return text.contains(".") ? text.replaceAll("\\.?0+$", "") : text;
    }

    /** 1, 2 or 5 times a power of ten, so that {@code most} takes about five steps. */
    private static double step(double most) {
        double raw = most / TICKS;
        double power = Math.pow(10, Math.floor(Math.log10(raw)));
        double lead = raw / power;
        return power * (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
    }
}
