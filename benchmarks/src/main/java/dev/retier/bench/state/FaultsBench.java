package dev.retier.bench.state;

import dev.retier.bench.RecordOption;
import dev.retier.bench.Results;
import dev.retier.report.Table;
import dev.retier.state.faults.FaultCampaign;
import dev.retier.state.faults.FaultSimulation;
import dev.retier.state.faults.LockKind;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code bench faults}: searches the locks for faults, one simulated world per seed, on all cores. */
@Command(
        name = "faults",
        description =
                "Search the move lock, the ticket lock and the read/write lock for faults in seeded worlds: crashes,"
                        + " restarts, one-way partitions, late and lost messages, pauses, drifting clocks.")
public final class FaultsBench implements Callable<Integer> {
    private static final int FOUND = 1;
    private static final long BATCH = 500;
    /** Worlds of each lock between two lines of progress where lines cannot be written over. */
    private static final long QUIET_STEP = 10 * BATCH;

    private static final double NANOS_PER_SECOND = 1e9;
    private static final String WORLDS = "A world of the move lock is a cell of 3 to 7 nodes with 1, 3 or 5 witnesses"
            + " and one or two sites that share the nodes, for 9 s of virtual time. In the first 6 s nodes crash and"
            + " come back without their memory, links are cut in one direction or both, messages come late or never,"
            + " holders pause, and clocks run up to 5 % fast or slow; then all heals. Checked: no two holders act in"
            + " one term, terms grow, no role word changes by a holder of an older term than the one that has fenced"
            + " it, no epoch is ordered for two sites, and after the healing each lock is taken again within 3 s."
            + " A world of the ticket lock is four nodes with two threads each, one of the read/write lock two writers"
            + " and four readers; for twelve leases they and the home crash, restart, pause, are cut off in one"
            + " direction and late, with clocks up to 10 % fast or slow. Checked: no two holders act that exclude each"
            + " other, each token (of a writer) is higher than all before, and in the calm that follows each"
            + " node or client gets the lock within forty leases (a ticket whose owner died costs the others one).";

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Option(
            names = "--lock",
            split = ",",
            paramLabel = "LOCK",
            converter = LockName.class,
            description = "Which locks: move, ticket, read-write (default: all).")
    private List<LockKind> locks = List.of(LockKind.values());

    @Option(names = "--seeds", paramLabel = "N", description = "How many worlds of each (default: ${DEFAULT-VALUE}).")
    private long seeds = 100_000;

    @Option(names = "--first", paramLabel = "SEED", description = "The first seed (default: ${DEFAULT-VALUE}).")
    private long first;

    @Option(names = "--minutes", paramLabel = "N", description = "Stop after so long, whatever is left.")
    private @Nullable Double minutes;

    @Option(names = "--seed", paramLabel = "SEED", description = "Replay this one world of each.")
    private @Nullable Long replayed;

    @Mixin
    private RecordOption recorded = new RecordOption();

    private final Map<LockKind, FaultCampaign.Summary> sums = new EnumMap<>(LockKind.class);
    private long begunNanos;

    /** Lock kinds as they are written on the command line. */
    static final class LockName implements ITypeConverter<LockKind> {
        @Override
        public LockKind convert(String value) {
            return Arrays.stream(LockKind.values())
                    .filter(kind -> nameOf(kind).equals(value))
                    .findFirst()
                    .orElseThrow(
                            () -> new TypeConversionException("'" + value + "' is none of move, ticket, read-write"));
        }
    }

    /**
     * {@inheritDoc}
     *
     * @return 1 if a world was unsafe or stood still
     * @throws IOException if the results cannot be kept
     */
    @Override
    public Integer call() throws IOException {
        if (seeds < 1) {
            throw new ParameterException(spec.commandLine(), "--seeds must be at least 1");
        }
        Long one = replayed;
        return one == null ? search() : replay(one);
    }

    private int replay(long seed) {
        int result = 0;
        for (LockKind lock : locks) {
            FaultSimulation.Report report = lock.run(seed);
            IO.println(nameOf(lock) + " lock, seed " + seed + ": "
                    + report.violation().orElse("safe, and made progress") + " (" + report.acquisitions()
                    + " acquisitions, " + report.orders() + " orders, " + report.ordersRefused()
                    + " late orders refused, " + report.crashes() + " crashes, " + report.events() + " events)");
            result = report.violation().isPresent() ? FOUND : result;
        }
        return result;
    }

    private int search() throws IOException {
        begunNanos = System.nanoTime();
        locks.forEach(lock -> sums.put(lock, FaultCampaign.Summary.NONE));
        long done = 0;
        while (done < seeds && !isTimeOver()) {
            long count = Math.min(BATCH, seeds - done);
            for (LockKind lock : locks) {
                FaultCampaign.Summary batch = FaultCampaign.run(lock, first + done, count);
                batch.failures().forEach(failure -> System.err.println("\n" + replayOf(lock, failure)));
                sums.merge(lock, batch, FaultCampaign.Summary::plus);
            }
            done += count;
            progress(done);
        }
        String kinds = locks.stream().map(FaultsBench::nameOf).collect(Collectors.joining(","));
        Results results = new Results(
                "faults",
                "The locks under faults",
                "./retier bench faults --lock " + kinds + " --first " + first + " --seeds " + done);
        results.note(WORLDS).table("worlds", table());
        results.note("Took " + Math.round((System.nanoTime() - begunNanos) / NANOS_PER_SECOND) + " s.");
        results.note(faults() == 0 ? "No world was unsafe and none stood still." : "FAULTS FOUND.");
        sums.forEach((lock, sum) -> sum.failures().forEach(failure -> results.note(replayOf(lock, failure))));
        recorded.keep(results);
        return faults() == 0 ? 0 : FOUND;
    }

    private boolean isTimeOver() {
        Double most = minutes;
        return most != null && System.nanoTime() - begunNanos > most * TimeUnit.MINUTES.toNanos(1);
    }

    private long faults() {
        return sums.values().stream().mapToLong(sum -> sum.failures().size()).sum();
    }

    private static String replayOf(LockKind lock, FaultSimulation.Report failure) {
        return nameOf(lock) + " lock, seed " + failure.seed() + ": "
                + failure.violation().orElseThrow() + "; replay it with ./retier bench faults --lock " + nameOf(lock)
                + " --seed " + failure.seed();
    }

    private static String nameOf(LockKind lock) {
        return lock.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** On a terminal one line that changes, else a line now and then. */
    private void progress(long done) {
        boolean isTerminal = Boolean.getBoolean("retier.terminal");
        boolean isLast = done == seeds;
        if (isTerminal || isLast || done % QUIET_STEP == 0) {
            double elapsed = (System.nanoTime() - begunNanos) / NANOS_PER_SECOND;
            double left = elapsed / done * (seeds - done);
            Double most = minutes;
            double bound = most == null ? left : Math.max(0, most * TimeUnit.MINUTES.toSeconds(1) - elapsed);
            String line = String.format(
                    Locale.ROOT,
                    "%d of %d worlds of each lock, %d faults, %.0f s left",
                    done,
                    seeds,
                    faults(),
                    Math.min(left, bound));
            System.err.print(isTerminal ? "\r" + line + (isLast ? "\n" : " ") : line + "\n");
        }
    }

    private Table table() {
        Table table = new Table(
                "lock", "worlds", "faults", "acquisitions", "orders", "late_orders_refused", "crashes", "events");
        sums.forEach((lock, sum) -> table.row(
                nameOf(lock),
                sum.worlds(),
                sum.failures().size(),
                sum.acquisitions(),
                sum.orders(),
                sum.ordersRefused(),
                sum.crashes(),
                sum.events()));
        return table;
    }
}
