package dev.retier.agent.observe;

import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.config.Timing;
import dev.retier.agent.server.ManagedServer;
import dev.retier.agent.status.Observation;
import dev.retier.agent.status.ServerStatus;
import dev.retier.agent.status.ServerWatch;
import dev.retier.state.LoadRecord;
import dev.retier.state.SharedState;
import java.time.Duration;
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
    /** A dead server refuses at once; this is for one that is starved, which is no reason to take it out yet. */
    private static final Duration STATUS_TIMEOUT = Duration.ofSeconds(1);

    /** For so long a look that was awaited and told nothing is followed by others. */
    private static final long SOON_NANOS = 75_000_000;

    private static final Duration JOIN_TIMEOUT = Duration.ofSeconds(2);

    private final NodeConfig node;
    private final SharedState state;
    private final long intervalNanos;
    /** Touched by the own thread alone, and by who closes once that has ended. */
    private final ServerWatch watch;

    private final ManagedServer server;
    private final Thread thread;
    private volatile ServerWatch.@Nullable Sample newest;
    private volatile boolean isDown;
    private volatile boolean isStopping;
    private volatile long hurryUntilNanos;
    private volatile long lastPollNanos = System.nanoTime();
    private volatile int operatorWord;
    private volatile boolean isMovable = true;
    private volatile boolean isLookDue;

    /** Hears of what a poller does, on its thread. */
    public interface Listener {
        /** A whole status has come, which took so long from when it was asked for. */
        void paged(Duration took);

        /** A look has ended while one was awaited, see {@link #hurry} and {@link #lookNow}. */
        void awaited();

        /** The thread has ended by itself, for that. */
        void died(Throwable why);
    }

    /**
     * A poller of the server of {@code node}; begins with {@link #start}.
     *
     * @param listener hears of what its thread does
     */
    public StatusPoller(NodeConfig node, Timing timing, SharedState state, ManagedServer server, Listener listener) {
        this.node = node;
        this.state = state;
        this.intervalNanos = timing.publishInterval().toNanos();
        this.watch = new ServerWatch(timing.utilisationWindow(), timing.staleness(), System.nanoTime());
        this.server = server;
        this.hurryUntilNanos = System.nanoTime();
        this.thread = Thread.ofPlatform()
                .name("retier-observe-" + node.name())
                .daemon()
                .unstarted(() -> supervised(listener));
    }

    /** Begins to poll. */
    public void start() {
        thread.start();
    }

    /** The newest status, or null before the first. It may be old when the server is down. */
    public ServerWatch.@Nullable Sample newest() {
        return newest;
    }

    /** Whether the server has failed to answer twice in a row. */
    public boolean isDown() {
        return isDown;
    }

    /** Time since the newest status was asked for, zero when there is none. */
    public Duration silence() {
        ServerWatch.Sample sample = newest;
        return sample == null ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - sample.askedAtNanos());
    }

    /** Since when it has not begun to ask, which it does several times a second; any thread. */
    public Duration sinceLastPoll() {
        return Duration.ofNanos(System.nanoTime() - lastPollNanos);
    }

    /**
     * Polls closely for the next {@code duration}: the control loop waits for a change. Where that is not one of the
     * page, a server that tells of its files is looked at when one has come out.
     */
    public void hurry(Duration duration, boolean isForPage) {
        if (!isForPage && server.tellsOfFiles()) {
            return;
        }
        long until = System.nanoTime() + duration.toNanos();
        boolean wasIdle = hurryUntilNanos - System.nanoTime() <= 0;
        hurryUntilNanos = until;
        if (wasIdle) {
            LockSupport.unpark(thread);
        }
    }

    /** Polls at once: something has come out that shows. */
    public void lookNow() {
        isLookDue = true;
        LockSupport.unpark(thread);
    }

    private void supervised(Listener listener) {
        try {
            run(listener);
        } catch (RuntimeException | Error e) {
            listener.died(e);
        }
    }

    private void run(Listener listener) {
        while (!isStopping) {
            long begunNanos = System.nanoTime();
            lastPollNanos = begunNanos;
            boolean isAwaited = isLookDue;
            isLookDue = false;
            boolean isTold = poll(begunNanos, listener);
            isAwaited |= isLookDue; // this one may show it already
            if (isAwaited && !isTold) {
                hurryUntilNanos = System.nanoTime() + SOON_NANOS;
            }
            boolean isHurried = hurryUntilNanos - System.nanoTime() > 0;
            if (isAwaited || isHurried) {
                listener.awaited();
            }
            long pauseNanos = begunNanos
                    + (isHurried ? Math.min(server.closestIntervalNanos(), intervalNanos) : intervalNanos)
                    - System.nanoTime();
            if (pauseNanos > 0 && !isLookDue && !isStopping) {
                LockSupport.parkNanos(this, pauseNanos);
            }
        }
    }

    /** Returns whether the server has told its status, and that was published: two are needed after a break. */
    private boolean poll(long askedAtNanos, Listener listener) {
        Observation look = server.observe(STATUS_TIMEOUT);
        if (look instanceof Observation.Whole(ServerStatus _, long _, long tookNanos)) {
            listener.paged(Duration.ofNanos(tookNanos));
        }
        ServerWatch.Seen seen = watch.after(look, askedAtNanos, operatorWord, System.nanoTime());
        isDown = watch.isDown();
        LoadRecord load = seen.record();
        if (load != null) {
            state.publish(isMovable ? load : load.unmovable());
        }
        // Last: who learns of it may tell others to look.
        if (seen.sample() != null) {
            newest = seen.sample();
        }
        String why = why(look);
        if (!why.isEmpty()) {
            LOG.debug("status of the server of {}: {}", node.name(), why);
        }
        seen.news().forEach(news -> tell(news, why));
        return seen.sample() != null && load != null;
    }

    private static String why(Observation look) {
        return switch (look) {
            case Observation.Whole _ -> "";
            case Observation.Partial(ServerStatus _, String why) -> why;
            case Observation.Mute(String why) -> why;
            case Observation.Silent(String why) -> why;
        };
    }

    private void tell(ServerWatch.News news, String why) {
        switch (news) {
            case DOWN -> LOG.warn("server of {} does not answer: {}", node.name(), why);
            case ANSWERS_AGAIN -> LOG.info("server of {} answers again", node.name());
            case DEGRADED -> LOG.warn("server of {} serves, but its status cannot be trusted: {}", node.name(), why);
            case WHOLE_AGAIN -> LOG.info("status of the server of {} is whole again", node.name());
        }
    }

    /** What the node publishes of what operators have told. */
    public void operatorWord(int word) {
        operatorWord = word;
    }

    /** Whether the node can carry out an order; it publishes when it cannot. */
    public void isMovable(boolean isMovable) {
        this.isMovable = isMovable;
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
        state.publish(watch.lastRecord(operatorWord));
    }
}
