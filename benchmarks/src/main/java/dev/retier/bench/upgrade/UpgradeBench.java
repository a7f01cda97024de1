package dev.retier.bench.upgrade;

import dev.retier.bench.Git;
import dev.retier.bench.Launched;
import dev.retier.bench.Measures;
import dev.retier.bench.Measures.Need;
import dev.retier.bench.Progress;
import dev.retier.bench.ResultOptions;
import dev.retier.bench.Results;
import dev.retier.bench.agent.AgentCell.Launch;
import dev.retier.load.measure.Totals;
import dev.retier.report.Table;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./retier bench upgrade}: whether agents of two commits see each other and move nodes together. */
@Command(
        name = "upgrade",
        description = "Whether a cell can be upgraded node by node: builds another commit in a work tree, runs cells of"
                + " agents of both and of each alone, and moves a node there and back in each; then replaces the agents"
                + " of a cell one after the other while clients load its site, and moves nodes after each.")
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
    private static final int MOVED = 3;
    private static final int LEAST_NODES = 3;
    private static final double MILLIS_PER_SECOND = 1_000;

    @Option(names = "--from", required = true, paramLabel = "COMMIT", description = "The older version.")
    private String from = "";

    @Option(names = "--keep", description = "Leave the work tree for the next run, and use one that was left.")
    private boolean isKept;

    @Option(
            names = "--nodes",
            paramLabel = "N",
            description = "Of the cell that is upgraded node by node, from 3 (default: ${DEFAULT-VALUE}).")
    private int cellNodes = 3;

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
        if (cellNodes < LEAST_NODES) {
            throw new IllegalArgumentException("--nodes " + cellNodes + ": give " + LEAST_NODES + " or more");
        }
        String old = Git.commit(Launched.root(), from);
        Results results = options.begin(
                "upgrade", "A cell of two versions", "./retier bench upgrade --from " + old + " --nodes " + cellNodes);
        results.note("Three agents, each a process started by `./retier agent` of its own checkout, old (" + old
                + ") or new (this one), beside web-nodes of this one. Seen: within 60 s nobody is unknown to anybody."
                + " One lease later node-3 is moved to the proxies and back, asked for at the first agent's control"
                + " socket, and once more at the third's. Looks missed: state.reads.missed of all, from then on.");
        Table table = new Table("cell", "all_seen", "moves", "rolled_back", "looks_missed", "complaints", "verdict");
        List<Outcome> outcomes = new ArrayList<>();
        RollingUpgrade.Outcome rolling;
        try (OldCheckout checkout = OldCheckout.of(old, isKept)) {
            Launch before = new Launch(checkout.launcher(), Map.of());
            Launch now = Launch.usual();
            for (List<Launch> cell : List.of(
                    List.of(before, before, before),
                    List.of(before, before, now),
                    List.of(before, now, now),
                    List.of(now, now, before),
                    List.of(now, now, now))) {
                outcomes.add(run(cell));
            }
            Progress.tell("node by node");
            rolling = RollingUpgrade.run(before, now, cellNodes);
        }
        outcomes.forEach(outcome -> table.row(
                outcome.versions(),
                outcome.isSeen() ? "yes" : "no",
                String.join("; ", outcome.moves()),
                Math.round(outcome.rolledBack()),
                Math.round(outcome.missed()),
                outcome.complaints().count(),
                Results.verdict(outcome.isGood())));
        results.heading("Cells").table("cells", table);
        outcomes.forEach(outcome -> results.note(
                outcome.versions() + " complained: " + outcome.complaints().print()));
        rolling(results, rolling);
        options.end(results);
        return rolling.isGood() && outcomes.stream().allMatch(Outcome::isGood) ? 0 : 1;
    }

    private static Outcome run(List<Launch> launches) throws IOException {
        String versions = MixedCell.versions(launches);
        Progress.tell("cell: " + versions);
        List<String> moves = new ArrayList<>();
        double missed = 0;
        double rolledBack = 0;
        try (MixedCell cell = MixedCell.launch("cell-" + versions.replace(' ', '-'), launches)) {
            boolean isSeen = cell.awaitSeen();
            if (isSeen) {
                cell.awaitLease();
                double before = cell.missed(cell.ids());
                moves.addAll(cell.moveThereAndBack(1, MOVED));
                moves.addAll(cell.moveThereAndBack(MOVED, MOVED));
                missed = cell.missed(cell.ids()) - before;
                rolledBack = cell.rolledBack();
            }
            return new Outcome(versions, isSeen, moves, rolledBack, missed, cell.complaints());
        }
    }

    private void rolling(Results results, RollingUpgrade.Outcome outcome) {
        Table table = new Table(
                "replaced",
                "versions",
                "restart_s",
                "unseen_s",
                "most_unknown",
                "looks_missed",
                "moves",
                "rolled_back",
                "verdict");
        outcome.steps()
                .forEach(step -> table.row(
                        "node-" + step.id(),
                        step.versions(),
                        seconds(step.restart()),
                        seconds(step.unseen()),
                        Math.round(step.mostUnknown() * cellNodes) + " of " + cellNodes,
                        Math.round(step.missed()),
                        String.join("; ", step.moves()),
                        Math.round(step.rolledBack()),
                        Results.verdict(step.isGood())));
        results.heading("Node by node, under load")
                .note("All agents are old at first; one after the other is ended as a service manager does (SIGTERM),"
                        + " and a new one started in its place. Restart: from there until it is ready. Unseen: from the"
                        + " first answer of another agent that misses a node until the first of that agent that misses"
                        + " none; they are asked every 20 ms. Looks missed: state.reads.missed of the others until the"
                        + " moves after it have ended. Target: unseen no longer than the restart, never more than one"
                        + " node, all moves done, no request failed.")
                .table("rolling", table);
        Totals load = outcome.load();
        results.note("Clients meanwhile, half of it dynamic, by the targets of whichever agent answers: " + load.sent()
                + " requests, " + load.answered() + " answered, " + load.failed() + " failed "
                + load.failures() + ", " + load.dropped() + " under way at the end: "
                + Results.verdict(outcome.isNothingLost()) + ".");
        results.note("Agents complained: " + outcome.complaints().print());
    }

    private static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%.2f", duration.toMillis() / MILLIS_PER_SECOND);
    }
}
