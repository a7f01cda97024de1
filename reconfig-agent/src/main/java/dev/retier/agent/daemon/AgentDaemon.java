package dev.retier.agent.daemon;

import dev.retier.agent.ReconfigException;
import dev.retier.agent.access.Caller;
import dev.retier.agent.access.CallerRole;
import dev.retier.agent.apply.LoadsFile;
import dev.retier.agent.command.Answer;
import dev.retier.agent.command.Command;
import dev.retier.agent.config.AgentConfig;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.ConfigChange;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.config.ServerKind;
import dev.retier.agent.connect.VolumeServers;
import dev.retier.agent.control.ControlServer;
import dev.retier.agent.doctor.Checkup;
import dev.retier.agent.event.AgentListener;
import dev.retier.agent.files.ServerTemplates;
import dev.retier.agent.http.AdminAccess;
import dev.retier.agent.http.AdminServer;
import dev.retier.agent.http.AgentMetric;
import dev.retier.agent.http.AgentMetrics;
import dev.retier.agent.http.EventRing;
import dev.retier.agent.http.TargetBoard;
import dev.retier.agent.journal.Journal;
import dev.retier.agent.loop.AgentLoop;
import dev.retier.agent.loop.LoopEvent;
import dev.retier.agent.loop.Memory;
import dev.retier.agent.move.MoveRecord;
import dev.retier.agent.move.Recovery;
import dev.retier.agent.observe.StatusPoller;
import dev.retier.agent.observe.VolumeWatch;
import dev.retier.agent.render.NodeFiles;
import dev.retier.agent.render.Rendering;
import dev.retier.agent.render.TargetList;
import dev.retier.agent.server.ManagedServer;
import dev.retier.agent.server.ManagedServers;
import dev.retier.agent.status.Finding;
import dev.retier.agent.view.ClusterView;
import dev.retier.config.HostPort;
import dev.retier.state.RoleWord;
import dev.retier.state.RoleWord.Phase;
import dev.retier.state.SharedState;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All parts of one running agent, put together. Thread-safe. */
public final class AgentDaemon implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("dev.retier.agent");

    /** A move has its own deadlines; this is for the lock and two looks before it. */
    private static final Duration ORDERING = Duration.ofSeconds(10);

    /** From where a command comes that comes by it, in place of an address. */
    private static final String CONTROL_SOCKET = "control socket";

    private final AgentConfig config;
    private final TargetBoard board = new TargetBoard();
    private final ManagedServer managed;
    private final StatusPoller poller;
    private final Optional<LoadsFile> loads;
    private final VolumeWatch volumes;
    private final LoopDriver loop;
    private final Checkup checkup;
    private final CommandDesk commands;
    private final StatusPage page;
    private final AdminServer server;
    private final Optional<ControlServer> control;
    private final Thread thread;
    private final AtomicBoolean isClosed = new AtomicBoolean();
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private final AtomicReference<ClusterConfig> newest;

    private AgentDaemon(AgentConfig config, SharedState state, AgentListener listener) {
        this.config = config;
        ClusterConfig cluster = config.cluster();
        NodeConfig node = config.node();
        AgentMetrics metrics = new AgentMetrics();
        this.newest = new AtomicReference<>(cluster);
        this.volumes = new VolumeWatch(
                node.name(),
                VolumeServers.open(cluster),
                () -> newest.get().timing().sensitivity());
        List<MoveRecord> found = Journal.read(config.journalDirectory());
        PauseFile pauses = PauseFile.read(config.journalDirectory());
        Journal journal = Journal.open(config.journalDirectory(), Journal.MAX_FILE_BYTES, Clock.systemUTC());
        NodeFiles files = ServerTemplates.nodeFiles(cluster, node);
        RoleWord word = Recovery.initialWord(found, node.initialRole());
        this.managed = ManagedServers.open(
                config,
                word.phase() == Phase.ACTIVE ? word.to() : word.from(),
                files,
                new InstallerTold(node.name(), metrics, this::examineSoon, this::lookNow));
        this.poller = new StatusPoller(node, cluster.timing(), state, managed, heard(metrics, state));
        String life = life();
        Narrator narrator = new Narrator(config, listener, metrics, new EventRing(life));
        AgentLoop<Rendering> core = new AgentLoop<>(
                config.self(),
                cluster,
                files::render,
                new Memory(pauses.cluster(), pauses.isPausedHere(), config.isShadow()));
        EdgesHeard edges = new EdgesHeard(node.name(), metrics, state::wake);
        this.loads = loadsFile(node);
        this.loop = new LoopDriver(
                config,
                state,
                core,
                new LoopDriver.Parts(managed, poller, journal, board, narrator, metrics, edges, teller(), volumes));
        this.checkup = new Checkup(config.self(), newest::get, () -> poller.newest() != null);
        this.commands = new CommandDesk(node.name(), config.journalDirectory(), life, narrator.events(), this::obey);
        this.page =
                new StatusPage(config, new StatusPage.Parts(loop, narrator, poller, edges, checkup, volumes, commands));
        Gauges.register(metrics, config, loop);
        metrics.gauge(
                AgentMetric.FINDINGS,
                () -> checkup.newest().stream().filter(Finding::isBad).count());
        Gauges.registerState(metrics, state);
        Gauges.registerVolumes(metrics, cluster, volumes);
        this.server = listen(node, metrics, journal);
        this.control = control(config);
        this.thread =
                Thread.ofPlatform().name("retier-agent-" + node.name()).daemon().unstarted(() -> run(found));
    }

    /** Two lives of one agent do not begin in the same millisecond. */
    private static String life() {
        return Long.toString(System.currentTimeMillis(), Character.MAX_RADIX);
    }

    /** Files of the administrator's may have changed. */
    private void examineSoon() {
        checkup.lookSoon();
    }

    private void lookNow() {
        poller.lookNow();
    }

    /** Only a web-node reads it. */
    private static Optional<LoadsFile> loadsFile(NodeConfig node) {
        return node.server().kind() == ServerKind.WEB_NODE
                ? Optional.of(new LoadsFile(node.name(), node.server().roleFile()))
                : Optional.empty();
    }

    private Optional<LoadsTeller> teller() {
        return loads.map(file -> new LoadsTeller(config.self(), file));
    }

    private StatusPoller.Listener heard(AgentMetrics metrics, SharedState state) {
        return new StatusPoller.Listener() {
            @Override
            public void paged(Duration took) {
                metrics.time(AgentMetric.PAGE_DURATION, took);
            }

            @Override
            public void awaited() {
                state.wake();
            }

            @Override
            public void died(Throwable why) {
                AgentDaemon.this.died(why);
            }
        };
    }

    private void run(List<MoveRecord> found) {
        try {
            loop.run(found);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            died(e);
        }
    }

    /** A thread has ended for a mistake: nothing is true any more of what this agent says. */
    public void died(Throwable why) {
        LOG.error(
                "{}: this agent cannot go on; start it again, and please report this",
                config.node().name(),
                why);
        end.completeExceptionally(new ReconfigException(
                ReconfigException.Category.FATAL,
                config.node().name() + ": a thread of the agent has ended: " + why,
                why));
    }

    /** The journal is the loop's once that has begun. */
    private AdminServer listen(NodeConfig node, AgentMetrics metrics, Journal journal) {
        try {
            return AdminServer.start(
                    node.agentAdmin(), AdminAccess.open(node.name(), newest::get), board, page, metrics);
        } catch (ReconfigException e) {
            journal.close();
            throw e;
        }
    }

    /** Without it nobody can command this agent, but it does all else. */
    private Optional<ControlServer> control(AgentConfig config) {
        try {
            return Optional.of(ControlServer.start(
                    config.node().name(),
                    config.controlSocket(),
                    (command, by) -> commands.carryOut(command, new Caller(by, CallerRole.OPERATOR, CONTROL_SOCKET))));
        } catch (IOException e) {
            LOG.warn("{}: no operator can command this agent: {}", config.node().name(), e.toString());
            return Optional.empty();
        }
    }

    private Answer obey(Command command) throws InterruptedException {
        Duration patience = loop.shown().config().longestMove().plus(ORDERING);
        return loop.tickets().ask(command, patience, loop::send);
    }

    /** Starts an agent; its threads run until it is closed. */
    public static AgentDaemon start(AgentConfig config, SharedState state, AgentListener listener) {
        AgentDaemon daemon = new AgentDaemon(config, state, listener);
        daemon.managed.start();
        daemon.poller.start();
        daemon.volumes.start();
        daemon.thread.start();
        daemon.checkup.start();
        return daemon;
    }

    /**
     * Takes over a new version of the cluster file before the next round, unless a part of it needs a restart: then
     * nothing changes.
     *
     * @return what has changed, and what forbids it
     */
    public ConfigChange reconfigure(ClusterConfig next) {
        ConfigChange change = ConfigChange.between(newest.get(), next);
        if (change.restart().isEmpty()) {
            newest.set(next);
            loop.send(new LoopEvent.Reconfigured(next));
        }
        return change;
    }

    /** The newest view. */
    public ClusterView view() {
        return loop.shown().view();
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
        Duration patience = newest.get().longestMove();
        loop.stop(patience);
        try {
            thread.join(patience.plusSeconds(1));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        control.ifPresent(ControlServer::close);
        checkup.close();
        poller.close();
        volumes.close();
        loads.ifPresent(LoadsFile::close);
        managed.close();
        server.close();
        commands.close();
        var _ = end.complete(null);
    }

    /**
     * Waits until the agent is closed.
     *
     * @throws ReconfigException when one of its threads has ended for a mistake
     */
    public void awaitEnd() throws InterruptedException {
        try {
            end.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof ReconfigException fatal
                    ? fatal
                    : new IllegalStateException("an agent ends with its own exception", e);
        }
    }
}
