package dev.retier.sim.cluster;

import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.decide.Decider;
import dev.retier.agent.decide.Decision;
import dev.retier.agent.decide.Initiator;
import dev.retier.agent.decide.Policy;
import dev.retier.agent.decide.StayReason;
import dev.retier.agent.move.Mover;
import dev.retier.agent.move.MoverEffect;
import dev.retier.agent.move.MoverEvent;
import dev.retier.link.NodeId;
import dev.retier.sim.time.Round;
import dev.retier.state.CasOutcome;
import dev.retier.state.Epochs;
import dev.retier.state.Fence;
import dev.retier.state.RoleWord;
import dev.retier.state.SiteId;
import dev.retier.state.lock.Attempt;
import dev.retier.state.lock.LockWord;
import dev.retier.state.lock.Tenure;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Decides after each look, and carries out what the {@link Mover} asks for; each step takes its time. */
final class MoverRun {
    private final Agent agent;
    private final Policy policy;
    private final Mover mover;
    private final Map<SiteId, SiteLock> locks = new LinkedHashMap<>();
    private final Map<SiteId, Tenure> leases = new LinkedHashMap<>();
    private Decision.@Nullable Move lastMove;

    MoverRun(Agent agent) {
        Cluster cluster = agent.cluster();
        this.agent = agent;
        this.policy = cluster.policy();
        this.mover = new Mover(
                cluster.config().timing().lease(),
                cluster.config().move().total(),
                new Epochs(cluster.config().sites().stream().map(SiteConfig::id).toList()));
        for (SiteConfig site : cluster.config().sites()) {
            locks.put(site.id(), new SiteLock(agent, cluster.siteIndex(site.id())));
        }
    }

    boolean isIdle() {
        return mover.isIdle();
    }

    boolean isWatching() {
        return mover.isWatching();
    }

    /** Takes note of the words of the witnesses that a look has read. */
    void observe(SiteId site, int witness, LockWord word) {
        lock(site).observe(witness, word);
    }

    /**
     * After a look: goes on with the move that this node ordered, else decides for each site, the highest priority
     * first. Tells whether something is about to change, so that the next look should come early.
     */
    void looked(Consumer<Boolean> then) {
        if (!mover.isIdle()) {
            feed(new MoverEvent.Looked(agent.view()), () -> feed(new MoverEvent.Tick(), () -> then.accept(false)));
            return;
        }
        decideFrom(0, false, then);
    }

    private void decideFrom(int first, boolean wasUnsettled, Consumer<Boolean> then) {
        boolean isUnsettled = wasUnsettled;
        for (int index = first; index < policy.sites().size(); index++) {
            Decision decision = decide(policy.sites().get(index), policy);
            isUnsettled |= decision instanceof Decision.Stay stay && stay.reason() == StayReason.SETTLING;
            agent.cluster().decided(agent.node().index, decision);
            if (mover.isIdle()
                    && decision instanceof Decision.Move move
                    && Initiator.mayMake(agent.id(), agent.view(), move)) {
                int next = index + 1;
                boolean soFar = isUnsettled;
                feed(new MoverEvent.Begin(move), () -> decideFrom(next, soFar, then));
                return;
            }
        }
        then.accept(isUnsettled);
    }

    private Decision decide(SiteConfig site, Policy obeyed) {
        return Decider.decide(agent.view(), agent.history(), obeyed, site, agent.clock());
    }

    /** Renews the lease when due. */
    void tick(Runnable then) {
        feed(new MoverEvent.Tick(), then);
    }

    private void feed(MoverEvent first, Runnable whenDone) {
        run(new ArrayDeque<>(mover.on(first, agent.clock())), whenDone);
    }

    /** Carries out the effects in order; one that takes time goes on from its answer. */
    private void run(Deque<MoverEffect> effects, Runnable whenDone) {
        while (!effects.isEmpty()) {
            Consumer<MoverEvent> answered = event -> {
                effects.addAll(mover.on(event, agent.clock()));
                run(effects, whenDone);
            };
            if (takesTime(effects.remove(), answered)) {
                return;
            }
        }
        whenDone.run();
    }

    private boolean takesTime(MoverEffect effect, Consumer<MoverEvent> answered) {
        return switch (effect) {
            case MoverEffect.TryLock(List<SiteId> sites) -> {
                tryLock(new ArrayDeque<>(sites), answered);
                yield true;
            }
            case MoverEffect.Fence(List<SiteId> sites) -> {
                fence(sites, answered);
                yield true;
            }
            case MoverEffect.LookAgain(SiteId receiver, Set<NodeId> movable) -> {
                lookAgain(receiver, movable, answered);
                yield true;
            }
            case MoverEffect.Order order -> {
                order(order, answered);
                yield true;
            }
            case MoverEffect.Renew _ -> {
                renew(new ArrayDeque<>(leases.keySet()), answered);
                yield true;
            }
            case MoverEffect.Announce _ -> {
                agent.announce();
                yield false;
            }
            case MoverEffect.Release _ -> {
                release();
                yield false;
            }
            case MoverEffect.Ordered(Decision.Move move, RoleWord word) -> {
                agent.cluster().because(word, move.reason());
                yield false;
            }
            case MoverEffect.Finished finished -> {
                agent.cluster().listener().finished(agent.node().index, finished);
                yield false;
            }
        };
    }

    /** The lowest id first, as all movers do; one that is not to be had gives the others back. */
    private void tryLock(Deque<SiteId> sites, Consumer<MoverEvent> answered) {
        if (sites.isEmpty()) {
            answered.accept(new MoverEvent.LockAcquired());
            return;
        }
        SiteId site = sites.remove();
        lock(site).tryAcquire(tried -> {
            switch (tried) {
                case Attempt.Taken(Tenure tenure) -> {
                    leases.put(site, tenure);
                    agent.cluster().listener().acquired(agent.node().index, site, tenure.term());
                    tryLock(sites, answered);
                }
                case Attempt.Occupied(NodeId holder, long _) -> {
                    release();
                    answered.accept(new MoverEvent.LockHeld(holder));
                }
                case Attempt.Unavailable(String reason) -> {
                    release();
                    answered.accept(new MoverEvent.LockUnavailable(reason));
                }
            }
        });
    }

    /** All words are swapped at one moment, as one round of swaps that are posted together. */
    private void fence(List<SiteId> sites, Consumer<MoverEvent> answered) {
        agent.later(agent.hopNanos(), () -> {
            Map<NodeId, RoleWord> fenced = new HashMap<>();
            for (SiteId site : sites) {
                Map<NodeId, RoleWord> movable = new HashMap<>(agent.view().movable(site));
                movable.keySet().removeAll(fenced.keySet());
                fenced.putAll(Fence.set(() -> isSafe(site), movable, changes -> swapAll(site, changes)));
            }
            agent.later(agent.hopNanos(), () -> answered.accept(new MoverEvent.Fenced(fenced)));
        });
    }

    private Map<NodeId, CasOutcome> swapAll(SiteId site, Map<NodeId, Fence.Change> changes) {
        agent.cluster().traffic().worded(changes.size());
        Map<NodeId, CasOutcome> outcomes = new TreeMap<>();
        changes.forEach(
                (id, change) -> outcomes.put(id, fence(site, agent.cluster().index(id), change)));
        return outcomes;
    }

    /** One that is late is not waited for, and changes the word all the same. */
    private CasOutcome fence(SiteId site, int target, Fence.Change change) {
        Cluster cluster = agent.cluster();
        int self = agent.node().index;
        if (!cluster.fabric().isOpen(self, target)) {
            return new CasOutcome.Unreachable("no link");
        }
        if (!cluster.fabric().isPrompt(self, target)) {
            agent.call(target, slot -> fence(site, target, slot, change), _ -> {});
            return new CasOutcome.Unresolved("no answer in time");
        }
        CasOutcome outcome = fence(site, target, cluster.node(target).slot, change);
        return cluster.fabric().isPrompt(target, self) ? outcome : new CasOutcome.Unresolved("no answer in time");
    }

    private CasOutcome fence(SiteId site, int target, Slot slot, Fence.Change change) {
        CasOutcome outcome = slot.compareAndSet(change.expected(), change.next());
        if (outcome instanceof CasOutcome.Won) {
            agent.cluster()
                    .listener()
                    .fenced(target, agent.node().index, site, tenure(site).term());
        }
        return outcome;
    }

    private void lookAgain(SiteId receiver, Set<NodeId> movable, Consumer<MoverEvent> answered) {
        agent.read(() -> {
            SiteConfig site = agent.cluster().config().site(receiver).orElseThrow();
            Decision again = decide(site, policy.movingOnly(movable));
            boolean isSafe = leases.keySet().stream().allMatch(this::isSafe);
            lastMove = again instanceof Decision.Move move ? move : null;
            answered.accept(new MoverEvent.LookedAgain(agent.view(), again, isSafe));
        });
    }

    private void order(MoverEffect.Order order, Consumer<MoverEvent> answered) {
        int target = agent.cluster().index(order.node());
        if (!agent.cluster().fabric().isConnected(agent.node().index, target)) {
            answered.accept(new MoverEvent.Answered(new CasOutcome.Unreachable("no link")));
            return;
        }
        ClusterListener.Order sent = sent(order, target);
        agent.cluster().listener().ordering(sent);
        Round<CasOutcome> round = new Round<>(
                1,
                answers -> answered.accept(new MoverEvent.Answered(
                        answers.getOrDefault(target, new CasOutcome.Unresolved("no answer in time")))));
        agent.call(
                target,
                slot -> {
                    CasOutcome outcome = slot.compareAndSet(order.expected(), order.next());
                    if (outcome instanceof CasOutcome.Won) {
                        agent.cluster().listener().ordered(sent);
                    }
                    return outcome;
                },
                outcome -> round.answered(target, outcome));
        agent.later(agent.deadlineNanos(), round::end);
    }

    private ClusterListener.Order sent(MoverEffect.Order order, int target) {
        Map<SiteId, Long> terms = new HashMap<>();
        leases.forEach((site, lease) -> terms.put(site, lease.term()));
        return new ClusterListener.Order(
                agent.node().index,
                target,
                order.expected(),
                order.next(),
                Objects.requireNonNull(lastMove, "an order follows a decision"),
                terms,
                agent.view());
    }

    private void renew(Deque<SiteId> left, Consumer<MoverEvent> answered) {
        if (left.isEmpty()) {
            answered.accept(new MoverEvent.Renewed(!leases.isEmpty()));
            return;
        }
        SiteId site = left.remove();
        lock(site).renew(tenure(site), isHeld -> {
            if (isHeld) {
                renew(left, answered);
            } else {
                answered.accept(new MoverEvent.Renewed(false));
            }
        });
    }

    private void release() {
        leases.forEach((site, tenure) -> lock(site).release(tenure));
        leases.clear();
    }

    private SiteLock lock(SiteId site) {
        SiteLock lock = locks.get(site);
        if (lock == null) {
            throw new IllegalStateException("no lock of " + site);
        }
        return lock;
    }

    private boolean isSafe(SiteId site) {
        return tenure(site).isSafe(agent.clock());
    }

    private Tenure tenure(SiteId site) {
        Tenure tenure = leases.get(site);
        if (tenure == null) {
            throw new IllegalStateException("the mover acts without the lock of " + site);
        }
        return tenure;
    }
}
