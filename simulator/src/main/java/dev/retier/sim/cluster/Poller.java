package dev.retier.sim.cluster;

import dev.retier.agent.config.Timing;
import dev.retier.agent.loop.LoopEvent;
import dev.retier.agent.status.Observation;
import dev.retier.agent.status.ServerStatus;
import dev.retier.agent.status.ServerWatch;
import dev.retier.sim.cluster.ServerTrouble.Page;
import dev.retier.state.LoadRecord;
import org.jspecify.annotations.Nullable;

/** Asks the own server for its status again and again, as {@code StatusPoller} does. Not thread-safe. */
final class Poller {
    private static final long CLOSEST_NANOS = 4_000_000;
    /** Patience of the agents that ship. */
    private static final long STATUS_TIMEOUT_NANOS = 1_000_000_000;

    private final Agent agent;
    private final ServerWatch watch;
    private final long intervalNanos;
    private @Nullable ServerStatus lastSeen;
    private int operatorWord;
    private boolean isAsking;
    private long hurryUntilNanos;
    private long dueNanos;
    private long number;

    Poller(Agent agent) {
        Timing timing = agent.cluster().config().timing();
        this.agent = agent;
        this.watch = new ServerWatch(timing.utilisationWindow(), timing.staleness(), agent.clock());
        this.intervalNanos = timing.publishInterval().toNanos();
    }

    /** What the node publishes from now on of what operators have told. */
    void operatorWord(int word) {
        operatorWord = word;
    }

    void start() {
        poll();
    }

    /** Asks closely for a while: something is about to change. */
    void hurry(long nanos, boolean isForPage) {
        if (!isForPage && agent.node().tellsOfFiles()) {
            return;
        }
        long now = agent.time().nowNanos();
        boolean wasIdle = hurryUntilNanos <= now;
        hurryUntilNanos = now + nanos;
        if (wasIdle && dueNanos > now && !isAsking) {
            schedule(0);
        }
    }

    /** Asks at once: something has come out that shows. */
    void lookNow() {
        if (!isAsking) {
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

    private void poll() {
        long askedAtNanos = agent.clock();
        if (agent.node().station.isUp() && agent.node().trouble.page() == Page.HANGING) {
            isAsking = true;
            agent.later(STATUS_TIMEOUT_NANOS, () -> {
                isAsking = false;
                seen(new Observation.Silent("the status page is late"), askedAtNanos);
            });
        } else {
            seen(look(askedAtNanos), askedAtNanos);
        }
    }

    /** A page that stands still is none. */
    private Observation look(long askedAtNanos) {
        Node node = agent.node();
        if (!node.station.isUp()) {
            return new Observation.Silent("connection refused");
        }
        if (node.trouble.page() == Page.MALFORMED) {
            return new Observation.Mute("the status page is no status");
        }
        ServerStatus status = node.status(agent.time().nowNanos());
        if (node.trouble.page() == Page.PARTIAL) {
            return new Observation.Partial(status, "the status page is late");
        }
        boolean isRepeated = status.repeats(lastSeen);
        lastSeen = status;
        return isRepeated
                ? new Observation.Mute("the status page says the same again")
                : new Observation.Whole(status, askedAtNanos, 0);
    }

    private void seen(Observation look, long askedAtNanos) {
        ServerWatch.Seen seen = watch.after(look, askedAtNanos, operatorWord, agent.clock());
        LoadRecord load = seen.record();
        if (load != null) {
            agent.node().slot.publish(load);
            agent.cluster().listener().published(agent.node().index, load);
        }
        ServerWatch.Sample sample = seen.sample();
        if (sample != null) {
            agent.take(new LoopEvent.Sampled(sample.status(), sample.askedAtNanos(), sample.isWhole()));
        }
        long now = agent.time().nowNanos();
        schedule(hurryUntilNanos > now ? Math.min(CLOSEST_NANOS, intervalNanos) : intervalNanos);
    }
}
