package dev.retier.load.report;

import dev.retier.load.measure.Latency;
import dev.retier.load.measure.LatencyHistograms;
import dev.retier.load.measure.LatencyInterval;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * Latencies in HdrHistogram's log format 1.3, values in nanoseconds: for each run its response times interval by
 * interval, to two digits, under the tag of its site; and of the whole run, to three, {@code <site>-response},
 * {@code <site>-service} and {@code <site>-lateness}. Stateless.
 */
public final class HistogramLog {
    private HistogramLog() {}

    /** The text of the log. */
    public static String of(List<LoadResult> runs) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(bytes, false, StandardCharsets.US_ASCII)) {
            HistogramLogWriter writer = new HistogramLogWriter(out);
            writer.outputComment("[Logged by retier load; values in nanoseconds]");
            writer.outputLogFormatVersion();
            long start = runs.stream()
                    .mapToLong(LoadResult::startedAtEpochMillis)
                    .min()
                    .orElse(0);
            writer.outputStartTime(start);
            writer.setBaseTime(start);
            writer.outputLegend();
            for (LoadResult run : runs) {
                for (LatencyInterval interval : run.latencyOverTime().intervals()) {
                    long from = run.startedAtEpochMillis() + interval.startMillis();
                    write(
                            writer,
                            run.site(),
                            interval.histogram(),
                            from,
                            run.latencyOverTime().intervalMillis());
                }
                whole(writer, run, "-response", run.latency());
                whole(writer, run, "-service", run.service());
                whole(writer, run, "-lateness", run.lateness());
            }
        }
        return bytes.toString(StandardCharsets.US_ASCII);
    }

    private static void whole(HistogramLogWriter writer, LoadResult run, String what, Latency latency) {
        Histogram histogram = LatencyHistograms.decode(latency);
        write(writer, run.site() + what, histogram, run.startedAtEpochMillis(), run.elapsedMillis());
    }

    private static void write(
            HistogramLogWriter writer, String tag, Histogram histogram, long fromMillis, double millis) {
        histogram.setTag(tag);
        histogram.setStartTimeStamp(fromMillis);
        histogram.setEndTimeStamp(fromMillis + Math.round(millis));
        writer.outputIntervalHistogram(histogram);
    }
}
