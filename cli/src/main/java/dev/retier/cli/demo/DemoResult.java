package dev.retier.cli.demo;

import dev.retier.load.measure.Burst;
import dev.retier.load.measure.Latency;
import dev.retier.report.Table;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * Both passes of the demo.
 *
 * @param settings what was asked for
 * @param trace name of the trace
 * @param rigid the pass with the best rigid split
 * @param reconfigured the pass in which nodes moved
 * @param oracleSeconds the time that the best split for each burst would need if changing it cost nothing (model)
 */
public record DemoResult(
        DemoSettings settings, String trace, PassResult rigid, PassResult reconfigured, double oracleSeconds) {
    private static final double NANOS_PER_MILLI = 1e6;

    /** Throughput of the reconfigured pass over that of the rigid one. */
    public double ratio() {
        return reconfigured.perSecond() / rigid.perSecond();
    }

    /** The same for the bursts of one kind. */
    public double ratio(Burst.Kind kind) {
        return reconfigured.perSecond(kind) / rigid.perSecond(kind);
    }

    /** How much of what the oracle could do was reached, in [0,1] or slightly above for noise. */
    public double shareOfOracle() {
        return oracleSeconds / reconfigured.elapsedSeconds();
    }

    /** The figures side by side. */
    public Table table() {
        Table table = new Table("measure", "unit", "rigid", "reconfigured", "ratio");
        for (Burst.Kind kind : Burst.Kind.values()) {
            // A load without bursts is one mixed stretch, and that is the row "overall".
            if (kind != Burst.Kind.MIXED && rigid.has(kind)) {
                compare(
                        table,
                        kind.name().toLowerCase(Locale.ROOT) + " bursts",
                        "requests/s",
                        pass -> pass.perSecond(kind));
            }
        }
        compare(table, "overall", "requests/s", PassResult::perSecond);
        compare(table, "time for the trace", "s", PassResult::elapsedSeconds);
        latency(table, "static", pass -> pass.load().staticLatency());
        latency(table, "dynamic", pass -> pass.load().dynamicLatency());
        count(table, "moves", pass -> pass.moves().size());
        count(table, "failed requests", pass -> pass.load().totals().failed());
        return table;
    }

    private interface LatencyOf {
        Latency of(PassResult pass);
    }

    private interface CountOf {
        long of(PassResult pass);
    }

    private void latency(Table table, String name, LatencyOf latency) {
        if (latency.of(rigid).count() > 0 && latency.of(reconfigured).count() > 0) {
            compare(table, name + " latency p50", "ms", pass -> latency.of(pass).p50Nanos() / NANOS_PER_MILLI);
            compare(table, name + " latency p99", "ms", pass -> latency.of(pass).p99Nanos() / NANOS_PER_MILLI);
            compare(table, name + " latency max", "ms", pass -> latency.of(pass).maxNanos() / NANOS_PER_MILLI);
        }
    }

    private void compare(Table table, String name, String unit, ToDoubleFunction<PassResult> figure) {
        double before = figure.applyAsDouble(rigid);
        double after = figure.applyAsDouble(reconfigured);
        table.row(name, unit, before, after, String.format(Locale.ROOT, "%.2f", after / before));
    }

    private void count(Table table, String name, CountOf figure) {
        table.row(name, "count", figure.of(rigid), figure.of(reconfigured), "");
    }
}
