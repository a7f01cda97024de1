package dev.retier.load.report;

import dev.retier.load.measure.LatencyHistograms;
import dev.retier.load.measure.StreamFigures;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A condition under which a run counts as failed, such as {@code p99>50ms}, {@code failed>0}, {@code failed>0.1%},
 * {@code rate<1000}. Immutable.
 *
 * @param text as given
 * @param metric what is looked at
 * @param percentile for {@link Metric#PERCENTILE}, above 0 up to 100
 * @param above whether the run fails above the limit, or below it
 * @param limit in nanoseconds, requests, requests per second, or a share, as the metric needs
 * @param share whether the limit is a share of the requests sent
 */
public record Threshold(String text, Metric metric, double percentile, boolean above, double limit, boolean share) {
    private static final Pattern FORM =
            Pattern.compile("\\s*(p[0-9.]+|[a-z]+)\\s*([<>])\\s*([0-9.]+(?:e-?[0-9]+)?)\\s*(ns|us|ms|s|%)?\\s*");

    /** What a threshold looks at. */
    public enum Metric {
        /** {@code p50}, {@code p99}, {@code p99.9}, ...: percentile of the latency. */
        PERCENTILE(true),
        /** {@code mean}: of the latency. */
        MEAN(true),
        /** {@code max}: of the latency. */
        MAX(true),
        /** {@code rate}: good answers per second. */
        RATE(false),
        /** {@code failed}: requests, or with % their share. */
        FAILED(false),
        /** {@code dropped}: requests, or with % their share. */
        DROPPED(false),
        /** {@code late}: requests, or with % their share. */
        LATE(false),
        /** {@code ended}: streams ended before their time, or with % their share of those opened. */
        ENDED(false),
        /** {@code open}: the most streams that were open at the end of an interval. */
        OPEN(false),
        /** {@code events}: events or messages over streams, per second. */
        EVENTS(false);

        private final boolean time;

        Metric(boolean time) {
            this.time = time;
        }
    }

    /**
     * Reads a condition.
     *
     * @throws IllegalArgumentException in one line that shows the form, when it is none
     */
    public static Threshold parse(String text) {
        Matcher form = FORM.matcher(text.toLowerCase(Locale.ROOT));
        Metric metric = form.matches() ? metric(form.group(1)) : null;
        if (metric == null) {
            throw bad(text, "give metric, < or >, and limit");
        }
        String unit = form.group(4) == null ? "" : form.group(4);
        boolean share = unit.equals("%");
        if (metric.time == (unit.isEmpty() || share)) {
            throw bad(text, metric.time ? "a latency needs ns, us, ms or s" : "a count or rate takes no time unit");
        }
        if (share && (metric == Metric.RATE || metric == Metric.OPEN || metric == Metric.EVENTS)) {
            throw bad(text, "only counts of requests and of ended streams have a %");
        }
        try {
            double percentile = metric == Metric.PERCENTILE
                    ? Double.parseDouble(form.group(1).substring(1))
                    : 0;
            if (percentile > 100) {
                throw bad(text, "a percentile is at most 100");
            }
            double limit = Double.parseDouble(form.group(3)) * factor(unit);
            return new Threshold(text, metric, percentile, form.group(2).equals(">"), limit, share);
        } catch (NumberFormatException e) {
            throw bad(text, "a number is malformed");
        }
    }

    /** Whether {@code result} fails this condition. */
    public boolean isCrossedBy(LoadResult result) {
        double value = value(result);
        return above ? value > limit : value < limit;
    }

    /** What {@code result} has, in the unit of the limit. */
    public double value(LoadResult result) {
        double sent = share ? Math.max(1, result.totals().sent()) : 1;
        return switch (metric) {
            case PERCENTILE -> LatencyHistograms.decode(result.latency()).getValueAtPercentile(percentile);
            case MEAN -> result.latency().meanNanos();
            case MAX -> result.latency().maxNanos();
            case RATE -> result.answeredPerSecond();
            case FAILED -> result.totals().failed() / sent;
            case DROPPED -> result.totals().dropped() / sent;
            case LATE -> result.lateRequests() / sent;
            case ENDED, OPEN, EVENTS -> ofStreams(result);
        };
    }

    /** Nothing of all that, when no streams were held. */
    private double ofStreams(LoadResult result) {
        StreamFigures streams = result.streams();
        if (streams == null) {
            return 0;
        }
        return switch (metric) {
            case ENDED -> streams.ended() / (share ? Math.max(1.0, (double) streams.opened()) : 1);
            case OPEN -> streams.mostOpen();
            case EVENTS -> streams.events() * 1000 / Math.max(1, result.elapsedMillis());
            case PERCENTILE, MEAN, MAX, RATE, FAILED, DROPPED, LATE ->
                throw new IllegalStateException(metric + " is not of streams");
        };
    }

    /** What {@code result} has, for people. */
    public String describe(LoadResult result) {
        double value = value(result);
        if (metric.time) {
            return String.format(Locale.ROOT, "%.3f ms", value / 1e6);
        }
        return share ? String.format(Locale.ROOT, "%.3f %%", value * 100) : String.format(Locale.ROOT, "%.1f", value);
    }

    private static @Nullable Metric metric(String word) {
        return switch (word) {
            case "mean" -> Metric.MEAN;
            case "max" -> Metric.MAX;
            case "rate" -> Metric.RATE;
            case "failed" -> Metric.FAILED;
            case "dropped" -> Metric.DROPPED;
            case "late" -> Metric.LATE;
            case "ended" -> Metric.ENDED;
            case "open" -> Metric.OPEN;
            case "events" -> Metric.EVENTS;
            default -> word.matches("p\\d+(\\.\\d+)?") ? Metric.PERCENTILE : null;
        };
    }

    private static double factor(String unit) {
        return switch (unit) {
            case "us" -> 1e3;
            case "ms" -> 1e6;
            case "s" -> 1e9;
            case "%" -> 0.01;
            default -> 1;
        };
    }

    private static IllegalArgumentException bad(String text, String why) {
        return new IllegalArgumentException(
                "threshold '" + text + "': " + why + "; for example p99>50ms, failed>0.1%, rate<1000");
    }
}
