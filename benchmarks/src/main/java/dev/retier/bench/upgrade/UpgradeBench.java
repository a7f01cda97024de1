package dev.retier.bench.upgrade;

import dev.retier.bench.Git;
import dev.retier.bench.Launched;
import dev.retier.bench.Measures;
import dev.retier.bench.Measures.Need;
import dev.retier.bench.Progress;
import dev.retier.bench.ResultOptions;
import dev.retier.bench.Results;
import dev.retier.bench.agent.AgentCell;
import dev.retier.bench.agent.AgentCell.Launch;
import dev.retier.report.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./retier bench upgrade}: whether agents of two commits see each other and move nodes together. */
@Command(
        name = "upgrade",
        description = "Whether a cell can be upgraded node by node: builds another commit in a work tree, runs cells of"
                + " agents of both and of each alone, and moves a node there and back in each.")
@Measures(
        modules = {
            "verbs",
            "soft-iwarp",
            "link",
            "fabric",
            "shared-state",
            "reconfig-agent",
            "undertow-node",
            "web-node",
            "cli"
        },
        needs = Need.MVN)
public final class UpgradeBench implements Callable<Integer> {
    private static final long SEEN_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long LOOK_EVERY_NANOS = 200_000_000;
    private static final int MOVED = 3;
    private static final List<Integer> NODES = List.of(1, 2, 3);

    @Option(names = "--from", required = true, paramLabel = "COMMIT", description = "The older version.")
    private String from = "";

    @Option(names = "--keep", description = "Leave the work tree for the next run, and use one that was left.")
    private boolean isKept;

    @Mixin
    private ResultOptions options = new ResultOptions();

    /** One cell: which versions, and what worked. */
    private record Outcome(
            String versions,
            boolean isSeen,
            List<String> moves,
            double rolledBack,
            double missed,
            Complaints complaints) {
        private boolean isGood() {
            return isSeen
                    && !moves.isEmpty()
                    && moves.stream().allMatch(move -> move.endsWith("done"))
                    && rolledBack == 0;
        }
    }

    /**
     * {@inheritDoc}
     *
     * @throws IOException if git, a build or a process fails
     */
    @Override
    public Integer call() throws IOException {
        String old = Git.commit(Launched.root(), from);
        Results results = options.begin("upgrade", "A cell of two versions", "./retier bench upgrade --from " + old);
        results.note("Three agents, each a process started by `./retier agent` of its own checkout, old (" + old
                + ") or new (this one), beside web-nodes of this one. Seen: within 60 s nobody is unknown to anybody."
                + " One lease later node-3 is moved to the proxies and back, asked for at the first agent's control"
                + " socket, and once more at the third's. Looks missed: state.reads.missed of all, from then on.");
        Table table = new Table("cell", "all_seen", "moves", "rolled_back", "looks_missed", "complaints", "verdict");
        List<Outcome> outcomes = new ArrayList<>();
        try (OldCheckout checkout = OldCheckout.of(old, isKept)) {
            Launch before = new Launch(checkout.launcher(), Map.of());
            Launch now = Launch.usual();
            for (List<Launch> cell : List.of(
                    List.of(before, before, before),
                    List.of(before, before, now),
                    List.of(before, now, now),
                    List.of(now, now, before),
                    List.of(now, now, now))) {
                String versions = cell.stream()
                        .map(launch -> launch.equals(now) ? "new" : "old")
                        .collect(Collectors.joining(" "));
                Progress.tell("cell: " + versions);
                outcomes.add(run(versions, cell));
            }
        }
        outcomes.forEach(outcome -> table.row(
                outcome.versions(),
                outcome.isSeen() ? "yes" : "no",
                String.join("; ", outcome.moves()),
                Math.round(outcome.rolledBack()),
                Math.round(outcome.missed()),
                outcome.complaints().count(),
                outcome.isGood() ? "met" : "missed"));
        results.heading("Cells").table("cells", table);
        outcomes.forEach(outcome -> results.note(outcome.versions() + " complained: "
                + (outcome.complaints().kinds().isEmpty()
                        ? "nothing"
                        : String.join(" | ", outcome.complaints().kinds()))));
        options.end(results);
        return outcomes.stream().allMatch(Outcome::isGood) ? 0 : 1;
    }

    private static Outcome run(String versions, List<Launch> launches) throws IOException {
        Path folder = Launched.emptyWorkFolder("bench-upgrade/cell-" + versions.replace(' ', '-'));
        List<String> moves = new ArrayList<>();
        boolean isSeen;
        double missed = 0;
        double rolledBack = 0;
        try (AgentCell cell = AgentCell.launch(folder, launches, 1, "")) {
            isSeen = awaitSeen(cell);
            if (isSeen) {
                // A witness that has just started gives no lock for one lease: it cannot know whether it had given one.
                LockSupport.parkNanos(cell.cluster().timing().lease().toNanos());
                double before = metric(cell, "retier_state_reads_missed_total");
                for (int by : List.of(1, MOVED)) {
                    moves.add(move(cell, by, "shop/proxy"));
                    moves.add(move(cell, by, "shop/app"));
                }
                missed = metric(cell, "retier_state_reads_missed_total") - before;
                rolledBack = metric(cell, "result=\"ROLLED_BACK\"");
            }
            List<String> lines = new ArrayList<>();
            for (int id : NODES) {
                lines.addAll(Files.readAllLines(cell.log(id)));
            }
            return new Outcome(versions, isSeen, moves, rolledBack, missed, Complaints.of(lines));
        }
    }

    private static String move(AgentCell cell, int by, String to) {
        String asked = "node-" + by + " asked for " + to + ": ";
        try {
            cell.move(by, MOVED, to);
            return asked + "done";
        } catch (IOException e) {
            return asked + e.getMessage();
        }
    }

    private static boolean awaitSeen(AgentCell cell) {
        long beganNanos = System.nanoTime();
        while (!NODES.stream().allMatch(id -> cell.unknownShare(id) == 0)) {
            if (System.nanoTime() - beganNanos > SEEN_WITHIN_NANOS) {
                return false;
            }
            LockSupport.parkNanos(LOOK_EVERY_NANOS);
        }
        return true;
    }

    /** The sum over all agents of the metrics whose line has {@code part} in it. */
    private static double metric(AgentCell cell, String part) throws IOException {
        double sum = 0;
        for (int id : NODES) {
            sum += cell.ask(id, "/metrics")
                    .lines()
                    .filter(line -> !line.startsWith("#") && line.contains(part))
                    .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                    .sum();
        }
        return sum;
    }
}
