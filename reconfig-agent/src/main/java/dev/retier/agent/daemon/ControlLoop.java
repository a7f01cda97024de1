package dev.retier.agent.daemon;

import dev.retier.agent.http.AgentMetric;
import dev.retier.agent.http.AgentMetrics;
import dev.retier.agent.observe.StatusPoller;
import dev.retier.state.RoleWord;
import dev.retier.state.RoleWord.Phase;
import dev.retier.state.SharedState;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop of an agent: looks every S, or at once after an announcement, or closely while a move needs it; follows,
 * decides, and goes on with moves. One thread runs it and owns all that it calls.
 */
final class ControlLoop implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger("dev.retier.agent");
    /** While something of this node is about to change. Announcements end any wait at once. */
    private static final long BUSY_WAIT_NANOS = 2_000_000;

    /** How soon a command of an operator is seen, however long S is. */
    private static final long COMMAND_WAIT_NANOS = 200_000_000;

    /** Upstream nodes do not announce that they have left this one out. */
    private static final long CLOSE_LOOK_NANOS = 4_000_000;
    /** The end of a move is announced; this is for the case that the announcement, or the victim, is lost. */
    private static final long WATCHING_LOOK_NANOS = 50_000_000;
    /** The next chance to decide comes soon after the members have settled, not S later. */
    private static final long SETTLING_LOOK_NANOS = 40_000_000;

    private final String name;
    private final SharedState state;
    private final LiveConfig live;
    private final Watcher watcher;
    private final MoverDriver mover;
    private final VictimDriver victim;
    private final Follower follower;
    private final Narrator narrator;
    private final StatusPoller poller;
    private final Operations operations;
    private final OperatorNotes notes;
    private final AgentMetrics metrics;
    private long heard;
    private long lookDueNanos;
    private volatile long lastRoundMillis;
    private volatile long stopByNanos;
    private volatile boolean isStopping;

    /** What a loop drives. */
    record Parts(
            Watcher watcher,
            MoverDriver mover,
            VictimDriver victim,
            Follower follower,
            Narrator narrator,
            StatusPoller poller,
            Operations operations,
            OperatorNotes notes) {}

    ControlLoop(String name, SharedState state, LiveConfig live, Parts parts, AgentMetrics metrics) {
        this.name = name;
        this.state = state;
        this.live = live;
        this.watcher = parts.watcher;
        this.mover = parts.mover;
        this.victim = parts.victim;
        this.follower = parts.follower;
        this.narrator = parts.narrator;
        this.poller = parts.poller;
        this.operations = parts.operations;
        this.notes = parts.notes;
        this.metrics = metrics;
        this.lookDueNanos = System.nanoTime();
    }

    /** Asks the loop to finish or undo the own move, to let go of the lock, and to end, by then at the latest. */
    void stop(Duration patience) {
        stopByNanos = System.nanoTime() + patience.toNanos();
        isStopping = true;
    }

    /** When the loop last went round, Unix time in milliseconds, 0 before the first time. */
    long lastRoundMillis() {
        return lastRoundMillis;
    }

    @Override
    public void run() {
        try {
            while (!isStopping) {
                round();
            }
            finish();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void round() throws InterruptedException {
        live.takeOver();
        try {
            if (System.nanoTime() - lookDueNanos >= 0 || operations.isWaiting()) {
                look();
            }
            goOn();
            lastRoundMillis = System.currentTimeMillis();
        } catch (RuntimeException e) {
            LOG.error("{}: a round of the control loop failed; the next one goes on", name, e);
            lookDueNanos = System.nanoTime() + sensitivityNanos();
        }
        await();
    }

    private long sensitivityNanos() {
        return live.cluster().timing().sensitivity().toNanos();
    }

    private void look() {
        long begunNanos = System.nanoTime();
        watcher.look();
        metrics.time(AgentMetric.LOOK_DURATION, Duration.ofNanos(System.nanoTime() - begunNanos));
        notes.heard(watcher.view());
        poller.operatorWord(notes.word());
        narrator.seen(watcher.view());
        follow();
        follower.postTargets(watcher.view());
        victim.looked();
        if (!isStopping) {
            operations.looked();
        }
        boolean isUnsettled = !isStopping && mover.looked();
        lookDueNanos = begunNanos + nextLookNanos(isUnsettled);
    }

    private long nextLookNanos(boolean isUnsettled) {
        long sensitivityNanos = sensitivityNanos();
        if (victim.isWaitingForUpstream()) {
            return Math.min(CLOSE_LOOK_NANOS, sensitivityNanos);
        }
        if (mover.isWatching()) {
            return Math.min(WATCHING_LOOK_NANOS, sensitivityNanos);
        }
        return isUnsettled ? Math.min(SETTLING_LOOK_NANOS, sensitivityNanos) : sensitivityNanos;
    }

    private void follow() {
        if (victim.isIdle()
                && state.ownRoleWord() instanceof RoleWord.Valid(RoleWord own)
                && own.phase() == Phase.ACTIVE) {
            follower.follow(watcher.view(), own);
        }
    }

    private void goOn() {
        boolean wasWaiting = victim.isWaitingForUpstream();
        StatusPoller.Sample sample = poller.newest();
        victim.step(sample);
        if (victim.isWaitingForUpstream() && !wasWaiting) {
            lookDueNanos = System.nanoTime();
        }
        if (sample != null && victim.isIdle()) {
            follower.check(sample);
        }
        if (mover.isWatching()) {
            mover.tick();
        }
    }

    private void await() throws InterruptedException {
        long leftNanos = lookDueNanos - System.nanoTime();
        boolean isBusy = !victim.isIdle() || follower.isPending();
        long waitNanos = Math.min(leftNanos, isBusy ? BUSY_WAIT_NANOS : COMMAND_WAIT_NANOS);
        if (waitNanos <= 0) {
            return;
        }
        long now = state.awaitAnnouncement(heard, Duration.ofNanos(waitNanos));
        if (now > heard) {
            heard = now;
            lookDueNanos = System.nanoTime();
        }
    }

    private void finish() throws InterruptedException {
        operations.close();
        mover.stop();
        victim.stop();
        while (!victim.isIdle() && System.nanoTime() - stopByNanos < 0) {
            round();
        }
        if (!victim.isIdle()) {
            LOG.warn("{}: leaves in the middle of its move; the journal lets the next start finish it", name);
        }
    }
}
