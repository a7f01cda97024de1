package dev.retier.sim.cluster;

import dev.retier.agent.command.Answer;
import dev.retier.agent.config.ServerKind;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.loop.AgentLoop;
import dev.retier.agent.loop.LoopEffect;
import dev.retier.agent.loop.LoopEvent;
import dev.retier.agent.loop.Memory;
import dev.retier.agent.loop.Notice;
import dev.retier.agent.loop.Surroundings;
import dev.retier.agent.move.MovePhase;
import dev.retier.agent.move.MoveRecord;
import dev.retier.agent.render.AppLoads;
import dev.retier.agent.render.EdgeWord;
import dev.retier.agent.render.LetGo;
import dev.retier.agent.render.Shares;
import dev.retier.agent.render.TargetList;
import dev.retier.agent.view.ClusterView;
import dev.retier.agent.view.Ground;
import dev.retier.agent.view.Probes;
import dev.retier.agent.view.RoleText;
import dev.retier.link.NodeId;
import dev.retier.sim.service.Plan;
import dev.retier.sim.service.Station;
import dev.retier.sim.time.Round;
import dev.retier.sim.time.VirtualTime;
import dev.retier.state.CasOutcome;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.SlotReading;
import dev.retier.state.Tier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * One life of one agent: carries out in virtual time what its {@link AgentLoop} wants, as {@code LoopDriver} does with
 * threads, files and RDMA. Not thread-safe.
 */
final class Agent {
    private final Cluster cluster;
    private final Node node;
    private final double clockRate;
    private final AgentLoop<PlanFile> loop;
    private final Locks locks;
    private final Poller poller;
    private final Eyes eyes;
    private final Disk disk;
    private final Errand errand;
    private final Map<String, TargetList> targets = new HashMap<>();
    private final Deque<LoopEvent> events = new ArrayDeque<>();
    private Probes probes = Probes.NONE;
    private final List<LoopEvent> commands = new ArrayList<>();
    private boolean isStarted;
    private boolean isTaking;
    private long wakeNumber;
    private boolean isWaiting;
    private final Set<NodeId> callers = new HashSet<>();
    private boolean isOver;
    private long pausedUntilNanos;

    /** An agent whose clock runs at {@code clockRate} of the true time. */
    Agent(Cluster cluster, Node node, double clockRate) {
        this.cluster = cluster;
        this.node = node;
        this.clockRate = clockRate;
        this.loop =
                new AgentLoop<>(id(), cluster.config(), this::file, new Memory(node.pause, node.isPausedHere, false));
        this.locks = new Locks(this);
        this.poller = new Poller(this);
        this.eyes = new Eyes(this, locks);
        this.disk = new Disk(this);
        this.errand = new Errand(node.index, cluster);
    }

    private Optional<PlanFile> file(ClusterView view, Shares shares, Role role, long stamp) {
        boolean isProxy = role instanceof Role.Serving(var _, Tier tier) && tier == Tier.PROXY;
        List<NodeId> apps = isProxy ? Ground.apps(view, role) : List.of();
        boolean isPossible = node.config.canServe(role) && (!isProxy || !apps.isEmpty());
        Plan plan = new Plan(
                stamp, role, apps.stream().map(cluster::index).toList(), isProxy ? shares.letGo() : LetGo.NONE);
        return isPossible
                ? Optional.of(new PlanFile(
                        plan,
                        RoleText.tier(role),
                        RoleText.site(role, cluster.config()).orElse(null)))
                : Optional.empty();
    }

    /** Begins {@code delayNanos} from now: agents are not started at one moment. */
    void start(long delayNanos) {
        later(delayNanos, () -> {
            isStarted = true;
            poller.start();
            take(new LoopEvent.Started(List.copyOf(node.journal)));
            commands.forEach(this::take);
        });
    }

    /** What an operator commands; one that comes before the agent has begun waits. */
    void command(LoopEvent.Commanded command) {
        now(() -> {
            if (isStarted) {
                take(command);
            } else {
                commands.add(command);
            }
        });
    }

    /** An edge tells what it runs; returns whether this agent has begun, and so hears it, be it later. */
    boolean told(EdgeWord word) {
        if (isStarted) {
            now(() -> take(new LoopEvent.EdgeTold(word)));
        }
        return isStarted;
    }

    /** Asks it to finish or undo what it has begun, and to end. */
    void stop() {
        now(() -> take(new LoopEvent.Stopped()));
    }

    /** Nothing that it has begun goes on. */
    void end() {
        isOver = true;
    }

    Cluster cluster() {
        return cluster;
    }

    Node node() {
        return node;
    }

    NodeId id() {
        return node.config.id();
    }

    ClusterView view() {
        return loop.view();
    }

    AgentLoop<PlanFile> loop() {
        return loop;
    }

    VirtualTime time() {
        return cluster.time();
    }

    /** The own monotonic clock. */
    long clock() {
        return clockRate == 1 ? time().nowNanos() : (long) (time().nowNanos() * clockRate);
    }

    long hopNanos() {
        return cluster.delays().hopNanos();
    }

    long deadlineNanos() {
        return cluster.config().timing().readDeadline().toNanos();
    }

    /** Nothing goes on until then; its memory can be read and changed meanwhile. */
    void pause(long untilNanos) {
        pausedUntilNanos = untilNanos;
    }

    boolean isPaused() {
        return pausedUntilNanos > time().nowNanos();
    }

    /** Does {@code action} after that time of its own clock, unless this life has ended by then. */
    void later(long delayNanos, Runnable action) {
        time().after(clockRate == 1 ? delayNanos : (long) Math.ceil(delayNanos / clockRate), () -> now(action));
    }

    private void now(Runnable action) {
        long leftNanos = pausedUntilNanos - time().nowNanos();
        if (isOver) {
            return;
        }
        if (leftNanos > 0) {
            time().after(leftNanos, () -> now(action));
        } else {
            action.run();
        }
    }

    /** A one-sided operation on another slot, or on the own one through its own queue pair. */
    <T> void call(int target, Function<Slot, T> effect, Consumer<T> reply) {
        cluster.traffic().worded(1);
        cluster.fabric().call(node.index, target, effect, result -> now(() -> reply.accept(result)));
    }

    /** Somebody has announced something: look at it. */
    void heard(NodeId caller) {
        now(() -> {
            callers.add(caller);
            eyes.called();
            if (isWaiting) {
                wake();
            }
        });
    }

    /** The server runs its newest file, or has refused it. Where it is asked to by the agent, that knows of it. */
    void cameOut() {
        if (node.tellsOfFiles()) {
            now(poller::lookNow);
        }
    }

    private void wake() {
        isWaiting = false;
        wakeNumber++;
        Set<NodeId> called = new TreeSet<>(callers);
        callers.clear();
        take(new LoopEvent.Woken(surroundings(), called));
    }

    private Surroundings surroundings() {
        return new Surroundings(new RoleWord.Valid(node.slot.word()), 0, locks.highestTerm());
    }

    /** Takes in an event, carries out what follows from it, and what follows at once from that. */
    void take(LoopEvent event) {
        events.add(event);
        if (isTaking) {
            return;
        }
        isTaking = true;
        while (!events.isEmpty() && !isOver) {
            LoopEvent next = events.remove();
            errand.answered(next);
            for (LoopEffect<PlanFile> effect : loop.on(next, clock())) {
                errand.begun(effect);
                carryOut(effect);
            }
        }
        isTaking = false;
        errand.judge(isWaiting || isOver);
    }

    private void carryOut(LoopEffect<PlanFile> effect) {
        switch (effect) {
            case LoopEffect.Look<PlanFile> _ -> eyes.look(this::looked);
            case LoopEffect.Glance<PlanFile>(var nodes) -> eyes.glance(nodes, this::glanced);
            case LoopEffect.Probe<PlanFile>(var nodes) -> probe(nodes);
            case LoopEffect.TryLock<PlanFile>(var site) -> locks.tryLock(site, this::take);
            case LoopEffect.Fence<PlanFile>(var sites) -> locks.fence(sites, this::take);
            case LoopEffect.Order<PlanFile> order -> locks.order(order, this::take);
            case LoopEffect.Renew<PlanFile> _ -> locks.renew(this::take);
            case LoopEffect.Release<PlanFile> _ -> locks.release();
            case LoopEffect.SetWord<PlanFile>(var expected, var next) -> setWord(expected, next);
            case LoopEffect.Mend<PlanFile>(long bits, RoleWord next) -> node.slot.mend(bits, next);
            case LoopEffect.Append<PlanFile>(MoveRecord entry) -> disk.append(entry);
            case LoopEffect.Install<PlanFile>(PlanFile file) -> disk.install(file);
            case LoopEffect.Prove<PlanFile>(RoleWord order, var _, long stamp) -> prove(order, stamp);
            case LoopEffect.Declare<PlanFile> _ -> {} // all agents have one configuration
            case LoopEffect.Announce<PlanFile> _ -> later(hopNanos(), () -> cluster.announced(node.index));
            case LoopEffect.Wake<PlanFile>(var nodes) -> later(hopNanos(), () -> cluster.announced(node.index, nodes));
            case LoopEffect.Hurry<PlanFile> hurry -> poller.hurry(hurry.nanos(), hurry.isForPage());
            case LoopEffect.Publish<PlanFile>(var word) -> poller.operatorWord(word.encode());
            case LoopEffect.Keep<PlanFile> keep -> disk.keep(keep);
            case LoopEffect.Outgrow<PlanFile>(long term) -> disk.outgrow(term);
            case LoopEffect.Post<PlanFile>(TargetList list) -> targets.put(list.site(), list);
            case LoopEffect.Compare<PlanFile> compare ->
                cluster.listener().answered(node.index, compare.ticket(), Answer.of(Answer.Outcome.CHANGES));
            case LoopEffect.Reply<PlanFile>(long ticket, Answer answer) ->
                cluster.listener().answered(node.index, ticket, answer);
            case LoopEffect.Explain<PlanFile> explain ->
                cluster.listener().answered(node.index, explain.ticket(), explain.answer());
            case LoopEffect.Tell<PlanFile>(Notice notice) -> tell(notice);
            case LoopEffect.Await<PlanFile>(long nanos) -> await(nanos);
            case LoopEffect.End<PlanFile> _ -> cluster.left(node.index);
        }
    }

    private void await(long nanos) {
        isWaiting = true;
        long own = ++wakeNumber;
        later(callers.isEmpty() ? nanos : 0, () -> {
            if (isWaiting && own == wakeNumber) {
                wake();
            }
        });
    }

    private void looked(Map<NodeId, SlotReading> readings) {
        take(new LoopEvent.Looked(surroundings(), readings, probes, Set.of(), Set.of(), locks.areSafe()));
        postTargets();
    }

    private void glanced(Map<NodeId, SlotReading> readings) {
        take(new LoopEvent.Glanced(surroundings(), readings));
        postTargets();
    }

    /** The servers of those that are unknown are asked whether they live; the answers count from the next look on. */
    private void probe(List<NodeId> unknown) {
        Set<NodeId> answered = new HashSet<>();
        Set<NodeId> silent = new HashSet<>();
        for (NodeId id : unknown) {
            int index = cluster.index(id);
            boolean isAnswering =
                    cluster.node(index).station.isUp() && cluster.fabric().mayAsk(node.index, index);
            (isAnswering ? answered : silent).add(id);
        }
        probes = unknown.isEmpty() ? Probes.NONE : new Probes(answered, silent, clock());
    }

    private void setWord(RoleWord expected, RoleWord next) {
        Round<CasOutcome> round = new Round<>(
                1,
                answers -> take(new LoopEvent.WordSet(
                        answers.getOrDefault(node.index, new CasOutcome.Unresolved("no answer in time")))));
        call(node.index, slot -> slot.compareAndSet(expected, next), outcome -> round.answered(node.index, outcome));
        later(deadlineNanos(), round::end);
    }

    /** A request to itself is answered by the file in force. */
    private void prove(RoleWord order, long stamp) {
        later(cluster.delays().proveNanos(), () -> {
            boolean isGood = node.station.isUp() && node.station.plan().stamp() >= stamp;
            take(new LoopEvent.Proved(order, isGood ? null : "it answers by an earlier file"));
        });
    }

    private void tell(Notice notice) {
        switch (notice) {
            case Notice.Seen(ClusterView view) -> seen(view);
            case Notice.Decided(var decision) -> cluster.decided(node.index, decision);
            case Notice.MoveOrdered(var move, RoleWord word) ->
                cluster.chronicle().because(word, move.reason());
            case Notice.MoveEnded(var how) -> cluster.listener().finished(node.index, how);
            case Notice.MoveReached(MoveRecord entry, int _, String _) -> reached(entry);
            default -> {} // of the own files and pauses nobody asks
        }
    }

    /** A web-node has the loads of its apps within some 10 ms, which is nothing against their age; others read none. */
    private void seen(ClusterView view) {
        cluster.listener().looked(node.index, view);
        if (node.config.server().kind() != ServerKind.WEB_NODE) {
            return;
        }
        Function<NodeId, Optional<String>> label = id -> Optional.of(Station.label(cluster.index(id)));
        AppLoads.of(view, id(), cluster.config().timing(), label, time().nowNanos())
                .ifPresent(loads -> node.station.hear(loads, time().nowNanos()));
    }

    private void reached(MoveRecord entry) {
        if (entry.phase() == MovePhase.ORDERED) {
            cluster.chronicle().ordered(id(), entry.word(), cluster.seconds());
            return;
        }
        cluster.listener().reached(node.index, entry);
        if (entry.phase().isFinal()) {
            cluster.chronicle().ended(entry.word(), cluster.seconds(), entry.reason());
        }
    }

    /** The edges follow one agent's lists. */
    private void postTargets() {
        if (!cluster.isFollowed(node.index)) {
            return;
        }
        for (SiteConfig site : cluster.config().sites()) {
            TargetList list = targets.get(site.name());
            if (list != null) {
                cluster.edge(site.id()).offered(this, list);
            }
        }
    }
}
