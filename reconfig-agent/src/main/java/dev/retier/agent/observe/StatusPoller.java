package dev.retier.agent.observe;

import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.config.Timing;
import dev.retier.agent.server.ManagedServer;
import dev.retier.agent.status.LoadMeter;
import dev.retier.agent.status.MuteWatch;
import dev.retier.agent.status.Observation;
import dev.retier.agent.status.ServerStatus;
import dev.retier.state.LoadRecord;
import dev.retier.state.LoadRecord.Health;
import dev.retier.state.SharedState;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the own server for its status again and again, each time publishes a fresh load record, and keeps the newest
 * status for the control loop. One thread of its own; the public methods may be called from any.
 */
public final class StatusPoller implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StatusPoller.class);
    /** A server that fails once may have been starved; one that fails twice is down. */
    private static final int FAILURES_UNTIL_DOWN = 2;

    /** A dead server refuses at once; this is for one that is starved, which is no reason to take it out yet. */
    private static final Duration STATUS_TIMEOUT = Duration.ofSeconds(1);
    /** A busy server may be late a few times in a row; a person need hear of it once it lasts. */
    private static final int POLLS_UNTIL_DEGRADED = 20;

    private static final Duration JOIN_TIMEOUT = Duration.ofSeconds(2);

    private final NodeConfig node;
    private final SharedState state;
    private final long intervalNanos;
    private final LoadMeter meter;
    private final MuteWatch muteness;
    private final ManagedServer server;
    private final Thread thread;
    private volatile @Nullable Sample newest;
    private volatile boolean isDown;
    private volatile boolean isStopping;
    private volatile long hurryUntilNanos;
    private volatile long lastPollNanos = System.nanoTime();
    private volatile int operatorWord;
    private int failures;
    private int degradedPolls;
    private boolean isDegraded;

    /**
     * One status.
     *
     * @param status what the server told, and which file is in force
     * @param askedAtNanos when it was asked, monotonic
     * @param isWhole whether what it says of requests is of that time; else only what it says of files is
     */
    public record Sample(ServerStatus status, long askedAtNanos, boolean isWhole) {}

    /**
     * A poller of the server of {@code node}; begins with {@link #start}.
     *
     * @param died hears if its thread ends by itself, for what
     */
    public StatusPoller(
            NodeConfig node, Timing timing, SharedState state, ManagedServer server, Consumer<Throwable> died) {
        this.node = node;
        this.state = state;
        this.intervalNanos = timing.publishInterval().toNanos();
        this.meter = new LoadMeter(timing.utilisationWindow());
        this.muteness = new MuteWatch(timing.staleness(), System.nanoTime());
        this.server = server;
        this.hurryUntilNanos = System.nanoTime();
        this.thread = Thread.ofPlatform()
                .name("retier-observe-" + node.name())
                .daemon()
                .unstarted(() -> supervised(died));
    }

    /** Begins to poll. */
    public void start() {
        thread.start();
    }

    /** The newest status, or null before the first. It may be old when the server is down. */
    public @Nullable Sample newest() {
        return newest;
    }

    /** Whether the server has failed to answer twice in a row. */
    public boolean isDown() {
        return isDown;
    }

    /** Time since the newest status was asked for, zero when there is none. */
    public Duration silence() {
        Sample sample = newest;
        return sample == null ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - sample.askedAtNanos);
    }

    /** Since when it has not begun to ask, which it does several times a second; any thread. */
    public Duration sinceLastPoll() {
        return Duration.ofNanos(System.nanoTime() - lastPollNanos);
    }

    /** Polls closely for the next {@code duration}: the control loop waits for a change. */
    public void hurry(Duration duration) {
        long until = System.nanoTime() + duration.toNanos();
        boolean wasIdle = hurryUntilNanos - System.nanoTime() <= 0;
        hurryUntilNanos = until;
        if (wasIdle) {
            LockSupport.unpark(thread);
        }
    }

    private void supervised(Consumer<Throwable> died) {
        try {
            run();
        } catch (RuntimeException | Error e) {
            died.accept(e);
        }
    }

    private void run() {
        while (!isStopping) {
            long begunNanos = System.nanoTime();
            lastPollNanos = begunNanos;
            poll(begunNanos);
            boolean isHurried = hurryUntilNanos - System.nanoTime() > 0;
            long pauseNanos = begunNanos
                    + (isHurried ? Math.min(server.closestIntervalNanos(), intervalNanos) : intervalNanos)
                    - System.nanoTime();
            if (pauseNanos > 0 && !isStopping) {
                LockSupport.parkNanos(this, pauseNanos);
            }
        }
    }

    private void poll(long askedAtNanos) {
        Observation seen = server.observe(STATUS_TIMEOUT);
        switch (seen) {
            case Observation.Whole(ServerStatus status, long pageAskedAtNanos) -> {
                answered();
                meter.record(status, System.nanoTime());
                newest = new Sample(status, pageAskedAtNanos, true);
                degradedPolls = 0;
            }
            case Observation.Partial(ServerStatus status, String why) -> {
                answered();
                meter.record(status, System.nanoTime());
                newest = new Sample(status, askedAtNanos, false);
                degraded(why);
            }
            case Observation.Mute(String why) -> {
                answered();
                degraded(why);
                if (muteness.isMute(System.nanoTime())) {
                    state.publish(load(Health.MUTE));
                }
                return;
            }
            case Observation.Silent(String why) -> silent(why);
        }
        muteness.told(System.nanoTime());
        if (meter.isTelling() || isDown) {
            state.publish(load(isDown ? Health.DOWN : Health.UP));
        }
        if (seen instanceof Observation.Whole && isDegraded) {
            isDegraded = false;
            LOG.info("status of the server of {} is whole again", node.name());
        }
    }

    private void answered() {
        if (isDown) {
            LOG.info("server of {} answers again", node.name());
        }
        failures = 0;
        isDown = false;
    }

    /** Without a status there is no heartbeat, and then a record that says so: the node is unknown. */
    private void degraded(String why) {
        LOG.debug("status of the server of {}: {}", node.name(), why);
        if (!isDegraded && ++degradedPolls >= POLLS_UNTIL_DEGRADED) {
            isDegraded = true;
            LOG.warn("server of {} serves, but its status cannot be trusted: {}", node.name(), why);
        }
    }

    private void silent(String why) {
        failures++;
        if (failures == FAILURES_UNTIL_DOWN) {
            isDown = true;
            meter.reset();
            LOG.warn("server of {} does not answer: {}", node.name(), why);
        }
    }

    /** What the node publishes of what operators have told. */
    public void operatorWord(int word) {
        operatorWord = word;
    }

    private LoadRecord load(Health health) {
        return meter.load(health, operatorWord);
    }

    /** Stops polling and publishes that the agent is leaving. Waits for the thread, which takes one poll at most. */
    @Override
    public void close() {
        isStopping = true;
        LockSupport.unpark(thread);
        try {
            if (thread.isAlive()) {
                thread.join(JOIN_TIMEOUT);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        state.publish(load(isDown ? Health.DOWN : Health.LEAVING));
    }
}
