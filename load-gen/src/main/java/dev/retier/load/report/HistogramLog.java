package dev.retier.load.report;

import dev.retier.load.measure.Latency;
import dev.retier.load.measure.LatencyHistograms;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * Latencies in HdrHistogram's log format 1.3, values in nanoseconds: for each run its response times under the tag of
 * its site, and beside them {@code <site>-service} and {@code <site>-lateness}. Stateless.
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
                write(writer, run, run.site(), run.latency());
                write(writer, run, run.site() + "-service", run.service());
                write(writer, run, run.site() + "-lateness", run.lateness());
            }
        }
        return bytes.toString(StandardCharsets.US_ASCII);
    }

    private static void write(HistogramLogWriter writer, LoadResult run, String tag, Latency latency) {
        Histogram histogram = LatencyHistograms.decode(latency);
        histogram.setTag(tag);
        histogram.setStartTimeStamp(run.startedAtEpochMillis());
        histogram.setEndTimeStamp(run.startedAtEpochMillis() + Math.round(run.elapsedMillis()));
        writer.outputIntervalHistogram(histogram);
    }
}
