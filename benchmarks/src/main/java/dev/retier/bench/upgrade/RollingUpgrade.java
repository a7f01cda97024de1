package dev.retier.bench.upgrade;

import dev.retier.bench.Progress;
import dev.retier.bench.agent.AgentCell.Launch;
import dev.retier.load.drive.LoadPlan;
import dev.retier.load.drive.LoadRun;
import dev.retier.load.measure.Totals;
import dev.retier.load.report.LoadResult;
import dev.retier.load.target.source.AgentAccess;
import dev.retier.load.target.source.TargetSource;
import dev.retier.traces.made.Catalogue;
import dev.retier.traces.made.GeneratedTrace;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One agent after the other is replaced by one of another version, while clients load the site. Stateless. */
final class RollingUpgrade {
    private static final long PLENTY = 100_000_000;
    private static final double DYNAMIC_SHARE = 0.5;
    private static final int CLIENTS = 4;
    private static final Duration END_WITHIN = Duration.ofMinutes(1);
    private static final long SEEN_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(60);

    /**
     * What came of it.
     *
     * @param steps one for each node
     * @param load of the clients, over all of it
     * @param complaints of all agents
     */
    record Outcome(List<Step> steps, Totals load, Complaints complaints) {
        boolean isGood() {
            return steps.stream().allMatch(Step::isGood) && isNothingLost();
        }

        boolean isNothingLost() {
            return load.failed() == 0 && load.answered() > 0;
        }
    }

    /**
     * One agent that was replaced.
     *
     * @param id of its node
     * @param versions that ran then
     * @param restart from its end until the new one was ready
     * @param unseen for how long another agent missed a node
     * @param mostUnknown the largest share of nodes that another agent missed at once
     * @param share that one node is of all
     * @param missed reads of slots without an answer, of the other agents, meanwhile and during the moves
     * @param moves made then, in words
     * @param rolledBack moves that were undone
     */
    record Step(
            int id,
            String versions,
            Duration restart,
            Duration unseen,
            double mostUnknown,
            double share,
            double missed,
            List<String> moves,
            double rolledBack) {
        /** Nobody but the node whose agent is replaced is missed, and that one no longer than it is away. */
        boolean isGood() {
            return unseen.compareTo(restart) <= 0
                    && mostUnknown <= share
                    && rolledBack == 0
                    && moves.stream().allMatch(move -> move.endsWith("done"));
        }
    }

    private RollingUpgrade() {}

    /**
     * Starts {@code nodes} agents by {@code before} and replaces each by one by {@code now}.
     *
     * @throws IOException when a process does not start or an agent does not answer
     */
    static Outcome run(Launch before, Launch now, int nodes) throws IOException {
        try (MixedCell cell = MixedCell.launch("rolling", Collections.nCopies(nodes, before))) {
            if (!cell.awaitSeen()) {
                throw new IOException("the agents of before do not see each other");
            }
            cell.awaitLease();
            try (LoadRun load = LoadRun.start(plan(cell))) {
                List<Step> steps = new ArrayList<>();
                for (int id : cell.ids()) {
                    steps.add(replace(cell, id, now));
                }
                load.stop();
                if (!load.await(END_WITHIN)) {
                    throw new IOException("the load does not end");
                }
                LoadResult result = load.result();
                return new Outcome(steps, result.totals(), cell.complaints());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
        }
    }

    /** Clients as in front of a site: they go by whatever agent answers. */
    private static LoadPlan plan(MixedCell cell) {
        return LoadPlan.of(
                        "shop",
                        GeneratedTrace.mixed(PLENTY, DYNAMIC_SHARE, Catalogue.DEFAULT, 1),
                        TargetSource.agents(
                                cell.ids().stream().map(cell.agents()::agent).toList(), AgentAccess.OPEN))
                .withClients(CLIENTS)
                .build();
    }

    private static Step replace(MixedCell cell, int id, Launch now) throws IOException {
        List<Integer> others = cell.idsBut(id);
        double missedBefore = cell.missed(others);
        Duration restart;
        Watch seen;
        try (Watch watch = Watch.of(cell.agents(), others)) {
            seen = watch;
            long beganNanos = System.nanoTime();
            cell.replace(id, now);
            cell.agents().awaitReady();
            restart = Duration.ofNanos(System.nanoTime() - beganNanos);
            watch.awaitAllKnown(SEEN_WITHIN_NANOS);
        }
        if (!cell.awaitSeen()) {
            throw new IOException("node-" + id + " is not seen again");
        }
        cell.awaitLease();
        String versions = cell.versions();
        Progress.tell("replaced node-" + id + ": " + versions);
        int last = cell.ids().getLast();
        List<String> moves = new ArrayList<>(cell.moveThereAndBack(1, last));
        moves.addAll(cell.moveThereAndBack(last, last - 1));
        return new Step(
                id,
                versions,
                restart,
                Duration.ofNanos(seen.unseenNanos()),
                seen.mostUnknown(),
                1.0 / cell.ids().size(),
                cell.missed(others) - missedBefore,
                moves,
                cell.rolledBack());
    }
}
