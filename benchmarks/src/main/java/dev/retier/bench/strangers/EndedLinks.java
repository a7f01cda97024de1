package dev.retier.bench.strangers;

import dev.retier.bench.ProcessFigures;
import dev.retier.bench.Progress;
import dev.retier.bench.Results;
import dev.retier.report.Table;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Whether member connections that have ended stay in an agent's memory: the third member's connections to the victim go
 * through a relay that ends them, each in one way, and the member connects again by itself; or they end as soon as they
 * were let in. Stateless.
 */
final class EndedLinks {
    /** Of one class; fewer come and go as time passes. */
    private static final int MOST_GROWTH = 20;

    private static final long SETTLE_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int SHOWN = 12;

    private EndedLinks() {}

    /**
     * Ends {@code count} connections of each kind at a fresh cell and tells what stays.
     *
     * @return whether no class of ours, or of the verbs, has notably more live objects than before
     */
    static boolean measure(Results results, int count) throws IOException {
        Table table = new Table(
                "end", "ended", "seconds", "resident_mib_before", "resident_mib_after", "grown_classes", "verdict");
        boolean isGood = true;
        for (Relay.End end : Relay.End.values()) {
            Progress.tell("ended: " + end.sentence() + " ...");
            try (Cell cell = Cell.start("", "");
                    Relay relay = Relay.open(cell.agents().rdma(Cell.VICTIM));
                    Member member = Member.join(cell, relay.address())) {
                isGood &= run(table, cell, end.sentence(), count, number -> member.end(relay, end, number));
            }
        }
        for (ShortStay.End end : ShortStay.End.values()) {
            Progress.tell("ended: " + end.sentence() + " ...");
            try (Cell cell = Cell.start("", "")) {
                cell.agents().stop(Cell.RESTARTED);
                ShortStay stay = new ShortStay(cell);
                isGood &= run(table, cell, end.sentence(), count, number -> stay.end(end, number));
            }
        }
        results.heading("Member connections that end")
                .note("Live objects of dev.retier and com.ibm.disni in the victim (jcmd GC.class_histogram, which"
                        + " collects garbage first) before and after, with 10 s to settle; told are classes with more"
                        + " than " + MOST_GROWTH + " more.")
                .table("ended", table);
        return isGood;
    }

    /** Ends connections and tells how many did. */
    private interface Ending {
        int end(int count) throws IOException;
    }

    private static boolean run(Table table, Cell cell, String kind, int count, Ending ending) throws IOException {
        // The first ones load classes and fill the pools of what is used again.
        ending.end(Math.max(Math.min(count, 2 * MOST_GROWTH), count / 4));
        long pid = cell.agents().pid(Cell.VICTIM);
        Map<String, Long> before = settledHistogram(pid);
        double residentBefore = ProcessFigures.of(pid).residentMebibytes();
        long beganNanos = System.nanoTime();
        int done = ending.end(count);
        double took = (System.nanoTime() - beganNanos) / (double) TimeUnit.SECONDS.toNanos(1);
        Map<String, Long> after = settledHistogram(pid);
        List<String> grown = grown(before, after);
        boolean isClean = grown.isEmpty() && done == count;
        table.row(
                kind,
                done,
                Math.round(took),
                residentBefore,
                ProcessFigures.of(pid).residentMebibytes(),
                grown.isEmpty() ? "none" : String.join("; ", grown.subList(0, Math.min(SHOWN, grown.size()))),
                isClean ? "met" : "missed");
        return isClean;
    }

    private static Map<String, Long> settledHistogram(long pid) throws IOException {
        LockSupport.parkNanos(SETTLE_NANOS);
        Process jcmd = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        Long.toString(pid),
                        "GC.class_histogram")
                .redirectErrorStream(true)
                .start();
        jcmd.getOutputStream().close();
        return histogram(new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
    }

    /** Instances by class, of what {@code jcmd PID GC.class_histogram} prints. */
    static Map<String, Long> histogram(String printed) {
        Map<String, Long> instances = new HashMap<>();
        for (String line : printed.lines().toList()) {
            // "   1:         12345        6789000  [B (java.base@25)"
            String[] words = line.strip().split("\\s+", -1);
            if (words.length >= 4 && words[0].matches("\\d+:") && words[1].matches("\\d+")) {
                instances.put(words[3], Long.parseLong(words[1]));
            }
        }
        return instances;
    }

    /** Classes of ours, and of the verbs, with notably more instances, and how many. */
    static List<String> grown(Map<String, Long> before, Map<String, Long> after) {
        Set<String> classes = new TreeSet<>(after.keySet());
        return classes.stream()
                .filter(name -> name.startsWith("dev.retier.") || name.startsWith("com.ibm.disni."))
                .filter(name -> after.getOrDefault(name, 0L) - before.getOrDefault(name, 0L) > MOST_GROWTH)
                .map(name -> name + " +" + (after.getOrDefault(name, 0L) - before.getOrDefault(name, 0L)))
                .toList();
    }
}
