package dev.retier.sim.cluster;

import dev.retier.link.LeaseTimes;
import dev.retier.sim.locks.SimulatedReplicas;
import dev.retier.state.lock.Attempt;
import dev.retier.state.lock.CasReply;
import dev.retier.state.lock.LockWord;
import dev.retier.state.lock.MoveLock;
import dev.retier.state.lock.Swap;
import dev.retier.state.lock.Tenure;
import java.util.function.Consumer;

/** The move lock of one site, as one agent reaches it. Not thread-safe. */
final class SiteLock implements SimulatedReplicas {
    private final Agent agent;
    private final int siteIndex;
    private final MoveLock decisions;

    SiteLock(Agent agent, int siteIndex) {
        this.agent = agent;
        this.siteIndex = siteIndex;
        Cluster cluster = agent.cluster();
        this.decisions = new MoveLock(
                agent.id(), _ -> true, LeaseTimes.of(cluster.config().timing().lease()), witnesses());
    }

    /** Takes note of a witness's word that was read on another occasion. */
    void observe(int witness, LockWord word) {
        decisions.observe(witness, word, agent.clock());
    }

    long highestTerm() {
        return decisions.highestTerm();
    }

    void tryAcquire(Consumer<Attempt> then) {
        carryOut(decisions.acquire(), then);
    }

    void renew(Tenure tenure, Consumer<Boolean> then) {
        carryOut(tenure.renew(), then);
    }

    void release(Tenure tenure) {
        carryOut(tenure.release(), _ -> {});
    }

    @Override
    public int witnesses() {
        return agent.cluster().witnesses().length;
    }

    @Override
    public void read(int witness, Consumer<LockWord> answered) {
        agent.call(agent.cluster().witnesses()[witness], slot -> slot.lock(siteIndex), answered);
    }

    @Override
    public void swap(Swap swap, Consumer<CasReply> answered) {
        agent.call(agent.cluster().witnesses()[swap.witness()], slot -> slot.swap(siteIndex, swap), answered);
    }

    @Override
    public void atDeadline(Runnable over) {
        agent.later(agent.deadlineNanos(), over);
    }

    @Override
    public long clock() {
        return agent.clock();
    }
}
