package dev.retier.load.report;

import dev.retier.load.measure.FailureKind;
import dev.retier.load.measure.Latency;
import dev.retier.load.measure.StreamFigures;
import dev.retier.report.Table;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/** The figures of runs side by side: a row per measure, a column per run. Stateless. */
public final class ResultTable {
    private static final MathContext SHOWN = new MathContext(4);
    private static final double NANOS_PER_MILLI = 1e6;
    private static final Latency NONE = Latency.of(Latency.newHistogram());

    private final List<NamedRun> runs;
    private final Table table;

    private ResultTable(List<NamedRun> runs) {
        this.runs = runs;
        this.table = new Table(
                Stream.concat(Stream.of("measure", "unit"), runs.stream().map(NamedRun::name))
                        .toArray(String[]::new));
    }

    /** The table for {@code runs}, at least one. */
    public static Table of(List<NamedRun> runs) {
        ResultTable result = new ResultTable(runs);
        result.counts();
        result.rates();
        result.streams();
        result.latencies();
        return result.table;
    }

    private void counts() {
        row("sent", "requests", run -> run.totals().sent());
        row("answered", "requests", run -> run.totals().answered());
        row("failed", "requests", run -> run.totals().failed());
        for (FailureKind kind : FailureKind.values()) {
            if (any(run -> run.totals().failures().containsKey(kind))) {
                row(
                        "failed: " + kind,
                        "requests",
                        run -> run.totals().failures().getOrDefault(kind, 0L));
            }
        }
        row("dropped", "requests", run -> run.totals().dropped());
        if (any(run -> run.retries() > 0)) {
            row("retries", "requests", LoadResult::retries);
        }
    }

    private void rates() {
        row("elapsed", "s", run -> shown(run.elapsedMillis() / 1000));
        row("throughput", "requests/s", run -> shown(run.answeredPerSecond()));
        row("answer bodies", "MB/s", run -> shown(run.totals().bodyBytes() / 1e3 / Math.max(1, run.elapsedMillis())));
        if (any(run -> run.chunked() > 0)) {
            row("chunked answers", "% of answers", run -> shown(run.chunked() * 100.0 / Math.max(1, answered(run))));
        }
        if (any(run -> run.guarantee() != null)) {
            row(
                    "guarantee",
                    "requests/s",
                    run -> of(run, kept -> shown(kept.guarantee().perSecond())));
            boolean inSeconds =
                    any(run -> run.guarantee() != null && run.guarantee().seconds() == 1);
            row(
                    "guarantee kept",
                    inSeconds ? "% of seconds" : "% of intervals",
                    run -> of(run, kept -> shown(kept.share() * 100)));
        }
    }

    private void streams() {
        if (!any(run -> run.streams() != null)) {
            return;
        }
        row("streams opened", "streams", run -> count(run, StreamFigures::opened));
        row("streams open at most", "streams", run -> count(run, StreamFigures::mostOpen));
        row("streams ended early", "streams", run -> count(run, StreamFigures::ended));
        row("events", "events", run -> count(run, StreamFigures::events));
        row("event rate", "events/s", run -> perSecond(run, StreamFigures::events));
        row("stream bytes", "MB/s", run -> perSecond(run, streams -> streams.bytes() / 1e6));
        if (any(run -> run.streams() != null && run.streams().messagesSent() > 0)) {
            row("messages sent", "messages", run -> count(run, StreamFigures::messagesSent));
            row("messages left out", "messages", run -> count(run, StreamFigures::messagesLeftOut));
        }
        if (any(run -> run.streams() != null && run.streams().closesUnanswered() > 0)) {
            row("closes unanswered", "streams", run -> count(run, StreamFigures::closesUnanswered));
        }
    }

    private static long answered(LoadResult run) {
        return run.totals().answered();
    }

    private static Object count(LoadResult run, ToLongFunction<StreamFigures> what) {
        StreamFigures streams = run.streams();
        return streams == null ? "" : what.applyAsLong(streams);
    }

    private static Object perSecond(LoadResult run, ToDoubleFunction<StreamFigures> what) {
        StreamFigures streams = run.streams();
        return streams == null ? "" : shown(what.applyAsDouble(streams) * 1000 / Math.max(1, run.elapsedMillis()));
    }

    private void latencies() {
        latency(any(run -> run.streams() != null) ? "time to open" : "latency", LoadResult::latency);
        latency(
                "first event",
                run -> run.streams() == null ? NONE : run.streams().first());
        latency("reply", run -> {
            Latency reply = run.streams() == null ? null : run.streams().reply();
            return reply == null ? NONE : reply;
        });
        if (any(run -> run.staticLatency().count() > 0 && run.dynamicLatency().count() > 0)) {
            latency("static latency", LoadResult::staticLatency);
            latency("dynamic latency", LoadResult::dynamicLatency);
        }
        if (any(run -> run.lateness().count() > 0)) {
            latency("service time", LoadResult::service);
            latency("lateness", LoadResult::lateness);
            row("late by 10 ms", "requests", LoadResult::lateRequests);
        }
        row("busiest sender", "% of a core", run -> shown(run.health().busiestLoopShare() * 100));
    }

    private void latency(String name, Function<LoadResult, Latency> which) {
        if (any(run -> which.apply(run).count() > 0)) {
            percentile(name + " p50", which, Latency::p50Nanos);
            percentile(name + " p90", which, Latency::p90Nanos);
            percentile(name + " p99", which, Latency::p99Nanos);
            percentile(name + " p99.9", which, Latency::p999Nanos);
            percentile(name + " max", which, Latency::maxNanos);
            row(name + " of", "samples", run -> which.apply(run).count());
        }
    }

    /** Empty where there is nothing to measure, which is not the same as 0 ms. */
    private void percentile(String name, Function<LoadResult, Latency> which, ToLongFunction<Latency> value) {
        row(name, "ms", run -> {
            Latency latency = which.apply(run);
            return latency.count() == 0 ? "" : millis(value.applyAsLong(latency));
        });
    }

    private boolean any(Function<LoadResult, Boolean> what) {
        return runs.stream().anyMatch(run -> what.apply(run.result()));
    }

    private void row(String measure, String unit, Function<LoadResult, Object> value) {
        List<Object> cells = new ArrayList<>(List.of(measure, unit));
        runs.forEach(run -> cells.add(value.apply(run.result())));
        table.row(cells.toArray());
    }

    private static Object of(LoadResult run, Function<Guarantee.Kept, Object> value) {
        Guarantee.Kept kept = run.guarantee();
        return kept == null ? "" : value.apply(kept);
    }

    private static BigDecimal millis(long nanos) {
        return shown(nanos / NANOS_PER_MILLI);
    }

    /** To four digits; whole thousands stay exact, as nobody reads 1.235E+4. */
    private static BigDecimal shown(double value) {
        BigDecimal exact = new BigDecimal(Math.abs(value) >= 1000 ? Math.rint(value) : value);
        BigDecimal rounded = Math.abs(value) >= 1000 ? exact : exact.round(SHOWN);
        return new BigDecimal(rounded.stripTrailingZeros().toPlainString());
    }
}
