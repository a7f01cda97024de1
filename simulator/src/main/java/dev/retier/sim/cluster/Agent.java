package dev.retier.sim.cluster;

import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.decide.History;
import dev.retier.agent.view.ClusterView;
import dev.retier.agent.view.Patience;
import dev.retier.agent.view.Probes;
import dev.retier.agent.view.Sightings;
import dev.retier.link.NodeId;
import dev.retier.sim.time.VirtualTime;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.RoleWord.Phase;
import dev.retier.state.SiteId;
import dev.retier.state.SlotReading;
import dev.retier.state.Tier;
import dev.retier.state.Watch;
import dev.retier.state.slot.Beat;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * One life of one agent: the control loop in virtual time. It looks every S, or at once after an announcement, or
 * closely while a move needs it; follows, decides, and goes on with moves. While an operation is under way the loop
 * waits for it, as the thread of a real one does. Not thread-safe.
 */
final class Agent {
    private static final long BUSY_WAIT_NANOS = 2_000_000;
    private static final long CLOSE_LOOK_NANOS = 4_000_000;
    private static final long WATCHING_LOOK_NANOS = 50_000_000;
    private static final long SETTLING_LOOK_NANOS = 40_000_000;

    private final Cluster cluster;
    private final Node node;
    private final double clockRate;
    private final long sensitivityNanos;
    private final List<Watch<Beat>> heartbeats;
    private final Poller poller;
    private final Follower follower;
    private final VictimRun victim;
    private final MoverRun mover;
    private final Sampler sampler;
    private Sightings sightings = Sightings.none();
    private History history = History.none();
    private ClusterView view = ClusterView.of(List.of());
    private Probes probes = Probes.NONE;
    private long lookDueNanos;
    private long wakeNumber;
    private boolean isWaiting;
    private boolean isAnnounced;
    private boolean isCalled;
    private boolean isOver;
    private long pausedUntilNanos;

    /** An agent whose clock runs at {@code clockRate} of the true time. */
    Agent(Cluster cluster, Node node, double clockRate) {
        this.cluster = cluster;
        this.node = node;
        this.clockRate = clockRate;
        this.sensitivityNanos = cluster.config().timing().sensitivity().toNanos();
        this.heartbeats =
                Stream.generate(Watch<Beat>::new).limit(cluster.size()).toList();
        this.poller = new Poller(this);
        this.follower = new Follower(this);
        this.victim = new VictimRun(this);
        this.mover = new MoverRun(this);
        this.sampler = new Sampler(this, cluster.looks().sampled());
    }

    /** Begins {@code delayNanos} from now: agents are not started at one moment. */
    void start(long delayNanos) {
        later(delayNanos, () -> {
            poller.start();
            read(() -> {
                victim.recover();
                lookDueNanos = time().nowNanos();
                round();
            });
        });
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

    Poller poller() {
        return poller;
    }

    Follower follower() {
        return follower;
    }

    ClusterView view() {
        return view;
    }

    History history() {
        return history;
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

    /** Wakes every agent that is reached. */
    void announce() {
        later(hopNanos(), () -> cluster.announced(node.index));
    }

    /** Somebody has announced something: look. */
    void heard() {
        now(this::lookSoon);
    }

    private void lookSoon() {
        isCalled = true;
        if (isWaiting) {
            lookDueNanos = time().nowNanos();
            wake();
        } else {
            isAnnounced = true;
        }
    }

    /** Goes round now if the loop is idle. */
    void wake() {
        if (isWaiting) {
            isWaiting = false;
            wakeNumber++;
            round();
        }
    }

    private void round() {
        if (time().nowNanos() >= lookDueNanos) {
            look();
        } else {
            goOn();
        }
    }

    private void look() {
        long begunNanos = time().nowNanos();
        cluster.chargeLook(node);
        boolean isQuiet = !isCalled && victim.isIdle() && mover.isIdle() && !follower.isPending();
        isCalled = false;
        if (isQuiet && sampler.mayStandIn(view, history)) {
            sample(() -> {
                lookDueNanos = begunNanos + sensitivityNanos;
                goOn();
            });
        } else {
            lookAtAll(begunNanos);
        }
    }

    /** Reads some slots; looks at all if they are not as before. */
    private void sample(Runnable whenNothing) {
        BitSet slots = sampler.turn();
        later(hopNanos(), () -> {
            Map<NodeId, SlotReading> readings = new HashMap<>();
            slots.stream()
                    .forEach(target -> readings.put(cluster.node(target).config.id(), reading(target)));
            observeLocks();
            later(answerNanos(slots.cardinality()), () -> {
                if (sampler.isNothing(readings, view)) {
                    whenNothing.run();
                } else {
                    lookAtAll(time().nowNanos());
                }
            });
        });
    }

    private void lookAtAll(long begunNanos) {
        read(() -> {
            RoleWord own = node.slot.word();
            if (victim.isIdle() && own.phase() == Phase.ACTIVE) {
                follower.follow(view, own);
            }
            postTargets();
            victim.looked(view);
            mover.looked(isUnsettled -> {
                lookDueNanos = begunNanos + nextLookNanos(isUnsettled);
                goOn();
            });
        });
    }

    private long nextLookNanos(boolean isUnsettled) {
        if (victim.isWaitingForUpstream()) {
            return Math.min(CLOSE_LOOK_NANOS, sensitivityNanos);
        }
        if (mover.isWatching()) {
            return Math.min(WATCHING_LOOK_NANOS, sensitivityNanos);
        }
        return isUnsettled ? Math.min(SETTLING_LOOK_NANOS, sensitivityNanos) : sensitivityNanos;
    }

    private void goOn() {
        boolean wasWaiting = victim.isWaitingForUpstream();
        victim.step();
        if (victim.isWaitingForUpstream() && !wasWaiting) {
            lookDueNanos = time().nowNanos();
        }
        Poller.Sample sample = poller.newest();
        if (sample != null && victim.isIdle()) {
            follower.check(sample);
        }
        if (mover.isWatching()) {
            mover.tick(this::await);
        } else {
            await();
        }
    }

    private void await() {
        if (isAnnounced) {
            isAnnounced = false;
            lookDueNanos = time().nowNanos();
        }
        long leftNanos = Math.max(0, lookDueNanos - time().nowNanos());
        boolean isBusy = !victim.isIdle() || follower.isPending();
        long waitNanos = isBusy ? Math.min(leftNanos, BUSY_WAIT_NANOS) : leftNanos;
        isWaiting = true;
        long own = ++wakeNumber;
        later(waitNanos, () -> {
            if (isWaiting && own == wakeNumber) {
                wake();
            }
        });
    }

    /** Reads all slots; everything that follows speaks of what they had a hop ago. */
    void read(Runnable then) {
        later(hopNanos(), () -> {
            Map<NodeId, SlotReading> readings = new HashMap<>(cluster.size() * 2);
            boolean isLate = false;
            for (int target = 0; target < cluster.size(); target++) {
                SlotReading reading = reading(target);
                isLate |= reading instanceof SlotReading.Unknown(var reason) && reason == SlotReading.Reason.TIMED_OUT;
                readings.put(cluster.node(target).config.id(), reading);
            }
            observeLocks();
            later(isLate ? deadlineNanos() - hopNanos() : answerNanos(cluster.size() - 1), () -> {
                seen(readings);
                then.run();
            });
        });
    }

    /** Until the answers of so many reads are in. */
    private long answerNanos(int slots) {
        cluster.traffic().looked(slots);
        return hopNanos() + slots * cluster.looks().slotNanos();
    }

    private SlotReading reading(int target) {
        if (!cluster.fabric().isConnected(node.index, target)) {
            return new SlotReading.Unknown(SlotReading.Reason.NOT_CONNECTED);
        }
        if (!cluster.fabric().isPrompt(node.index, target) || !cluster.fabric().isPrompt(target, node.index)) {
            return new SlotReading.Unknown(SlotReading.Reason.TIMED_OUT);
        }
        Slot slot = cluster.node(target).slot;
        SlotReading.Known known = slot.read();
        long standingNanos = heartbeats.get(target).observe(new Beat(slot.incarnation(), slot.heartbeat()), clock());
        boolean isStale = standingNanos >= cluster.config().timing().staleness().toNanos();
        return known == null || isStale ? new SlotReading.Unknown(SlotReading.Reason.STALE) : known;
    }

    private void observeLocks() {
        int[] witnesses = cluster.witnesses();
        for (int witness = 0; witness < witnesses.length; witness++) {
            int target = witnesses[witness];
            if (cluster.fabric().isPrompt(node.index, target)
                    && cluster.fabric().isPrompt(target, node.index)) {
                Slot slot = cluster.node(target).slot;
                for (SiteConfig site : cluster.config().sites()) {
                    mover.observe(site.id(), witness, slot.lock(cluster.siteIndex(site.id())));
                }
            }
        }
    }

    private void seen(Map<NodeId, SlotReading> readings) {
        long now = clock();
        Patience patience = Patience.of(cluster.config());
        sightings = sightings.after(readings, now);
        view = sightings.view(probes, patience, now);
        probe(sightings.toProbe(patience, now));
        history = history.after(view, cluster.policy(), now);
        cluster.listener().looked(node.index, view);
    }

    /** The servers of those that are unknown are asked whether they live; the answers count from the next look on. */
    private void probe(List<NodeId> unknown) {
        if (unknown.isEmpty()) {
            probes = Probes.NONE;
            return;
        }
        Set<NodeId> answered = new HashSet<>();
        Set<NodeId> silent = new HashSet<>();
        for (NodeId id : unknown) {
            int index = cluster.index(id);
            boolean isAnswering =
                    cluster.node(index).station.isUp() && cluster.fabric().mayAsk(node.index, index);
            (isAnswering ? answered : silent).add(id);
        }
        probes = new Probes(answered, silent, clock());
    }

    /** The clients follow one agent's list; each list comes from a later stamp than the one before. */
    private void postTargets() {
        if (!cluster.isFollowed(node.index)) {
            return;
        }
        for (SiteConfig site : cluster.config().sites()) {
            SiteId id = site.id();
            List<Integer> proxies = view.serving(Role.serving(id, Tier.PROXY)).stream()
                    .map(seen -> cluster.index(seen.id()))
                    .toList();
            cluster.post(id, proxies);
        }
    }
}
