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
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the doctor look at a node while its agent runs: soon after its server has first answered, each minute at what
 * was not good, so that a remedy shows, within a minute of a reload of the server at all, and else at all once an hour,
 * each node at another time. Its own work never holds the agent up for long: who took so long that there would be
 * little time left for anything else looks less often. Thread-safe; a thread of its own.
 */
public final class Checkup implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("dev.retier.agent");

    /** By then the peers are seen and the edges have told what they run, where they do. */
    private static final Duration FIRST = Duration.ofSeconds(15);

    private static final Duration WHILE_BAD = Duration.ofMinutes(1);
    private static final Duration WHILE_GOOD = Duration.ofHours(1);
    /** A look is repeated after so many times what it took, where that is longer. */
    private static final int REST = 50;
    /** Nodes that were started together do not look together an hour later. */
    private static final int MINUTES_OF_HOUR = 60;

    /** After a reload. */
    private static final Duration SETTLING = Duration.ofSeconds(2);

    private static final Duration JOIN_TIMEOUT = Duration.ofSeconds(1);

    private final NodeId self;
    private final Supplier<ClusterConfig> cluster;
    private final BooleanSupplier isServerSeen;
    private final LongSupplier nanoClock;
    private final Examiner examiner;
    private final CountDownLatch end = new CountDownLatch(1);
    private final Semaphore wanted = new Semaphore(0);
    /** Own thread only: no look is made sooner than planned before then. */
    private long soonNanos;

    private final Thread thread;
    /** Own thread only: of that file was the newest look. */
    private @Nullable ClusterConfig looked;
    /** Own thread only: when it was last looked at all. */
    private long lookedAtAllNanos;

    private volatile List<List<Finding>> newest = List.of();

    /** Looks at a node once, as {@link Doctor#look} does. */
    @FunctionalInterface
    interface Examiner {
        List<List<Finding>> look(ClusterConfig cluster, NodeId self, List<List<Finding>> before)
                throws InterruptedException;
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
                System::nanoTime,
                (now, node, before) -> new Doctor(now, now.node(node), ClusterLines.none()).look(before));
    }

    Checkup(
            NodeId self,
            Supplier<ClusterConfig> cluster,
            BooleanSupplier isServerSeen,
            LongSupplier nanoClock,
            Examiner examiner) {
        this.self = self;
        this.cluster = cluster;
        this.isServerSeen = isServerSeen;
        this.nanoClock = nanoClock;
        this.examiner = examiner;
        this.soonNanos = nanoClock.getAsLong();
        this.thread = Thread.ofVirtual().name("retier-doctor-" + self.value()).unstarted(this::run);
    }

    /** Begins to look. */
    public void start() {
        thread.start();
    }

    /** What the newest look has found; empty before the first. */
    public List<Finding> newest() {
        return flat(newest);
    }

    private static List<Finding> flat(List<List<Finding>> sections) {
        return sections.stream().flatMap(List::stream).toList();
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
        long restNanos = isSooner ? Math.max(SETTLING.toNanos(), soonNanos - nanoClock.getAsLong()) : 0;
        boolean isEnded = end.await(restNanos, TimeUnit.NANOSECONDS);
        if (isSooner) {
            looked = null;
            soonNanos = nanoClock.getAsLong() + WHILE_BAD.toNanos();
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
        List<Finding> before = newest();
        long begunNanos = nanoClock.getAsLong();
        boolean isAgain = now.equals(looked)
                && before.stream().anyMatch(Finding::isBad)
                && begunNanos - lookedAtAllNanos < WHILE_GOOD.toNanos();
        try {
            newest = examiner.look(now, self, isAgain ? newest : List.of());
            looked = now;
            lookedAtAllNanos = isAgain ? lookedAtAllNanos : begunNanos;
        } catch (RuntimeException e) {
            LOG.error(
                    "{}: the doctor failed; please report this", now.node(self).name(), e);
            return WHILE_GOOD;
        }
        Duration rest = Duration.ofNanos(nanoClock.getAsLong() - begunNanos).multipliedBy(REST);
        tell(now.node(self).name(), before, newest());
        Duration pause = newest().stream().anyMatch(Finding::isBad)
                ? WHILE_BAD
                : WHILE_GOOD.plusMinutes(self.value() % MINUTES_OF_HOUR);
        return pause.compareTo(rest) < 0 ? rest : pause;
    }

    private static void tell(String name, List<Finding> before, List<Finding> after) {
        List<Finding> bad = after.stream().filter(Finding::isBad).toList();
        bad.stream()
                .filter(finding -> !before.contains(finding))
                .forEach(finding -> LOG.warn(
                        "{}: not fit for moves: {}: {}; {}: {}",
                        name,
                        finding.check(),
                        finding.detail(),
                        finding.place(),
                        finding.remedy()));
        if (bad.isEmpty() && before.stream().anyMatch(Finding::isBad)) {
            LOG.info("{}: fit for moves again", name);
        }
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
