package dev.retier.agent.edge;

import dev.retier.agent.render.EdgeFiles;
import dev.retier.agent.render.Rendering;
import dev.retier.agent.render.TargetList;
import dev.retier.agent.server.ManagedServer;
import dev.retier.agent.status.Observation;
import dev.retier.agent.status.ServerStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server that an edge steers: takes target lists, and says when one of them is in force. Thread-safe; a virtual
 * thread of its own, and those of the server.
 */
final class Steered implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("dev.retier.agent");
    private static final Duration OBSERVE_TIMEOUT = Duration.ofSeconds(1);
    private static final Duration JOIN_TIMEOUT = Duration.ofSeconds(5);
    /** What was refused for a reason that may pass, such as a full disk, is offered again after this. */
    private static final long AGAIN_NANOS = 10_000_000_000L;
    /** A list that is not in force by then waits for a reload, or for a server that is not there. */
    private static final long SOON_NANOS = 2_000_000_000L;

    private static final long LATE_LOOK_NANOS = 200_000_000;
    /** While all is in force. */
    private static final long AT_REST_LOOK_NANOS = 1_000_000_000;

    private final String name;
    private final ManagedServer server;
    private final EdgeFiles files;
    private final Consumer<TargetList> inForce;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Thread thread;
    private @Nullable Offer offered; // guarded by lock
    private long lastNumber; // guarded by lock
    private boolean isClosed; // guarded by lock
    private boolean isRefused; // owned by the thread: it has been said that targets are not in force

    /** A list as it was handed over. No two offers have one stamp, so that the stamp in force says which one is. */
    private record Offer(TargetList list, Rendering rendering, long atNanos) {}

    /** Tells {@code inForce}, from its thread, of each list that the server was proven to run. */
    Steered(String name, ManagedServer server, EdgeFiles files, Consumer<TargetList> inForce) {
        this.name = name;
        this.server = server;
        this.files = files;
        this.inForce = inForce;
        this.thread = Thread.ofVirtual().name("retier-steer-" + name).unstarted(this::run);
    }

    void start() {
        server.start();
        thread.start();
    }

    /**
     * Hands a list over; the newest counts.
     *
     * @return whether it could be: not one of which no target is a node of the cluster file
     * @throws IOException when it cannot be handed over
     */
    boolean offer(TargetList list) throws IOException {
        lock.lock();
        try {
            long number = Math.max(list.stamp(), Math.max(lastNumber, server.installedStamp()) + 1);
            Optional<Rendering> rendering = files.render(new TargetList(number, list.site(), list.targets()));
            if (rendering.isEmpty()) {
                return false;
            }
            lastNumber = number;
            server.install(rendering.get());
            offered = new Offer(list, rendering.get(), System.nanoTime());
            changed.signalAll();
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        try {
            while (!isClosed()) {
                Offer next = take();
                if (next != null) {
                    watch(next);
                } else {
                    // Somebody else may reload it, who has read the file of before: then it is told anew.
                    server.observe(OBSERVE_TIMEOUT);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Null when nothing has been offered for a while. */
    private @Nullable Offer take() throws InterruptedException {
        lock.lock();
        try {
            long leftNanos = AT_REST_LOOK_NANOS;
            while (offered == null && !isClosed && leftNanos > 0) {
                leftNanos = changed.awaitNanos(leftNanos);
            }
            return offered;
        } finally {
            lock.unlock();
        }
    }

    private boolean isClosed() {
        lock.lock();
        try {
            return isClosed;
        } finally {
            lock.unlock();
        }
    }

    /** One look at the server, and the rest until the next one. */
    private void watch(Offer offer) throws InterruptedException {
        long stamp = offer.rendering.stamp();
        ServerStatus status = status(server.observe(OBSERVE_TIMEOUT));
        String refusal = status == null ? null : status.lastRefusal();
        if (status != null && refusal == null && status.appliedStamp() == stamp) {
            if (isRefused) {
                isRefused = false;
                LOG.info("{}: the newest targets are in force again", name);
            }
            inForce.accept(offer.list);
            done(offer);
            return;
        }
        long age = System.nanoTime() - offer.atNanos;
        if (refusal != null && refusal.startsWith("stamp " + stamp + " ") && age >= AGAIN_NANOS) {
            isRefused = true;
            LOG.warn("{}: the newest targets are not in force: {}", name, refusal);
            again(offer);
        }
        rest(offer, age < SOON_NANOS ? server.closestIntervalNanos() : LATE_LOOK_NANOS);
    }

    private static @Nullable ServerStatus status(Observation observation) {
        return switch (observation) {
            case Observation.Whole(ServerStatus status, long _, long _) -> status;
            case Observation.Partial(ServerStatus status, String _) -> status;
            case Observation.Mute _, Observation.Silent _ -> null;
        };
    }

    private void done(Offer offer) {
        lock.lock();
        try {
            offered = offer.equals(offered) ? null : offered;
        } finally {
            lock.unlock();
        }
    }

    private void again(Offer offer) {
        lock.lock();
        try {
            if (offer.equals(offered)) {
                offered = new Offer(offer.list, offer.rendering, System.nanoTime());
                server.install(offer.rendering);
            }
        } catch (IOException e) {
            LOG.warn("{}: the newest targets cannot be handed over: {}", name, e.toString());
        } finally {
            lock.unlock();
        }
    }

    private void rest(Offer offer, long nanos) throws InterruptedException {
        long leftNanos = nanos;
        lock.lock();
        try {
            while (!isClosed && leftNanos > 0 && offer.equals(offered)) {
                leftNanos = changed.awaitNanos(leftNanos);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Stops; the server goes on with what it has. */
    @Override
    public void close() {
        lock.lock();
        try {
            isClosed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        try {
            thread.join(JOIN_TIMEOUT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        server.close();
    }
}
