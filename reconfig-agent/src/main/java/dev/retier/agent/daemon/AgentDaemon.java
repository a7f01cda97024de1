package dev.retier.agent.daemon;

import dev.retier.agent.ReconfigException;
import dev.retier.agent.config.AgentConfig;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.ConfigChange;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.control.ControlServer;
import dev.retier.agent.decide.CompletedMove;
import dev.retier.agent.decide.ManualMoves.OwnPast;
import dev.retier.agent.event.AgentListener;
import dev.retier.agent.files.ServerTemplates;
import dev.retier.agent.http.AdminServer;
import dev.retier.agent.http.AgentMetrics;
import dev.retier.agent.http.TargetBoard;
import dev.retier.agent.journal.Journal;
import dev.retier.agent.move.MovePhase;
import dev.retier.agent.move.MoveRecord;
import dev.retier.agent.observe.ServerProbes;
import dev.retier.agent.observe.StatusPoller;
import dev.retier.agent.render.TargetList;
import dev.retier.agent.server.ManagedServer;
import dev.retier.agent.server.ManagedServers;
import dev.retier.agent.view.ClusterView;
import dev.retier.config.HostPort;
import dev.retier.link.NodeId;
import dev.retier.state.SharedState;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All parts of one running agent, put together. Thread-safe. */
public final class AgentDaemon implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("dev.retier.agent");

    private final TargetBoard board = new TargetBoard();
    private final Watcher watcher;
    private final ManagedServer managed;
    private final StatusPoller poller;
    private final Journal journal;
    private final ControlLoop loop;
    private final StatusPage page;
    private final AdminServer server;
    private final Optional<ControlServer> control;
    private final Thread thread;
    private final AtomicBoolean isClosed = new AtomicBoolean();
    private final LiveConfig live;

    private AgentDaemon(AgentConfig config, SharedState state, AgentListener listener) {
        ClusterConfig cluster = config.cluster();
        NodeConfig node = config.node();
        AgentMetrics metrics = new AgentMetrics();
        List<MoveRecord> found = Journal.read(config.journalDirectory());
        this.journal = Journal.open(config.journalDirectory(), Journal.MAX_FILE_BYTES, Clock.systemUTC());
        this.live = new LiveConfig(cluster);
        this.watcher = new Watcher(state, live, new ServerProbes(cluster));
        this.managed = ManagedServers.open(node.name(), node.server(), new InstallerTold(node.name(), metrics));
        this.poller = new StatusPoller(node, cluster.timing(), state, managed);
        Narrator narrator = new Narrator(config, listener, metrics);
        Follower follower = new Follower(
                cluster,
                node,
                new Follower.Parts(
                        managed, ServerTemplates.nodeFiles(cluster, node), poller, board, narrator, metrics));
        OperatorNotes notes = OperatorNotes.read(node.name(), config.journalDirectory());
        MoverDriver mover = new MoverDriver(
                live, state, new MoverDriver.Parts(watcher, narrator, metrics, notes, past(found, config.self())));
        Operations operations =
                new Operations(live, config.self(), new Operations.Parts(watcher, mover, follower, notes));
        VictimDriver victim = new VictimDriver(
                live, node, state, new VictimDriver.Parts(watcher, follower, poller, journal, narrator, metrics));
        this.loop = new ControlLoop(
                node.name(),
                state,
                live,
                new ControlLoop.Parts(watcher, mover, victim, follower, narrator, poller, operations, notes),
                metrics);
        this.page =
                new StatusPage(config, live, new StatusPage.Parts(watcher, follower, narrator, mover, poller, notes));
        Gauges.register(metrics, config, new Gauges.Parts(live, watcher, mover, follower, loop));
        Gauges.registerState(metrics, state);
        this.server = listen(node, metrics);
        this.control = control(config, operations);
        this.thread = Thread.ofPlatform()
                .name("retier-agent-" + node.name())
                .daemon()
                .unstarted(() -> {
                    watcher.look();
                    victim.recover(found);
                    loop.run();
                });
    }

    private static OwnPast past(List<MoveRecord> journal, NodeId self) {
        return new OwnPast(
                self,
                journal.reversed().stream()
                        .filter(entry -> entry.phase() == MovePhase.ACTIVE)
                        .findFirst()
                        .map(MoveRecord::word)
                        .map(order -> new CompletedMove(self, order.from(), order.to(), order.epoch())));
    }

    private AdminServer listen(NodeConfig node, AgentMetrics metrics) {
        try {
            return AdminServer.start(node.agentAdmin(), node.name(), board, page, metrics);
        } catch (ReconfigException e) {
            journal.close();
            throw e;
        }
    }

    /** Without it nobody can command this agent, but it does all else. */
    private static Optional<ControlServer> control(AgentConfig config, Operations operations) {
        try {
            return Optional.of(ControlServer.start(
                    config.node().name(), config.controlSocket(), (command, _) -> operations.ask(command)));
        } catch (IOException e) {
            LOG.warn("{}: no operator can command this agent: {}", config.node().name(), e.toString());
            return Optional.empty();
        }
    }

    /** Starts an agent; its threads run until it is closed. */
    public static AgentDaemon start(AgentConfig config, SharedState state, AgentListener listener) {
        AgentDaemon daemon = new AgentDaemon(config, state, listener);
        daemon.managed.start();
        daemon.poller.start();
        daemon.thread.start();
        return daemon;
    }

    /**
     * Takes over a new version of the cluster file before the next round, unless a part of it needs a restart: then
     * nothing changes.
     *
     * @return what has changed, and what forbids it
     */
    public ConfigChange reconfigure(ClusterConfig next) {
        ConfigChange change = ConfigChange.between(live.cluster(), next);
        if (change.restart().isEmpty()) {
            live.offer(next);
        }
        return change;
    }

    /** The newest view. */
    public ClusterView view() {
        return watcher.view();
    }

    /** The newest targets of a site, by name; empty before any proxy of it was seen. */
    public Optional<TargetList> targets(String site) {
        return board.newest(site);
    }

    /** Whether all checks of {@code /readyz} pass. */
    public boolean isReady() {
        return page.readiness().stream().allMatch(check -> check.isGood());
    }

    /** What {@code /v1/status} serves. */
    public String statusJson() {
        return page.statusJson();
    }

    /** Where the admin API listens. */
    public HostPort adminAddress() {
        return server.address();
    }

    /** Finishes or undoes the own move, lets go of the lock, says that it is leaving, and stops listening. */
    @Override
    public void close() {
        if (!isClosed.compareAndSet(false, true)) {
            return;
        }
        Duration patience = live.cluster().move().total();
        loop.stop(patience);
        try {
            thread.join(patience.plusSeconds(1));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        control.ifPresent(ControlServer::close);
        poller.close();
        managed.close();
        server.close();
        journal.close();
    }
}
