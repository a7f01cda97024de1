package dev.retier.agent.observe;

import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.config.Timing;
import dev.retier.agent.status.LoadMeter;
import dev.retier.agent.status.ServerStatus;
import dev.retier.agent.status.StatusParser;
import dev.retier.state.LoadRecord;
import dev.retier.state.LoadRecord.Health;
import dev.retier.state.SharedState;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
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

    private static final Duration STATUS_TIMEOUT = Duration.ofMillis(500);
    /** The web-node looks at its file every 20 ms; asking more often than this shows nothing sooner. */
    private static final long HURRY_INTERVAL_NANOS = 4_000_000;

    private static final Duration JOIN_TIMEOUT = Duration.ofSeconds(2);

    private final NodeConfig node;
    private final SharedState state;
    private final long intervalNanos;
    private final LoadMeter meter;
    private final HttpFetch fetch;
    private final Thread thread;
    private volatile @Nullable Sample newest;
    private volatile boolean isDown;
    private volatile boolean isStopping;
    private volatile long hurryUntilNanos;
    private int failures;

    /**
     * One status.
     *
     * @param status what the server told
     * @param askedAtNanos when it was asked, monotonic
     */
    public record Sample(ServerStatus status, long askedAtNanos) {}

    /** A poller of the server of {@code node}; begins with {@link #start}. */
    public StatusPoller(NodeConfig node, Timing timing, SharedState state) {
        this.node = node;
        this.state = state;
        this.intervalNanos = timing.publishInterval().toNanos();
        this.meter = new LoadMeter(timing.utilisationWindow());
        this.fetch = new HttpFetch(node.server().admin());
        this.hurryUntilNanos = System.nanoTime();
        this.thread = Thread.ofPlatform()
                .name("retier-observe-" + node.name())
                .daemon()
                .unstarted(this::run);
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

    /** Polls closely for the next {@code duration}: the control loop waits for a change. */
    public void hurry(Duration duration) {
        long until = System.nanoTime() + duration.toNanos();
        boolean wasIdle = hurryUntilNanos - System.nanoTime() <= 0;
        hurryUntilNanos = until;
        if (wasIdle) {
            LockSupport.unpark(thread);
        }
    }

    private void run() {
        while (!isStopping) {
            long begunNanos = System.nanoTime();
            poll(begunNanos);
            boolean isHurried = hurryUntilNanos - System.nanoTime() > 0;
            long pauseNanos = begunNanos + (isHurried ? HURRY_INTERVAL_NANOS : intervalNanos) - System.nanoTime();
            if (pauseNanos > 0 && !isStopping) {
                LockSupport.parkNanos(this, pauseNanos);
            }
        }
        fetch.close();
    }

    private void poll(long askedAtNanos) {
        Optional<ServerStatus> status = ask();
        if (status.isPresent()) {
            if (isDown) {
                LOG.info("server of {} answers again", node.name());
            }
            failures = 0;
            isDown = false;
            meter.record(status.get(), System.nanoTime());
            newest = new Sample(status.get(), askedAtNanos);
        } else {
            failures++;
            if (failures == FAILURES_UNTIL_DOWN) {
                isDown = true;
                meter.reset();
                LOG.warn(
                        "server of {} does not answer its status at {}",
                        node.name(),
                        node.server().admin());
            }
        }
        if (newest != null || isDown) {
            state.publish(load(isDown ? Health.DOWN : Health.UP));
        }
    }

    private Optional<ServerStatus> ask() {
        try {
            HttpFetch.Answer answer = fetch.get("/status", STATUS_TIMEOUT);
            return answer.status() == 200 ? StatusParser.parse(answer.body()) : Optional.empty();
        } catch (IOException e) {
            LOG.debug("status of {}: {}", node.name(), e.toString());
            return Optional.empty();
        }
    }

    private LoadRecord load(Health health) {
        return meter.load(health);
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
