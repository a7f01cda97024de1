package dev.retier.sim.cluster;

import dev.retier.agent.loop.LoopEvent;
import dev.retier.agent.status.LoadMeter;
import dev.retier.agent.status.MuteWatch;
import dev.retier.agent.status.ServerStatus;
import dev.retier.state.LoadRecord;
import dev.retier.state.LoadRecord.Health;
import org.jspecify.annotations.Nullable;

/** Asks the own server for its status again and again, and publishes a load record each time. Not thread-safe. */
final class Poller {
    /** A server that fails once may have been starved; one that fails twice is down. */
    private static final int FAILURES_UNTIL_DOWN = 2;

    private static final long CLOSEST_NANOS = 4_000_000;

    private final Agent agent;
    private final LoadMeter meter;
    private final MuteWatch muteness;
    private final long intervalNanos;
    private @Nullable ServerStatus lastSeen;
    private int operatorWord;
    private int failures;
    private long hurryUntilNanos;
    private long dueNanos;
    private long number;

    Poller(Agent agent) {
        this.agent = agent;
        this.meter = new LoadMeter(agent.cluster().config().timing().utilisationWindow());
        this.muteness = new MuteWatch(agent.cluster().config().timing().staleness(), agent.clock());
        this.intervalNanos = agent.cluster().config().timing().publishInterval().toNanos();
    }

    /** What the node publishes from now on of what operators have told. */
    void operatorWord(int word) {
        operatorWord = word;
    }

    void start() {
        poll();
    }

    /** Asks closely for a while: something is about to change. */
    void hurry(long nanos) {
        long now = agent.time().nowNanos();
        boolean wasIdle = hurryUntilNanos <= now;
        hurryUntilNanos = now + nanos;
        if (wasIdle && dueNanos > now) {
            schedule(0);
        }
    }

    private void schedule(long delayNanos) {
        long own = ++number;
        dueNanos = agent.time().nowNanos() + delayNanos;
        agent.later(delayNanos, () -> pollIf(own));
    }

    private void pollIf(long own) {
        if (own == number) {
            poll();
        }
    }

    /** A page that stands still tells nothing: there is no heartbeat, and then a record that says so. */
    private void answered(ServerStatus status) {
        boolean isRepeated = status.repeats(lastSeen);
        lastSeen = status;
        if (isRepeated) {
            if (muteness.isMute(agent.clock())) {
                publish(Health.MUTE);
            }
            return;
        }
        muteness.told(agent.clock());
        meter.record(status, agent.clock());
        if (meter.isTelling()) {
            publish(Health.UP);
        }
        agent.take(new LoopEvent.Sampled(status, agent.clock(), true));
    }

    private void publish(Health health) {
        LoadRecord load = meter.load(health, operatorWord);
        agent.node().slot.publish(load);
        agent.cluster().listener().published(agent.node().index, load);
    }

    private void poll() {
        long now = agent.time().nowNanos();
        if (agent.node().station.isUp()) {
            failures = 0;
            answered(agent.node().status(now));
        } else if (++failures >= FAILURES_UNTIL_DOWN) {
            meter.reset();
            muteness.told(agent.clock());
            publish(Health.DOWN);
        }
        schedule(hurryUntilNanos > now ? Math.min(CLOSEST_NANOS, intervalNanos) : intervalNanos);
    }
}
