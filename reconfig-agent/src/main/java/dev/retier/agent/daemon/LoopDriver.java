package dev.retier.agent.daemon;

import dev.retier.agent.command.Answer;
import dev.retier.agent.command.TextDiff;
import dev.retier.agent.config.AgentConfig;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.http.AgentMetric;
import dev.retier.agent.http.AgentMetrics;
import dev.retier.agent.http.TargetBoard;
import dev.retier.agent.journal.Journal;
import dev.retier.agent.loop.AgentLoop;
import dev.retier.agent.loop.LoopEffect;
import dev.retier.agent.loop.LoopEvent;
import dev.retier.agent.loop.Notice;
import dev.retier.agent.loop.Surroundings;
import dev.retier.agent.move.MoveRecord;
import dev.retier.agent.move.MoverEffect;
import dev.retier.agent.observe.ServerProbes;
import dev.retier.agent.observe.StatusPoller;
import dev.retier.agent.observe.VolumeWatch;
import dev.retier.agent.render.Rendering;
import dev.retier.agent.render.TargetList;
import dev.retier.agent.server.ManagedServer;
import dev.retier.agent.status.ServerWatch;
import dev.retier.agent.view.ClusterView;
import dev.retier.agent.view.RoleText;
import dev.retier.link.NodeId;
import dev.retier.state.CasOutcome;
import dev.retier.state.Fence;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.SharedState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;

/**
 * Carries out what the {@link AgentLoop} wants, with RDMA, files and threads. One thread runs it and owns all that it
 * calls; the journal has a thread of its own, so that a disk that stands still holds up no look and no lease.
 */
final class LoopDriver {
    /** At most between two rounds, in which the disk of the journal is looked at, too. */
    private static final long LONGEST_WAIT_NANOS = 200_000_000;

    /** For a question to another agent, while an operator waits. */
    private static final Duration REASON_TIMEOUT = Duration.ofSeconds(2);

    private final AgentConfig config;
    private final SharedState state;
    private final Parts parts;
    private final AgentLoop<Rendering> loop;
    private final Leases leases;
    private final JournalWriter journal;
    private final SmallFiles files;
    private final Tickets tickets = new Tickets();
    private final ServerProbes probes;
    private final BrokenGuarantees broken;
    private final Queue<LoopEvent> mail = new ConcurrentLinkedQueue<>();
    private ServerWatch.@Nullable Sample lastSample;
    private long heard;
    private long wakeNanos;
    private boolean isWakeSet;
    private volatile LoopState shown;
    private volatile long lastTurnNanos = System.nanoTime();
    private volatile long stopByNanos;
    private volatile boolean isStopping;
    private boolean isOver;

    /** What a loop drives. */
    record Parts(
            ManagedServer server,
            StatusPoller poller,
            Journal journal,
            TargetBoard board,
            Narrator narrator,
            AgentMetrics metrics,
            EdgesHeard edges,
            Optional<LoadsTeller> loads,
            VolumeWatch volumes) {}

    LoopDriver(AgentConfig config, SharedState state, AgentLoop<Rendering> loop, Parts parts) {
        this.config = config;
        this.state = state;
        this.loop = loop;
        this.parts = parts;
        this.leases = new Leases(state);
        this.journal = new JournalWriter(config.node(), parts.journal, this::send);
        this.files = new SmallFiles(config.journalDirectory(), System.nanoTime());
        this.probes = new ServerProbes(config.cluster());
        this.broken = new BrokenGuarantees(parts.metrics);
        this.shown = show();
    }

    /** What the loop has come to; any thread. */
    LoopState shown() {
        return shown;
    }

    /** Since when the loop has not gone round, which it does several times a second; any thread. */
    Duration silence() {
        return Duration.ofNanos(System.nanoTime() - lastTurnNanos);
    }

    /** Why moves, pauses or the number of the next start cannot be kept; null when they can. Any thread. */
    @Nullable
    String keepingProblem() {
        String problem = journal.problem();
        return problem == null ? files.problem() : problem;
    }

    /** Operators who wait; any thread. */
    Tickets tickets() {
        return tickets;
    }

    /** Hands an event to the loop; any thread. */
    void send(LoopEvent event) {
        mail.add(event);
        state.wake();
    }

    /** Asks the loop to finish or undo the own move, to let go of the lock, and to end, by then at the latest. */
    void stop(Duration patience) {
        stopByNanos = System.nanoTime() + patience.toNanos();
        isStopping = true;
        send(new LoopEvent.Stopped());
    }

    /** Begins with what the journal has, and goes on until the loop has ended. */
    void run(List<MoveRecord> found) throws InterruptedException {
        try {
            take(new LoopEvent.Started(found));
            while (!isOver && !(isStopping && System.nanoTime() - stopByNanos >= 0)) {
                takeMail();
                if (!isOver) {
                    await();
                }
            }
            if (!isOver) {
                parts.narrator.leavesInItsMove();
            }
        } finally {
            leases.release();
            journal.close();
            tickets.close();
        }
    }

    private void takeMail() {
        lastTurnNanos = System.nanoTime();
        files.retry(lastTurnNanos);
        journal.look(lastTurnNanos);
        String problem = journal.problem();
        parts.narrator.journal(problem);
        parts.poller.isMovable(problem == null);
        ServerWatch.Sample sample = parts.poller.newest();
        if (sample != null && !sample.equals(lastSample) && !parts.poller.isDown()) {
            lastSample = sample;
            take(new LoopEvent.Sampled(sample.status(), sample.askedAtNanos(), sample.isWhole()));
        }
        parts.edges.take().forEach(this::take);
        for (LoopEvent event = mail.poll(); event != null; event = mail.poll()) {
            take(event);
        }
    }

    private void await() throws InterruptedException {
        long waitNanos = Math.min(wakeNanos - System.nanoTime(), LONGEST_WAIT_NANOS);
        long now = waitNanos > 0 ? state.awaitAnnouncement(heard, Duration.ofNanos(waitNanos)) : heard;
        boolean isCalled = now > heard;
        heard = now;
        if (isCalled || wakeNanos - System.nanoTime() <= 0) {
            isWakeSet = false;
            take(new LoopEvent.Woken(surroundings(), isCalled ? state.callers() : Set.of()));
        }
    }

    private Surroundings surroundings() {
        return new Surroundings(state.ownRoleWord(), parts.server.installedStamp(), state.highestTerm());
    }

    /** Takes in an event, carries out what follows from it, and what follows from that. */
    private void take(LoopEvent first) {
        Deque<LoopEvent> events = new ArrayDeque<>();
        events.add(first);
        while (!events.isEmpty()) {
            for (LoopEffect<Rendering> effect : loop.on(events.remove(), System.nanoTime())) {
                LoopEvent answer = carryOut(effect);
                if (answer != null) {
                    events.add(answer);
                }
            }
        }
        shown = show();
    }

    private LoopState show() {
        return new LoopState(
                loop.view(),
                loop.history(),
                loop.config(),
                loop.shadow(),
                loop.isHolding(),
                loop.isClusterPaused(),
                loop.isPausedHere(),
                loop.stampOnDisk(),
                loop.isFileTaken(),
                System.nanoTime());
    }

    /** The answer, if there is one at once. */
    private @Nullable LoopEvent carryOut(LoopEffect<Rendering> effect) {
        return switch (effect) {
            case LoopEffect.Look<Rendering> _ -> look();
            case LoopEffect.Glance<Rendering>(var nodes) -> new LoopEvent.Glanced(surroundings(), state.look(nodes));
            case LoopEffect.TryLock<Rendering>(var site) -> leases.tryLock(site);
            case LoopEffect.Fence<Rendering>(var sites) -> leases.fence(sites);
            case LoopEffect.Order<Rendering>(var orders) -> new LoopEvent.Ordered(order(orders));
            case LoopEffect.Renew<Rendering> _ -> leases.renew();
            case LoopEffect.SetWord<Rendering>(var expected, var next) ->
                new LoopEvent.WordSet(state.compareAndSetRole(state.self(), expected, next));
            case LoopEffect.Install<Rendering>(Rendering file) -> install(file);
            case LoopEffect.Keep<Rendering> keep -> keep(keep);
            case LoopEffect.Release<Rendering> _ -> done(leases::release);
            case LoopEffect.Mend<Rendering>(long bits, RoleWord next) -> done(() -> state.mendOwnRole(bits, next));
            case LoopEffect.Append<Rendering>(MoveRecord entry) -> done(() -> journal.append(entry));
            case LoopEffect.Prove<Rendering> prove -> done(() -> prove(prove));
            case LoopEffect.Probe<Rendering>(var nodes) -> done(() -> probes.probe(nodes, this::lastRole));
            case LoopEffect.Declare<Rendering>(var digest) -> done(() -> state.digest(digest));
            case LoopEffect.Announce<Rendering> _ -> done(state::announce);
            case LoopEffect.Wake<Rendering>(var nodes) -> done(() -> state.announce(nodes));
            case LoopEffect.Hurry<Rendering>(long nanos, boolean isForPage) ->
                done(() -> parts.poller.hurry(Duration.ofNanos(nanos), isForPage));
            case LoopEffect.Publish<Rendering>(var word) -> done(() -> parts.poller.operatorWord(word.encode()));
            case LoopEffect.Outgrow<Rendering>(long term) -> done(() -> outgrow(term));
            case LoopEffect.Post<Rendering>(TargetList list) -> done(() -> post(list));
            case LoopEffect.Compare<Rendering> compare -> done(() -> compare(compare));
            case LoopEffect.Reply<Rendering>(long ticket, Answer answer) -> done(() -> reply(ticket, answer));
            case LoopEffect.Explain<Rendering> explain -> done(() -> explain(explain));
            case LoopEffect.Tell<Rendering>(var notice) -> done(() -> tell(notice));
            case LoopEffect.Await<Rendering>(long nanos) -> done(() -> wakeIn(nanos));
            case LoopEffect.End<Rendering> _ -> done(() -> isOver = true);
        };
    }

    /** However often other events come meanwhile. */
    private void wakeIn(long nanos) {
        long wantedNanos = System.nanoTime() + nanos;
        wakeNanos = isWakeSet && wakeNanos - wantedNanos < 0 ? wakeNanos : wantedNanos;
        isWakeSet = true;
    }

    private static @Nullable LoopEvent done(Runnable action) {
        action.run();
        return null;
    }

    private void tell(Notice notice) {
        parts.narrator.tell(notice);
        if (notice instanceof Notice.Seen(ClusterView view)) {
            broken.seen(loop.config(), loop.history(), System.nanoTime());
            parts.loads.ifPresent(loads -> loads.tell(loop.config(), view));
        }
    }

    private LoopEvent look() {
        long begunNanos = System.nanoTime();
        var readings = state.look();
        parts.metrics.time(AgentMetric.LOOK_DURATION, Duration.ofNanos(System.nanoTime() - begunNanos));
        return new LoopEvent.Looked(
                surroundings(),
                readings,
                probes.newest(),
                state.differing(),
                parts.volumes.newest().holding(),
                leases.areSafe());
    }

    private LoopEvent install(Rendering file) {
        try {
            parts.server.install(file);
            return new LoopEvent.Installed(null);
        } catch (IOException e) {
            return new LoopEvent.Installed(e.toString());
        }
    }

    private Map<NodeId, CasOutcome> order(List<MoverEffect.Ordering> orders) {
        Map<NodeId, Fence.Change> changes = new TreeMap<>();
        orders.forEach(order -> changes.put(order.move().node(), new Fence.Change(order.expected(), order.next())));
        return state.compareAndSetRoles(changes);
    }

    private LoopEvent keep(LoopEffect.Keep<Rendering> keep) {
        boolean isForced = keep.ticket() == 0;
        return new LoopEvent.Kept(
                keep.ticket(), files.keep(keep.cluster(), keep.isPausedHere(), isForced, System.nanoTime()));
    }

    /** In the middle of a move either of two servers may be the one. */
    private Optional<Role> lastRole(NodeId node) {
        return shown.view()
                .word(node)
                .filter(word -> word.phase() == RoleWord.Phase.ACTIVE)
                .map(RoleWord::to);
    }

    private void outgrow(long term) {
        try {
            files.outgrow(term, System.nanoTime());
        } catch (IOException e) {
            parts.narrator.cannotOutgrow(e);
        }
    }

    private void prove(LoopEffect.Prove<Rendering> prove) {
        Duration timeout = loop.config().move().proveDeadline();
        Thread.ofVirtual()
                .name("retier-prove-" + config.node().name())
                .start(() -> send(new LoopEvent.Proved(
                        prove.order(),
                        ServerProbes.objection(loop.config(), config.node(), prove.role(), prove.stamp(), timeout)
                                .orElse(null))));
    }

    private void explain(LoopEffect.Explain<Rendering> explain) {
        NodeConfig node = config.cluster().node(explain.node());
        Thread.ofVirtual()
                .name("retier-explain-" + config.node().name())
                .start(() -> tickets.reply(
                        explain.ticket(),
                        Reasons.added(
                                explain.answer(),
                                node,
                                explain.order(),
                                REASON_TIMEOUT,
                                config.cluster().admin())));
    }

    private void post(TargetList list) {
        if (parts.board.post(list)) {
            parts.narrator.targets(list);
        }
    }

    /** Whoever is answered, and looks, finds what the answer says. */
    private void reply(long ticket, Answer answer) {
        shown = show();
        tickets.reply(ticket, answer);
    }

    /** What writing this file would change on disk. */
    private void compare(LoopEffect.Compare<Rendering> compare) {
        tickets.reply(compare.ticket(), difference(compare.role(), compare.file()));
    }

    private Answer difference(Role role, Rendering next) {
        Path file = config.node().server(role).roleFile();
        try {
            String onDisk = Files.exists(file) ? Files.readString(file) : "";
            List<String> lines = TextDiff.of(onDisk, next.content());
            Answer answer = Answer.of(lines.isEmpty() ? Answer.Outcome.DONE : Answer.Outcome.CHANGES);
            answer.body().put("node", config.node().name()).put("role", RoleText.of(role, config.cluster()));
            answer.body().put("file", file.toString()).put("stamp", next.stamp());
            ArrayNode shown = answer.body().putArray("lines");
            lines.forEach(shown::add);
            return answer;
        } catch (IOException e) {
            return Answer.of(Answer.Outcome.FAILED, file + ": " + e);
        }
    }
}
