package dev.retier.agent.doctor;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.files.ClusterLines;
import dev.retier.agent.status.Finding;
import dev.retier.link.NodeId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the doctor look at a node while its agent runs: soon after its server has first answered, each minute while
 * something is bad, so that a remedy shows, within a minute of a reload of the server, and else once an hour.
 * Thread-safe; a thread of its own.
 */
public final class Checkup implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("dev.retier.agent");

    /** By then the peers are seen and the edges have told what they run, where they do. */
    private static final Duration FIRST = Duration.ofSeconds(15);

    private static final Duration WHILE_BAD = Duration.ofMinutes(1);
    private static final Duration WHILE_GOOD = Duration.ofHours(1);
    /** After a reload. */
    private static final Duration SETTLING = Duration.ofSeconds(2);

    private static final Duration JOIN_TIMEOUT = Duration.ofSeconds(1);

    private final NodeId self;
    private final Supplier<ClusterConfig> cluster;
    private final BooleanSupplier isServerSeen;
    private final Examiner examiner;
    private final CountDownLatch end = new CountDownLatch(1);
    private final Semaphore wanted = new Semaphore(0);
    /** Own thread only: no look is made sooner than planned before then. */
    private long soonNanos = System.nanoTime();

    private final Thread thread;
    private volatile List<Finding> newest = List.of();

    /** Looks at a node once. */
    @FunctionalInterface
    interface Examiner {
        List<Finding> findings(ClusterConfig cluster, NodeId self) throws InterruptedException;
    }

    /**
     * Begins with {@link #start}.
     *
     * @param cluster the newest configuration
     * @param isServerSeen whether the server has answered yet
     */
    public Checkup(NodeId self, Supplier<ClusterConfig> cluster, BooleanSupplier isServerSeen) {
        this(
                self,
                cluster,
                isServerSeen,
                (now, node) -> new Doctor(now, now.node(node), ClusterLines.none()).findings());
    }

    Checkup(NodeId self, Supplier<ClusterConfig> cluster, BooleanSupplier isServerSeen, Examiner examiner) {
        this.self = self;
        this.cluster = cluster;
        this.isServerSeen = isServerSeen;
        this.examiner = examiner;
        this.thread = Thread.ofVirtual().name("retier-doctor-" + self.value()).unstarted(this::run);
    }

    /** Begins to look. */
    public void start() {
        thread.start();
    }

    /** What the newest look has found; empty before the first. */
    public List<Finding> newest() {
        return newest;
    }

    private void run() {
        try {
            Duration pause = FIRST;
            while (!isEndedWithin(pause)) {
                pause = next();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits so long; less once somebody wants a look soon, but a minute from one such look to the next. */
    private boolean isEndedWithin(Duration pause) throws InterruptedException {
        boolean isSooner = wanted.tryAcquire(pause.toNanos(), TimeUnit.NANOSECONDS);
        wanted.drainPermits();
        long restNanos = isSooner ? Math.max(SETTLING.toNanos(), soonNanos - System.nanoTime()) : 0;
        boolean isEnded = end.await(restNanos, TimeUnit.NANOSECONDS);
        if (isSooner) {
            soonNanos = System.nanoTime() + WHILE_BAD.toNanos();
        }
        return isEnded;
    }

    /** Has it look within a minute. Does not wait. */
    public void lookSoon() {
        wanted.release();
    }

    /** Looks, once there is a server to look at; returns how long to wait until the next time. */
    Duration next() throws InterruptedException {
        return isServerSeen.getAsBoolean() ? look() : FIRST;
    }

    private Duration look() throws InterruptedException {
        ClusterConfig now = cluster.get();
        String name = now.node(self).name();
        List<Finding> before = newest;
        try {
            newest = examiner.findings(now, self);
        } catch (RuntimeException e) {
            LOG.error("{}: the doctor failed; please report this", name, e);
            return WHILE_GOOD;
        }
        newest.stream()
                .filter(Finding::isBad)
                .filter(finding -> !before.contains(finding))
                .forEach(finding -> LOG.warn(
                        "{}: not fit for moves: {}: {}; {}: {}",
                        name,
                        finding.check(),
                        finding.detail(),
                        finding.place(),
                        finding.remedy()));
        boolean isAnyBad = newest.stream().anyMatch(Finding::isBad);
        if (!isAnyBad && before.stream().anyMatch(Finding::isBad)) {
            LOG.info("{}: fit for moves again", name);
        }
        return isAnyBad ? WHILE_BAD : WHILE_GOOD;
    }

    /** Ends it; a look under way ends by itself. */
    @Override
    public void close() {
        end.countDown();
        wanted.release();
        try {
            thread.join(JOIN_TIMEOUT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
