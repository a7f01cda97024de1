package dev.retier.bench.state;

import dev.retier.bench.RecordOption;
import dev.retier.bench.Results;
import dev.retier.report.Table;
import dev.retier.state.faults.FaultCampaign;
import dev.retier.state.faults.FaultSimulation;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bench faults}: searches the move lock for faults, one simulated world per seed, on all cores. */
@Command(
        name = "faults",
        description =
                "Search the move lock for faults in seeded worlds: crashes, restarts, one-way partitions, late and"
                        + " lost messages, pauses, drifting clocks.")
public final class FaultsBench implements Callable<Integer> {
    private static final int FOUND = 1;
    private static final long BATCH = 500;
    /** Worlds between two lines of progress where lines cannot be written over. */
    private static final long QUIET_STEP = 10 * BATCH;

    private static final double NANOS_PER_SECOND = 1e9;
    private static final String WORLD = "A world is a cell of 3 to 7 nodes with 1, 3 or 5 witnesses and one or two"
            + " sites that share the nodes, for 9 s of virtual time. In the first 6 s nodes crash and come back"
            + " without their memory, links are cut in one direction or both, messages come late or never, holders"
            + " pause, and clocks run up to 5 % fast or slow; then all heals. Checked: no two holders act in one term,"
            + " terms grow, no role word changes by a holder of an older term than the one that has fenced it, no epoch"
            + " is ordered for two sites, and after the healing each lock is taken again within 3 s (ten leases).";

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Option(names = "--seeds", paramLabel = "N", description = "How many worlds (default: ${DEFAULT-VALUE}).")
    private long seeds = 100_000;

    @Option(names = "--first", paramLabel = "SEED", description = "The first seed (default: ${DEFAULT-VALUE}).")
    private long first;

    @Option(names = "--seed", paramLabel = "SEED", description = "Replay this one world.")
    private @Nullable Long replayed;

    @Mixin
    private RecordOption recorded = new RecordOption();

    /**
     * {@inheritDoc}
     *
     * @return 1 if a world was unsafe or stood still
     * @throws java.io.IOException if the results cannot be kept
     */
    @Override
    public Integer call() throws java.io.IOException {
        if (seeds < 1) {
            throw new ParameterException(spec.commandLine(), "--seeds must be at least 1");
        }
        Long one = replayed;
        return one == null ? search() : replay(one);
    }

    private int replay(long seed) {
        FaultSimulation.Report report = FaultSimulation.run(seed);
        IO.println("seed " + seed + ": " + report.violation().orElse("safe, and made progress") + " ("
                + report.acquisitions() + " acquisitions, " + report.orders() + " orders, " + report.ordersRefused()
                + " late orders refused, " + report.crashes() + " crashes, " + report.events() + " events)");
        return report.violation().isPresent() ? FOUND : 0;
    }

    private int search() throws java.io.IOException {
        Results results = new Results(
                "faults", "The move lock under faults", "./retier bench faults --first " + first + " --seeds " + seeds);
        long begunNanos = System.nanoTime();
        FaultCampaign.Summary sum = FaultCampaign.Summary.NONE;
        while (sum.worlds() < seeds) {
            sum = sum.plus(FaultCampaign.run(first + sum.worlds(), Math.min(BATCH, seeds - sum.worlds())));
            progress(sum, System.nanoTime() - begunNanos);
        }
        double seconds = (System.nanoTime() - begunNanos) / NANOS_PER_SECOND;
        results.note(WORLD).table("worlds", table(sum, seconds));
        results.note(sum.failures().isEmpty() ? "No world was unsafe and none stood still." : "FAULTS FOUND.");
        for (FaultSimulation.Report failure : sum.failures()) {
            results.note("seed " + failure.seed() + ": " + failure.violation().orElseThrow()
                    + "; replay it with ./retier bench faults --seed " + failure.seed());
        }
        recorded.keep(results);
        return sum.failures().isEmpty() ? 0 : FOUND;
    }

    /** On a terminal one line that changes, else a line now and then. */
    private void progress(FaultCampaign.Summary sum, long elapsedNanos) {
        boolean isTerminal = Boolean.getBoolean("retier.terminal");
        boolean isLast = sum.worlds() == seeds;
        if (isTerminal || isLast || sum.worlds() % QUIET_STEP == 0) {
            double left = (double) elapsedNanos / sum.worlds() * (seeds - sum.worlds()) / NANOS_PER_SECOND;
            String line = String.format(
                    Locale.ROOT,
                    "%d of %d worlds, %d faults, %.0f s left",
                    sum.worlds(),
                    seeds,
                    sum.failures().size(),
                    left);
            System.err.print(isTerminal ? "\r" + line + (isLast ? "\n" : " ") : line + "\n");
        }
    }

    private static Table table(FaultCampaign.Summary sum, double seconds) {
        return new Table("of_all_worlds", "figure")
                .row("worlds", sum.worlds())
                .row("faults", sum.failures().size())
                .row("acquisitions", sum.acquisitions())
                .row("orders", sum.orders())
                .row("late orders refused", sum.ordersRefused())
                .row("crashes", sum.crashes())
                .row("events", sum.events())
                .row("seconds", Math.round(seconds))
                .row("worlds per second", Math.round(sum.worlds() / seconds));
    }
}
