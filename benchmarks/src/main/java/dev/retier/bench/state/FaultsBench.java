package dev.retier.bench.state;

import dev.retier.bench.Measures;
import dev.retier.bench.ResultOptions;
import dev.retier.bench.Results;
import dev.retier.bench.state.FaultWorlds.Tally;
import dev.retier.report.Table;
import dev.retier.sim.faults.Fault;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
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

/** {@code bench faults}: searches clusters, locks and volumes for faults, one simulated world per seed. */
@Command(
        name = "faults",
        description =
                "Search whole clusters, the move lock, the ticket lock, the read/write lock and volumes for faults"
                        + " in seeded worlds: crashes, restarts, partitions, late messages, pauses, drifting clocks; in"
                        + " clusters also slow servers, status pages that stand still or lie, and servers that refuse"
                        + " their files.")
@Measures(
        modules = {"simulator", "balance", "reconfig-agent", "shared-state", "fabric", "link", "traces", "volume-store"
        },
        simulated = true)
public final class FaultsBench implements Callable<Integer> {
    private static final int FOUND = 1;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final long QUIET_STEP_NANOS = TimeUnit.SECONDS.toNanos(10);

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Option(
            names = "--world",
            split = ",",
            paramLabel = "WORLD",
            converter = WorldName.class,
            description = "Which worlds: cluster, move, ticket, read-write, volume (default: all).")
    private List<FaultWorlds> kinds = List.of(FaultWorlds.values());

    @Option(
            names = "--seeds",
            paramLabel = "N",
            description = "How many worlds of each (default: 100000; volume: 10000).")
    private @Nullable Long seeds;

    @Option(names = "--first", paramLabel = "SEED", description = "The first seed (default: ${DEFAULT-VALUE}).")
    private long first;

    @Option(names = "--minutes", paramLabel = "N", description = "Stop each kind after so long, whatever is left.")
    private @Nullable Double minutes;

    @Option(
            names = "--seed",
            paramLabel = "SEED",
            description = "Replay this one world of each; a cluster with all that happened in it.")
    private @Nullable Long replayed;

    @Option(
            names = "--faults",
            split = ",",
            paramLabel = "FAULT",
            description =
                    "What alone may go wrong in clusters, to narrow down what breaks one: ${COMPLETION-CANDIDATES}"
                            + " (default: all of it).")
    private Set<Fault> possible = EnumSet.allOf(Fault.class);

    @Mixin
    private ResultOptions options = new ResultOptions();

    private final Map<FaultWorlds, Tally> sums = new LinkedHashMap<>();
    private long begunNanos;
    private long saidNanos;

    /** Kinds of worlds as they are written on the command line. */
    static final class WorldName implements ITypeConverter<FaultWorlds> {
        @Override
        public FaultWorlds convert(String value) {
            return Arrays.stream(FaultWorlds.values())
                    .filter(kind -> kind.word().equals(value))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException(
                            "'" + value + "' is none of cluster, move, ticket, read-write, volume"));
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
        Long wanted = seeds;
        if (wanted != null && wanted < 1) {
            throw new ParameterException(spec.commandLine(), "--seeds must be at least 1");
        }
        Long one = replayed;
        return one == null ? search() : replay(one);
    }

    private int replay(long seed) throws IOException {
        int result = 0;
        String words = words();
        Results results = options.begin(
                "faults-replay-" + words.replace(',', '-') + "-" + seed,
                "One world of each kind",
                "./retier bench faults --world " + words + " --seed " + seed + only());
        Table timeline = new Table("world", "seed", "event");
        Table worlds = new Table("world", "seed", "summary", "fault");
        for (FaultWorlds kind : kinds) {
            FaultWorlds.Replay replay = kind.replay(seed, possible);
            replay.timeline().forEach(event -> timeline.row(kind.word(), seed, event));
            worlds.row(kind.word(), seed, replay.summary(), replay.isFault() ? "yes" : "no");
            result = replay.isFault() ? FOUND : result;
        }
        options.end(results.table("timeline", timeline).table("worlds", worlds));
        return result;
    }

    private String words() {
        return kinds.stream().map(FaultWorlds::word).collect(Collectors.joining(","));
    }

    private int search() throws IOException {
        long startNanos = System.nanoTime();
        for (FaultWorlds kind : kinds) {
            sums.put(kind, search(kind, seeds == null ? kind.usual() : seeds));
        }
        String words = words();
        long most = sums.values().stream().mapToLong(Tally::worlds).max().orElse(0);
        boolean isUsual = sums.entrySet().stream()
                .allMatch(sum -> sum.getValue().worlds() == sum.getKey().usual());
        Results results = options.begin(
                kinds.size() == 1 ? "faults-" + words : "faults",
                "Clusters, locks and volumes under faults",
                "./retier bench faults --world " + words + " --first " + first + (isUsual ? "" : " --seeds " + most)
                        + only());
        kinds.forEach(kind -> results.note(kind.description()));
        FaultWorlds.tables(sums).forEach(results::table);
        results.note("Took " + Math.round((System.nanoTime() - startNanos) / NANOS_PER_SECOND) + " s.");
        results.note(faults() == 0 ? "No world was unsafe and none stood still." : "FAULTS FOUND.");
        sums.forEach((kind, sum) -> sum.failures().forEach(failure -> results.note(replayOf(kind, failure))));
        options.end(results);
        return faults() == 0 ? 0 : FOUND;
    }

    private Tally search(FaultWorlds kind, long count) {
        begunNanos = System.nanoTime();
        saidNanos = begunNanos;
        Tally sum = Tally.NONE;
        while (sum.worlds() < count && !isTimeOver()) {
            Tally batch = kind.run(first + sum.worlds(), Math.min(kind.batch(), count - sum.worlds()), possible);
            batch.failures().forEach(failure -> found(kind, failure));
            sum = sum.plus(batch);
            progress(kind, sum, count);
        }
        return sum;
    }

    /** The first one is told at once, with all that happened. */
    private void found(FaultWorlds kind, FaultWorlds.Failure failure) {
        System.err.println("\n" + replayOf(kind, failure));
        kind.replay(failure.seed(), possible).timeline().forEach(System.err::println);
    }

    private boolean isTimeOver() {
        Double most = minutes;
        return most != null && System.nanoTime() - begunNanos > most * TimeUnit.MINUTES.toNanos(1);
    }

    private long faults() {
        return sums.values().stream().mapToLong(sum -> sum.failures().size()).sum();
    }

    private String only() {
        return possible.size() == Fault.values().length
                ? ""
                : possible.stream().map(Fault::name).collect(Collectors.joining(",", " --faults ", ""));
    }

    private String replayOf(FaultWorlds kind, FaultWorlds.Failure failure) {
        return kind.word() + ", seed " + failure.seed() + ": " + failure.what()
                + "; replay it with ./retier bench faults --world " + kind.word() + " --seed " + failure.seed()
                + only();
    }

    /** On a terminal one line that changes, else a line now and then. */
    private void progress(FaultWorlds kind, Tally sum, long count) {
        boolean isTerminal = Boolean.getBoolean("retier.terminal");
        boolean isLast = sum.worlds() == count;
        long nowNanos = System.nanoTime();
        if (isTerminal || isLast || nowNanos - saidNanos >= QUIET_STEP_NANOS) {
            saidNanos = nowNanos;
            double elapsed = (nowNanos - begunNanos) / NANOS_PER_SECOND;
            double left = elapsed / sum.worlds() * (count - sum.worlds());
            Double most = minutes;
            double bound = most == null ? left : Math.max(0, most * TimeUnit.MINUTES.toSeconds(1) - elapsed);
            String line = String.format(
                    Locale.ROOT,
                    "%s: %d of %d worlds, %d faults, %.0f s left",
                    kind.word(),
                    sum.worlds(),
                    count,
                    sum.failures().size(),
                    Math.min(left, bound));
            System.err.print(isTerminal ? "\r" + line + (isLast ? "\n" : " ") : line + "\n");
        }
    }
}
