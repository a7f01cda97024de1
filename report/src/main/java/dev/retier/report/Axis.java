package dev.retier.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One axis of a {@link Plot}.
 *
 * @param unit what it counts, such as {@code s} or {@code requests/s}
 * @param from value at its beginning
 * @param to value at its end, above {@code from}
 * @param scale how values are spread over it; all but LINEAR need {@code from} above 0
 */
public record Axis(String unit, double from, double to, Scale scale) {
    private static final double LEAST_LOG = 1e-9;

    /** How values are spread over an axis. */
    public enum Scale {
        /** Equal differences take equal room. */
        LINEAR,
        /** Equal ratios take equal room. */
        LOG,
        /**
         * Values are "one in n", spread like LOG and labelled as percentiles: 1, 10, 100 stand at 0 %, 90 %, 99 %.
         * Latency by percentile is drawn so, because the tail then takes as much room as the body.
         */
        PERCENTILE
    }

    /** Refuses an axis without length, and a logarithmic one that does not start above 0. */
    public Axis {
        if (!(to > from) || !Double.isFinite(to) || !Double.isFinite(from)) {
            throw new IllegalArgumentException("axis from " + from + " to " + to + " has no length");
        }
        if (scale != Scale.LINEAR && !(from > 0)) {
            throw new IllegalArgumentException("a logarithmic axis starts above 0, not at " + from);
        }
    }

    /** From 0 to {@code to}. */
    public static Axis linear(String unit, double to) {
        return new Axis(unit, 0, to, Scale.LINEAR);
    }

    /** From the decade of {@code least} to the one above {@code most}; what is not above 0 counts as 1. */
    public static Axis log(String unit, double least, double most) {
        return decades(unit, least, most, Scale.LOG);
    }

    /** Percentiles up to that which one in {@code oneIn} exceeds. */
    public static Axis percentile(double oneIn) {
        return decades("percentile", 1, Math.max(10, oneIn), Scale.PERCENTILE);
    }

    /** Where {@code value} lies, from 0 at the beginning to 1 at the end; what is beyond an end is moved to it. */
    public double share(double value) {
        double share = scale == Scale.LINEAR
                ? (value - from) / (to - from)
                : Math.log(Math.max(value, LEAST_LOG) / from) / Math.log(to / from);
        return Math.clamp(share, 0, 1);
    }

    /** Values to label: round ones, about {@code wanted} of them; of a logarithmic axis the powers of ten. */
    public List<Double> ticks(int wanted) {
        List<Double> ticks = new ArrayList<>();
        if (scale == Scale.LINEAR) {
            double step = niceStep((to - from) / wanted);
            long first = (long) Math.ceil(from / step - 1e-9);
            for (long i = first; (double) i * step <= to + step * 1e-9; i++) {
                ticks.add((double) i * step);
            }
        } else {
            int decades = (int) Math.max(1, Math.round(Math.log10(to / from)));
            double step = Math.pow(10, Math.max(1, Math.ceil(decades / (double) (2 * wanted))));
            for (double tick = from; tick <= to * (1 + 1e-9); tick *= step) {
                ticks.add(tick);
            }
        }
        return ticks;
    }

    /** A tick's text, without the unit. */
    public String label(double value) {
        if (scale == Scale.PERCENTILE) {
            return trimmed(100 - 100 / value, 6) + " %";
        }
        if (Math.abs(value) >= 1e6) {
            return trimmed(value / 1e6, 2) + "M";
        }
        return Math.abs(value) >= 1e4 ? trimmed(value / 1e3, 2) + "k" : trimmed(value, 6);
    }

    /** The least of 1, 2 and 5 times a power of ten that is not below {@code step}. */
    static double niceStep(double step) {
        double power = Math.pow(10, Math.floor(Math.log10(step)));
        for (int factor : new int[] {1, 2, 5}) {
            if (factor * power >= step * (1 - 1e-9)) {
                return factor * power;
            }
        }
        return 10 * power;
    }

    private static Axis decades(String unit, double least, double most, Scale scale) {
        double low = least > 0 ? least : 1;
        double from = Math.pow(10, Math.floor(Math.log10(low) + 1e-9));
        double to = Math.pow(10, Math.ceil(Math.log10(Math.max(most, low)) - 1e-9));
        return new Axis(unit, from, Math.max(to, from * 10), scale);
    }

    private static String trimmed(double value, int digits) {
        String text = String.format(Locale.ROOT, "%." + digits + "f", value);
        return text.contains(".") ? text.replaceAll("\\.?0+$", "") : text;
    }
}
