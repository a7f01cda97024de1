package dev.retier.bench.strangers;

import dev.retier.bench.Measures;
import dev.retier.bench.Measures.Need;
import dev.retier.bench.Progress;
import dev.retier.bench.ResultOptions;
import dev.retier.bench.Results;
import dev.retier.bench.strangers.Strangers.Attack;
import dev.retier.report.Table;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./retier bench strangers}: what those without the secret can do to a cell of real agents. */
@Command(
        name = "strangers",
        description = "What those without the secret can do: real agents beside attackers that open connections to one"
                + " of them. Measures looks missed, how soon a restarted member is seen, processor time, log lines."
                + " Linux; needs prlimit.")
@Measures(
        modules = {"verbs", "soft-iwarp", "link", "fabric", "shared-state", "reconfig-agent"},
        needs = Need.PRLIMIT)
public final class StrangersBench implements Callable<Integer> {
    private static final double NONE = Double.NaN;
    private static final String FORMER_OFF = "former-handshake: false\n";
    private static final String FORBIDDEN = ", former handshake forbidden";
    private static final int FEW_DESCRIPTORS = 10;
    private static final Duration SEEN_WITHIN = Duration.ofSeconds(2);
    private static final Duration PATIENCE = Duration.ofSeconds(6);
    private static final double MOST_CPU_PERCENT = 30;
    private static final long MOST_LINES_IN_A_MINUTE = 20;
    private static final double SEEN_SHARE = 0.95;
    private static final double PERCENT = 100;
    private static final long SAMPLE_EVERY_NANOS = 500_000_000;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "Of each attack before a member is restarted (default: ${DEFAULT-VALUE}).")
    private int seconds = 20;

    @Option(
            names = "--trials",
            paramLabel = "N",
            description = "Restarts during each attack (default: ${DEFAULT-VALUE}).")
    private int trials = 20;

    @Option(names = "--rate", paramLabel = "N", description = "Connects per second (default: ${DEFAULT-VALUE}).")
    private int rate = 2_000;

    @Option(
            names = "--addresses",
            paramLabel = "N",
            description = "Of attackers that come from many (default: ${DEFAULT-VALUE}).")
    private int addresses = 50;

    @Option(
            names = "--ended",
            paramLabel = "N",
            description = "Member connections of each kind that end, for the search for leaks; 0 for none (default:"
                    + " ${DEFAULT-VALUE}).")
    private int ended = 1_000;

    @Option(names = "--only", paramLabel = "TEXT", description = "Only the rows whose name contains this.")
    private String only = "";

    @Mixin
    private ResultOptions options = new ResultOptions();

    /**
     * One attack on one cell.
     *
     * @param name of the row
     * @param attack null for none
     * @param spareDescriptors that the victim has besides those open; 0 for no limit
     * @param javaOptions of the agents
     * @param more lines of the cluster file
     * @param isJudged whether there is a target
     */
    private record Row(
            String name,
            @Nullable Attack attack,
            int spareDescriptors,
            String javaOptions,
            String more,
            boolean isJudged) {}

    /** The figures of a cell when an attack begins. */
    private record Before(double missed, long lines, double cpuSeconds, long nanos) {}

    /** What an attack did; negative times are restarts that were not seen. */
    private record Effect(
            double connectsPerSecond,
            double missed,
            double unknownPercent,
            double cpuPercent,
            long linesInAMinute,
            List<Duration> seen) {
        private long seenInTime() {
            return seen.stream()
                    .filter(took -> !took.isNegative() && took.compareTo(SEEN_WITHIN) <= 0)
                    .count();
        }

        private boolean isGood() {
            return missed == 0
                    && unknownPercent == 0
                    && cpuPercent <= MOST_CPU_PERCENT
                    && linesInAMinute <= MOST_LINES_IN_A_MINUTE
                    && seenInTime() >= SEEN_SHARE * seen.size();
        }
    }

    /**
     * {@inheritDoc}
     *
     * @throws Exception if an agent does not start
     */
    @Override
    public Integer call() throws Exception {
        Results results = options.begin(
                "strangers",
                "What strangers can do to a cell",
                "./retier bench strangers --seconds " + seconds + " --trials " + trials + " --rate " + rate
                        + " --addresses " + addresses + " --ended " + ended
                        + (only.isEmpty() ? "" : " --only " + only));
        results.note(String.format(
                Locale.ROOT,
                "Three agents, each a process started by `./retier agent`, on loopback; attackers in this process, from"
                        + " addresses of 127.1.0.0/24 that are no member's unless the row says so, at one of them, the"
                        + " victim; each row on a fresh cell. Over %d s: looks that missed a member"
                        + " (state.reads.missed of all three), the largest share of nodes that a member did not know"
                        + " (2 samples/s), processor time of the"
                        + " victim in percent of one core, lines in its log in the"
                        + " minute that has most of them. Then %d times another member is"
                        + " restarted: how soon, from its admin port's first answer, it and the victim read each other"
                        + " (given up after %d s). Ours must show: no look missed, nobody unknown, at most %.0f %% and"
                        + " %d lines, seen within %d s in 19 of 20.",
                seconds,
                trials,
                PATIENCE.toSeconds(),
                MOST_CPU_PERCENT,
                MOST_LINES_IN_A_MINUTE,
                SEEN_WITHIN.toSeconds()));
        boolean isGood = attacks(results);
        if (ended > 0 && "ended".contains(only)) {
            isGood &= EndedLinks.measure(results, ended);
        }
        options.end(results);
        return isGood ? 0 : 1;
    }

    private boolean attacks(Results results) throws IOException {
        Table table = new Table(
                "attack",
                "connects_per_second",
                "looks_missed",
                "unknown_percent",
                "victim_cpu_percent",
                "log_lines_in_a_minute",
                "seen_within_2_s",
                "trials",
                "seen_slowest_ms",
                "verdict");
        boolean isGood = true;
        for (Row row : rows()) {
            if (!row.name().contains(only)) {
                continue;
            }
            Progress.tell(row.name() + " ...");
            try {
                Effect effect = run(row);
                isGood &= !row.isJudged() || effect.isGood();
                tell(table, row, effect);
            } catch (IOException e) {
                Progress.tell(row.name() + ": " + e.getMessage());
                isGood &= !row.isJudged();
                table.row(row.name(), NONE, NONE, NONE, NONE, NONE, NONE, trials, NONE, "failed: " + e.getMessage());
            }
        }
        results.heading("Attacks").table("attacks", table);
        return isGood;
    }

    private List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        rows.add(new Row("none", null, 0, "", "", true));
        for (Opening opening : Opening.values()) {
            for (int from : List.of(1, addresses)) {
                rows.add(attack(opening.sentence() + ", from " + from, new Attack(opening, from, rate), 0, "", true));
            }
        }
        Attack many = new Attack(Opening.WRONG_SECRET, addresses, rate);
        Attack silent = new Attack(Opening.SILENT, addresses, rate);
        String wrong = Opening.WRONG_SECRET.sentence() + ", from " + addresses;
        String quiet = Opening.SILENT.sentence() + ", from " + addresses;
        Attack former = new Attack(Opening.FORMER, addresses, rate);
        String old = Opening.FORMER.sentence() + ", from " + addresses;
        for (Opening opening : List.of(Opening.WORDLESS, Opening.FORMER)) {
            rows.add(attack(
                    opening.sentence() + ", from a member's address", new Attack(opening, 0, rate), 0, "", true));
        }
        rows.add(new Row(wrong + FORBIDDEN, many, 0, "", FORMER_OFF, true));
        rows.add(new Row(old + FORBIDDEN, former, 0, "", FORMER_OFF, true));
        rows.add(attack(quiet + ", ten descriptors left", silent, FEW_DESCRIPTORS, "", true));
        rows.add(attack(wrong + ", ten descriptors left", many, FEW_DESCRIPTORS, "", true));
        rows.add(attack(quiet + ", 16 MiB of direct memory", silent, 0, "-XX:MaxDirectMemorySize=16m", true));
        rows.add(attack(wrong + ", 16 MiB of direct memory", many, 0, "-XX:MaxDirectMemorySize=16m", true));
        rows.add(attack(wrong + ", full speed", new Attack(Opening.WRONG_SECRET, addresses, 0), 0, "", false));
        return rows;
    }

    private static Row attack(String name, Attack attack, int spare, String javaOptions, boolean isJudged) {
        return new Row(name, attack, spare, javaOptions, "", isJudged);
    }

    private Effect run(Row row) throws IOException {
        try (Cell cell = Cell.start(row.more(), row.javaOptions())) {
            if (row.spareDescriptors() > 0) {
                cell.limitDescriptors(row.spareDescriptors());
            }
            return measure(cell, row.attack());
        }
    }

    private Effect measure(Cell cell, @Nullable Attack attack) throws IOException {
        double missed = cell.missed();
        long lines = cell.victimLogLines();
        double cpu = cell.victimCpuSeconds();
        try (Strangers strangers =
                attack == null ? null : Strangers.start(cell.agents().rdma(Cell.VICTIM), attack)) {
            return measure(cell, strangers, new Before(missed, lines, cpu, System.nanoTime()));
        }
    }

    private Effect measure(Cell cell, @Nullable Strangers strangers, Before before) throws IOException {
        double unknown = 0;
        while (System.nanoTime() - before.nanos() < TimeUnit.SECONDS.toNanos(seconds)) {
            LockSupport.parkNanos(SAMPLE_EVERY_NANOS);
            for (int id : List.of(Cell.VICTIM, Cell.STANDING, Cell.RESTARTED)) {
                unknown = Math.max(unknown, cell.unknown(id));
            }
        }
        double elapsed = (System.nanoTime() - before.nanos()) / (double) TimeUnit.SECONDS.toNanos(1);
        double tried = strangers == null ? 0 : strangers.connected() / elapsed;
        double cpuPercent = PERCENT * (cell.victimCpuSeconds() - before.cpuSeconds()) / elapsed;
        long mostLines = cell.mostLinesInAMinute(before.lines());
        double missedThen = cell.missed() - before.missed();
        List<Duration> seen = new ArrayList<>();
        for (int i = 0; i < trials; i++) {
            seen.add(cell.restart(PATIENCE));
        }
        return new Effect(tried, missedThen, PERCENT * unknown, cpuPercent, mostLines, seen);
    }

    private static void tell(Table table, Row row, Effect effect) {
        boolean isNeverSeen = effect.seen().stream().anyMatch(Duration::isNegative);
        String slowest = isNeverSeen
                ? "not within " + PATIENCE.toSeconds() + " s"
                : effect.seen().stream()
                        .map(Duration::toMillis)
                        .max(Long::compare)
                        .map(String::valueOf)
                        .orElse("-");
        table.row(
                row.name(),
                Math.round(effect.connectsPerSecond()),
                Math.round(effect.missed()),
                Math.round(effect.unknownPercent()),
                String.format(Locale.ROOT, "%.1f", effect.cpuPercent()),
                effect.linesInAMinute(),
                effect.seenInTime(),
                effect.seen().size(),
                slowest,
                row.isJudged() ? effect.isGood() ? "met" : "missed" : "no target");
    }
}
