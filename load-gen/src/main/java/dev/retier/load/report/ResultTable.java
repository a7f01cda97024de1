package dev.retier.load.report;

import dev.retier.load.measure.FailureKind;
import dev.retier.load.measure.Latency;
import dev.retier.report.Table;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** The figures of runs side by side: a row per measure, a column per run. Stateless. */
public final class ResultTable {
    private static final MathContext SHOWN = new MathContext(4);
    private static final double NANOS_PER_MILLI = 1e6;

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
        row("body bytes", "MB/s", run -> shown(run.totals().bodyBytes() / 1e3 / Math.max(1, run.elapsedMillis())));
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

    private void latencies() {
        latency("latency", LoadResult::latency);
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
            row(name + " p50", "ms", run -> millis(which.apply(run).p50Nanos()));
            row(name + " p90", "ms", run -> millis(which.apply(run).p90Nanos()));
            row(name + " p99", "ms", run -> millis(which.apply(run).p99Nanos()));
            row(name + " p99.9", "ms", run -> millis(which.apply(run).p999Nanos()));
            row(name + " max", "ms", run -> millis(which.apply(run).maxNanos()));
        }
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
