package dev.retier.bench.figures;

import static java.util.Locale.ROOT;

import dev.retier.bench.Launched;
import dev.retier.bench.Results;
import dev.retier.report.Table;
import dev.retier.sim.page.RunCharts;
import dev.retier.sim.run.Allocation;
import dev.retier.sim.run.MadeCluster.Rules;
import dev.retier.sim.run.Outcome;
import dev.retier.sim.run.Setup;
import dev.retier.sim.service.Clients;
import dev.retier.sim.service.Demand;
import dev.retier.sim.service.Ledger;
import dev.retier.sim.service.Workload;
import dev.retier.traces.TraceException;
import dev.retier.traces.made.Arrivals;
import dev.retier.traces.made.GeneratedTrace;
import dev.retier.traces.text.CountSeries;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * E5 with the World Cup's own minutes: ten hours of its busiest day, two matches among them, as requests that come when
 * they come.
 *
 * @param rules of the agents, and what they are beside
 */
record RealMinutes(Rules rules) implements Figure {
    private static final Path MINUTES = Path.of("traces/samples/worldcup-minutes.csv");
    private static final double PERIOD_SECONDS = 60;
    private static final double SECONDS_PER_HOUR = 3600;
    /** Of what the best split carries, in the busiest minute. */
    private static final double PEAK = 0.85;

    /** One move in the ten hours, by the rules of commit 778be1bd. */
    private static final double FIRST_FROM_BEST = 0.1;
    /** By the same rules: four moves, which mend the split. */
    private static final double FIRST_FROM_BAD = 0.4;
    /** The hours are not exactly ten. */
    private static final double A_LITTLE = 0.01;

    private static final Allocation BEST = Allocation.of(2, 5);

    @Override
    public String id() {
        return "E5-minutes";
    }

    @Override
    public void run(Results results, Verdicts verdicts) {
        results.heading("E5: the World Cup's busiest day, by its real minutes");
        List<Long> counts = counts();
        double carries = Lab.rigid(setup(BEST, Lab.mix(20_000, RealTrace.DYNAMIC_SHARE)), BEST)
                .perSecond();
        double scale = PEAK
                * carries
                * PERIOD_SECONDS
                / counts.stream().mapToLong(Long::longValue).max().orElseThrow();
        Demand demand = demand(counts, scale);
        results.note(String.format(
                ROOT,
                "30 June 1998, 13:00 to 23:00 UTC, requests of each minute times %.5f, so that the busiest asks for"
                        + " %.0f %% of the %.0f/s that %s carries; at random within the minute, open loop, two thirds"
                        + " dynamic (2500 us), Zipf's many files. Late: answered after more than a second. The"
                        + " others begin at"
                        + " %s but for the bad one, 5p+2a.",
                scale,
                100 * PEAK,
                carries,
                BEST,
                BEST));
        Outcome rigid = Lab.rigid(setup(BEST, demand), BEST);
        Outcome bad = Lab.rigid(setup(RealTrace.BAD, demand), RealTrace.BAD);
        Outcome good = Lab.reconfigured(setup(BEST, demand)).named("reconfigured from " + BEST);
        Outcome mended = Lab.reconfigured(setup(RealTrace.BAD, demand)).named("reconfigured from " + RealTrace.BAD);
        Outcome oracle = Lab.oracle(setup(BEST, demand));
        List<Outcome> shown = List.of(rigid, bad, good, mended, oracle);
        Table table = new Table(
                "approach",
                "answered",
                "failed",
                "late",
                "latency_p50_ms",
                "latency_p99_ms",
                "moves",
                "moves_per_hour");
        shown.forEach(outcome -> row(table, outcome));
        results.table("e5-minutes", table);
        results.plot(RunCharts.throughput("E5: the World Cup's minutes", shown, 0));
        judge(verdicts, shown);
    }

    private static List<Long> counts() {
        Path file = Launched.root().resolve(MINUTES);
        try (InputStream in = Files.newInputStream(file)) {
            return CountSeries.read(in);
        } catch (IOException e) {
            throw new TraceException(file + " cannot be read: " + e, e);
        }
    }

    private static Demand demand(List<Long> counts, double scale) {
        return new Demand(
                Workload.read(
                        GeneratedTrace.arriving(
                                new Arrivals.Series(PERIOD_SECONDS, counts, scale),
                                GeneratedTrace.mixed(
                                        Workload.MAX_REQUESTS, RealTrace.DYNAMIC_SHARE, Lab.ZIPF, Lab.SEED),
                                Lab.SEED),
                        0,
                        Long.MAX_VALUE),
                Clients.open(1));
    }

    private Setup setup(Allocation first, Demand demand) {
        return Lab.setup(Lab.cluster(first, null, rules), RealTrace.COSTS, demand);
    }

    private static void row(Table table, Outcome outcome) {
        Ledger ledger = outcome.sites().getFirst().ledger();
        table.row(
                outcome.name(),
                ledger.doneTotal(),
                ledger.failedTotal(),
                late(outcome),
                1e3 * ledger.latencySeconds(0.5),
                1e3 * ledger.latencySeconds(0.99),
                outcome.moves().size(),
                perHour(outcome));
    }

    /** Answers that came after more than a second. */
    private static long late(Outcome outcome) {
        Ledger ledger = outcome.sites().getFirst().ledger();
        return ledger.doneTotal() - ledger.well(0, ledger.buckets());
    }

    private static double perHour(Outcome outcome) {
        return outcome.moves().size() / (outcome.seconds() / SECONDS_PER_HOUR);
    }

    private void judge(Verdicts verdicts, List<Outcome> shown) {
        Outcome rigid = shown.getFirst();
        Outcome good = shown.get(2);
        Outcome mended = shown.get(3);
        long allowed = late(rigid) + rigid.done() / 1000;
        verdicts.judge(
                id(),
                "at most 0.1 % more late answers than by the best rigid split, from either split",
                "equal",
                late(good) + " and " + late(mended) + " against " + late(rigid),
                late(good) <= allowed && late(mended) <= allowed);
        verdicts.judge(
                id(),
                "not more moves per hour than when it was first run, from either split",
                "-",
                String.format(
                        ROOT,
                        "%.1f and %.1f against %.1f and %.1f",
                        perHour(good),
                        perHour(mended),
                        FIRST_FROM_BEST,
                        FIRST_FROM_BAD),
                perHour(good) < FIRST_FROM_BEST + A_LITTLE && perHour(mended) < FIRST_FROM_BAD + A_LITTLE);
    }
}
