package dev.retier.cli.demo;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.Mode;
import dev.retier.agent.view.NodeView;
import dev.retier.cli.terminal.Screen;
import dev.retier.cli.view.Frame;
import dev.retier.cli.view.Frame.NodeCell;
import dev.retier.cli.view.Frame.Place;
import dev.retier.cli.view.FrameBlock;
import dev.retier.cli.view.PlainLines;
import dev.retier.link.ReservedPorts;
import dev.retier.load.drive.LoadPlan;
import dev.retier.load.drive.LoadRun;
import dev.retier.load.drive.LoadSnapshot;
import dev.retier.load.report.LoadResult;
import dev.retier.load.target.source.AgentAccess;
import dev.retier.load.target.source.TargetSource;
import dev.retier.sim.model.Split;
import dev.retier.state.LoadRecord;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.Tier;
import dev.retier.traces.Trace;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** One pass over the trace on a data-center of its own. */
final class Pass {
    private static final Duration FRAME_INTERVAL = Duration.ofMillis(250);
    private static final double MILLIS_PER_SECOND = 1e3;

    private final DemoSettings settings;
    private final Trace trace;
    private final int loops;
    private final Surroundings surroundings;
    private final Screen screen;

    /**
     * What every pass has.
     *
     * @param screen for what happens
     * @param ports {@value DemoCluster#PORTS_PER_NODE} for each node, the same for each pass: a page that shows the
     *     agents of one goes on with those of the next
     * @param started hears where the first agent serves its page, once that runs
     */
    record Surroundings(Screen screen, ReservedPorts ports, Consumer<URI> started) {}

    Pass(DemoSettings settings, Trace trace, int loops, Surroundings surroundings) {
        this.settings = settings;
        this.trace = trace;
        this.loops = loops;
        this.surroundings = surroundings;
        this.screen = surroundings.screen();
    }

    /**
     * Starts the data-center in {@code split}, sends the whole trace, and closes everything again.
     *
     * @param mode OBSERVE for a rigid pass
     * @param directory an empty folder for this pass alone
     */
    PassResult run(String name, Split split, Mode mode, Path directory) throws InterruptedException {
        return run(name, split, DemoCluster.of(settings, split, mode, directory, surroundings.ports()), directory);
    }

    private PassResult run(String name, Split split, ClusterConfig cluster, Path directory)
            throws InterruptedException {
        Chronicle chronicle = new Chronicle(cluster, screen::say);
        List<Closure> closures = cluster.mode() == Mode.ACT ? new ArrayList<>(settings.closures()) : new ArrayList<>();
        try (DataCenter dataCenter = DataCenter.start(cluster, DemoSettings.COSTS, directory, chronicle)) {
            LoadPlan plan = LoadPlan.of(
                            DemoCluster.SITE_NAME, trace, TargetSource.agents(dataCenter.agentUrls(), AgentAccess.OPEN))
                    .withClients(settings.clients())
                    .withConnections(settings.connections())
                    .withLoops(loops)
                    .build();
            surroundings.started().accept(dataCenter.agentUrls().getFirst());
            chronicle.begin(split, System.nanoTime());
            try (LoadRun run = LoadRun.start(plan)) {
                while (!run.await(FRAME_INTERVAL)) {
                    LoadSnapshot now = run.snapshot();
                    closeDue(closures, now, dataCenter, chronicle);
                    Frame frame = frame(name, now, dataCenter);
                    screen.show(FrameBlock.lines(frame), List.of(PlainLines.line(frame)));
                }
                chronicle.end();
                return result(name, split, run.result(), chronicle);
            }
        }
    }

    private static PassResult result(String name, Split split, LoadResult load, Chronicle chronicle) {
        return new PassResult(name, split, load, chronicle.sizes(), chronicle.moves(), chronicle.incidents());
    }

    private static void closeDue(List<Closure> closures, LoadSnapshot now, DataCenter dataCenter, Chronicle chronicle) {
        List<Closure> due = closures.stream()
                .filter(closure -> closure.seconds() <= now.elapsedMillis() / MILLIS_PER_SECOND)
                .toList();
        closures.removeAll(due);
        for (Closure closure : due) {
            String part = closure.part().name().toLowerCase(Locale.ROOT).replace('_', '-');
            boolean closed = dataCenter.close(closure);
            chronicle.incident(
                    part + " of node-" + closure.node() + (closed ? " closed" : " not closed: it is gone or the last"),
                    System.nanoTime());
        }
    }

    private static Frame frame(String name, LoadSnapshot now, DataCenter dataCenter) {
        Double progress = now.progressShare();
        return new Frame(
                name,
                now.elapsedMillis() / MILLIS_PER_SECOND,
                progress == null ? 0 : progress,
                now.kind().name().toLowerCase(Locale.ROOT),
                now.staticPerSecond(),
                now.dynamicPerSecond(),
                now.totals().failed(),
                dataCenter.view().nodes().values().stream()
                        .map(node -> cell(dataCenter.cluster(), node))
                        .toList());
    }

    private static NodeCell cell(ClusterConfig cluster, NodeView node) {
        String name = cluster.node(node.id()).name();
        return switch (node) {
            case NodeView.Known(var _, RoleWord word, LoadRecord load, boolean _, boolean _)
            when node.isServing() -> new NodeCell(name, place(word), load.utilisation());
            case NodeView.Known _ -> new NodeCell(name, Place.DOWN, 0);
            case NodeView.Silent silent when silent.isServing() -> new NodeCell(name, place(silent.lastWord()), 0);
            case NodeView.Silent _, NodeView.NeverSeen _ -> new NodeCell(name, Place.DOWN, 0);
        };
    }

    private static Place place(RoleWord word) {
        if (word.phase() == RoleWord.Phase.ORDERED) {
            return Place.MOVING;
        }
        return switch (word.to()) {
            case Role.Spare _, Role.Drained _ -> Place.SPARE;
            case Role.Serving(var _, Tier tier) -> tier == Tier.PROXY ? Place.PROXY : Place.APP;
        };
    }
}
