package dev.retier.sim.cluster;

import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.decide.Decision;
import dev.retier.agent.loop.LoopEffect;
import dev.retier.agent.loop.LoopEvent;
import dev.retier.agent.move.MoverEffect;
import dev.retier.link.NodeId;
import dev.retier.sim.time.Round;
import dev.retier.state.CasOutcome;
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
import java.util.TreeMap;
import java.util.function.Consumer;

/** The move locks of one agent, and what it does to others' words under them; each step takes its time. */
final class Locks {
    private final Agent agent;
    private final Map<SiteId, SiteLock> locks = new LinkedHashMap<>();
    private final Map<SiteId, Tenure> leases = new LinkedHashMap<>();

    Locks(Agent agent) {
        this.agent = agent;
        Cluster cluster = agent.cluster();
        for (SiteConfig site : cluster.config().sites()) {
            locks.put(site.id(), new SiteLock(agent, cluster.siteIndex(site.id())));
        }
    }

    /** Takes note of the words of the witnesses that a look has read. */
    void observe(SiteId site, int witness, LockWord word) {
        lock(site).observe(witness, word);
    }

    long highestTerm() {
        long highest = 0;
        for (SiteLock lock : locks.values()) {
            highest = Math.max(highest, lock.highestTerm());
        }
        return highest;
    }

    void tryLock(SiteId site, Consumer<LoopEvent> answered) {
        lock(site)
                .tryAcquire(tried -> answered.accept(
                        switch (tried) {
                            case Attempt.Taken(Tenure tenure) -> {
                                leases.put(site, tenure);
                                ClusterListener listener = agent.cluster().listener();
                                listener.acquired(agent.node().index, site, tenure.term(), isSafe(site));
                                yield new LoopEvent.LockTaken();
                            }
                            case Attempt.Occupied(NodeId holder, long _) -> new LoopEvent.LockHeld(holder);
                            case Attempt.Unavailable(String reason) -> new LoopEvent.LockUnavailable(reason);
                        }));
    }

    /** All words are swapped at one moment, as one round of swaps that are posted together. */
    void fence(List<LoopEffect.Fence.Words> sites, Consumer<LoopEvent> answered) {
        agent.later(agent.hopNanos(), () -> {
            Map<NodeId, RoleWord> fenced = new HashMap<>();
            sites.forEach(words -> fenced.putAll(
                    Fence.set(() -> isSafe(words.site()), words.seen(), changes -> swapAll(words.site(), changes))));
            agent.later(agent.hopNanos(), () -> answered.accept(new LoopEvent.Fenced(fenced)));
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
        Tenure lease = leases.get(site);
        long term = lease == null ? 0 : lease.term();
        if (!cluster.fabric().isPrompt(self, target)) {
            agent.call(target, slot -> fence(site, term, target, slot, change), _ -> {});
            return new CasOutcome.Unresolved("no answer in time");
        }
        CasOutcome outcome = fence(site, term, target, cluster.node(target).slot, change);
        return cluster.fabric().isPrompt(target, self) ? outcome : new CasOutcome.Unresolved("no answer in time");
    }

    private CasOutcome fence(SiteId site, long term, int target, Slot slot, Fence.Change change) {
        CasOutcome outcome = slot.compareAndSet(change.expected(), change.next());
        if (outcome instanceof CasOutcome.Won) {
            agent.cluster().listener().fenced(target, agent.node().index, site, term);
        }
        return outcome;
    }

    /** Each swap takes its own time, so that a look may meet some of them done and others not. */
    void order(LoopEffect.Order<PlanFile> effect, Consumer<LoopEvent> answered) {
        List<ClusterListener.Order> orders = sent(effect.orders());
        Round<CasOutcome> round = new Round<>(
                orders.size(), answers -> answered.accept(new LoopEvent.Ordered(outcomes(orders, answers))));
        orders.forEach(agent.cluster().listener()::ordering);
        orders.forEach(order -> send(order, round));
        agent.later(agent.deadlineNanos(), round::end);
    }

    private void send(ClusterListener.Order order, Round<CasOutcome> round) {
        int target = order.target();
        if (!agent.cluster().fabric().isConnected(agent.node().index, target)) {
            round.answered(target, new CasOutcome.Unreachable("no link"));
            return;
        }
        agent.call(
                target,
                slot -> {
                    CasOutcome outcome = slot.compareAndSet(order.expected(), order.next());
                    if (outcome instanceof CasOutcome.Won) {
                        agent.cluster().listener().ordered(order);
                    }
                    return outcome;
                },
                outcome -> round.answered(target, outcome));
    }

    private static Map<NodeId, CasOutcome> outcomes(
            List<ClusterListener.Order> orders, Map<Integer, CasOutcome> answers) {
        Map<NodeId, CasOutcome> outcomes = new TreeMap<>();
        orders.forEach(order -> outcomes.put(
                order.move().node(),
                answers.getOrDefault(order.target(), new CasOutcome.Unresolved("no answer in time"))));
        return outcomes;
    }

    private List<ClusterListener.Order> sent(List<MoverEffect.Ordering> orders) {
        Map<SiteId, Long> terms = new HashMap<>();
        leases.forEach((site, lease) -> terms.put(site, lease.term()));
        List<Decision.Move> together =
                orders.stream().map(MoverEffect.Ordering::move).toList();
        return orders.stream()
                .map(order -> new ClusterListener.Order(
                        agent.node().index,
                        agent.cluster().index(order.move().node()),
                        order.expected(),
                        order.next(),
                        order.move(),
                        together,
                        terms,
                        agent.view()))
                .toList();
    }

    void renew(Consumer<LoopEvent> answered) {
        renew(new ArrayDeque<>(leases.keySet()), answered);
    }

    private void renew(Deque<SiteId> left, Consumer<LoopEvent> answered) {
        if (left.isEmpty()) {
            answered.accept(new LoopEvent.Renewed(!leases.isEmpty()));
            return;
        }
        SiteId site = left.remove();
        Tenure tenure = leases.get(site);
        if (tenure == null) {
            answered.accept(new LoopEvent.Renewed(false)); // given up meanwhile, as the agent is to end
            return;
        }
        lock(site).renew(tenure, isHeld -> {
            if (isHeld) {
                renew(left, answered);
            } else {
                answered.accept(new LoopEvent.Renewed(false));
            }
        });
    }

    void release() {
        leases.forEach((site, tenure) -> lock(site).release(tenure));
        leases.clear();
    }

    /** Whether all leases are safe; true of none. */
    boolean areSafe() {
        return leases.keySet().stream().allMatch(this::isSafe);
    }

    private SiteLock lock(SiteId site) {
        SiteLock lock = locks.get(site);
        if (lock == null) {
            throw new IllegalStateException("no lock of " + site);
        }
        return lock;
    }

    private boolean isSafe(SiteId site) {
        Tenure tenure = leases.get(site);
        return tenure != null && tenure.isSafe(agent.clock());
    }
}
