package dev.retier.load.report;

import dev.retier.load.measure.Interval;
import java.util.List;

/** The intervals of runs as comma-separated values, one line per run and interval. Stateless. */
public final class ResultCsv {
    /** First line. */
    public static final String HEADING =
            "site,start_ms,interval_ms,sent,static_answered,dynamic_answered,failed,dropped,body_bytes";

    private ResultCsv() {}

    /** All lines, the heading first, each ended by LF. Site names need no quotes: plans allow no comma in them. */
    public static String of(List<LoadResult> runs) {
        StringBuilder csv = new StringBuilder(HEADING).append('\n');
        for (LoadResult run : runs) {
            for (Interval interval : run.intervals()) {
                csv.append(run.site()).append(',').append(interval.startMillis());
                csv.append(',').append(run.intervalMillis());
                for (long count : List.of(
                        interval.sent(),
                        interval.staticAnswered(),
                        interval.dynamicAnswered(),
                        interval.failed(),
                        interval.dropped(),
                        interval.bodyBytes())) {
                    csv.append(',').append(count);
                }
                csv.append('\n');
            }
        }
        return csv.toString();
    }
}
