package dev.retier.agent.server;

import dev.retier.agent.config.AgentConfig;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.render.NodeFiles;
import dev.retier.agent.render.Rendering;
import dev.retier.agent.render.RoleFlags;
import dev.retier.agent.status.Observation;
import dev.retier.state.Role;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Two servers of one node, one for each tier: that of the role works, and is what is observed; the other is told that
 * it has nothing to do, and waits warm, or is stopped and started when it is needed. A spare is observed by the one of
 * the proxy tier. A virtual thread stops and starts.
 */
final class TieredServers implements ManagedServer {
    /** A move that is undone, and the next one, find both servers warm. */
    private static final long REST_AFTER_NANOS = 10_000_000_000L;

    private static final long LOOK_EVERY_NANOS = 1_000_000_000L;
    private static final long START_LOOK_NANOS = 20_000_000L;
    private static final Duration JOIN_TIMEOUT = Duration.ofSeconds(5);

    private final Tiered proxy;
    private final Tiered app;
    private final NodeFiles files;
    private final Thread thread;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean isClosing; // guarded by lock
    private boolean isApp; // guarded by lock
    /** Counts how often another one has begun to work: what was asked before says nothing of it. */
    private long turn; // guarded by lock
    /** Whether the one that works has answered since, and from when on. */
    private boolean isAnswering; // guarded by lock

    private long answeringSinceNanos; // guarded by lock
    /** For one that has to be started first. */
    private @Nullable Rendering held; // guarded by lock
    /** Touched by who installs: the role of the newest file. */
    private String told = "";

    /** One of them. */
    private record Tiered(ServerConfig config, ManagedServer server, Optional<ServerPower> power) {
        static Tiered open(AgentConfig agent, ServerConfig config, InstallerEvents events) {
            String name = agent.node().name();
            boolean isStopped =
                    config.control() != null && config.control().commands().isStopped();
            return new Tiered(
                    config,
                    ManagedServers.open(name, config, agent.cluster().anyHost(config), events),
                    isStopped
                            ? Optional.of(new ServerPower(name, config, agent.journalDirectory()))
                            : Optional.empty());
        }
    }

    /**
     * Of a node with two.
     *
     * @param app the one of the app tier
     * @param role in which the node is
     * @param files what they read
     */
    TieredServers(AgentConfig config, ServerConfig app, Role role, NodeFiles files, InstallerEvents events) {
        NodeConfig node = config.node();
        this.proxy = Tiered.open(config, node.server(), events);
        this.app = Tiered.open(config, app, events);
        this.isApp = node.server(role).equals(app);
        this.files = files;
        this.thread = Thread.ofVirtual().name("retier-power-" + node.name()).unstarted(this::run);
    }

    @Override
    public void start() {
        proxy.server.start();
        app.server.start();
        if (proxy.power.isPresent() || app.power.isPresent()) {
            thread.start();
        }
    }

    @Override
    public long closestIntervalNanos() {
        return Math.max(proxy.server.closestIntervalNanos(), app.server.closestIntervalNanos());
    }

    @Override
    public boolean tellsOfFiles() {
        return proxy.server.tellsOfFiles() && app.server.tellsOfFiles();
    }

    @Override
    public Observation observe(Duration timeout) {
        boolean isOfApp;
        long asked;
        lock.lock();
        try {
            isOfApp = isApp;
            asked = turn;
        } finally {
            lock.unlock();
        }
        Observation seen = (isOfApp ? app : proxy).server.observe(timeout);
        if (seen instanceof Observation.Whole) {
            answered(asked);
        }
        return seen;
    }

    private void answered(long asked) {
        lock.lock();
        try {
            if (asked == turn && !isAnswering) {
                isAnswering = true;
                answeringSinceNanos = System.nanoTime();
            }
        } finally {
            lock.unlock();
        }
    }

    /** One that was stopped gets its file once it runs again, by the thread that starts it. */
    @Override
    public void install(Rendering rendering) throws IOException {
        boolean isForApp = rendering.role().equals(RoleFlags.APP);
        Tiered wanted = isForApp ? app : proxy;
        boolean isAway = wanted.power.filter(ServerPower::isStopped).isPresent();
        lock.lock();
        try {
            if (isForApp != isApp) {
                isApp = isForApp;
                turn++;
                isAnswering = false;
            }
            held = isAway ? rendering : null;
            if (!isAway) {
                wanted.server.install(rendering);
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (!told.equals(rendering.role())) {
            Tiered idle = isForApp ? proxy : app;
            idle.server.install(files.idle(idle.config, rendering.stamp()));
            told = rendering.role();
        }
    }

    @Override
    public long installedStamp() {
        return Math.max(proxy.server.installedStamp(), app.server.installedStamp());
    }

    /** What there is to do, as it was at one moment. */
    private record Scene(boolean isApp, long turn, boolean isAnswering, boolean isHolding, boolean isCalm) {}

    private Scene scene() {
        lock.lock();
        try {
            boolean isCalm = isAnswering && System.nanoTime() - answeringSinceNanos >= REST_AFTER_NANOS;
            return new Scene(isApp, turn, isAnswering, held != null, isCalm);
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        try {
            boolean isOver = false;
            while (!isOver) {
                Scene now = scene();
                Tiered needed = now.isApp ? app : proxy;
                Tiered idle = now.isApp ? proxy : app;
                if (needed.power.isPresent()) {
                    wake(needed, needed.power.get(), now);
                }
                if (now.isCalm && idle.power.isPresent()) {
                    idle.power.get().stop();
                    forgetAnswers(now.turn);
                }
                isOver = rest(now.turn);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            // Only a web-node's file fails so, and no web-node is stopped.
            throw new UncheckedIOException(e);
        }
    }

    private void wake(Tiered needed, ServerPower power, Scene now) throws IOException, InterruptedException {
        if (power.isStopped() && now.isAnswering && power.isRunning()) {
            power.answers();
        } else {
            power.start();
        }
        if (now.isHolding && power.isRunning()) {
            installHeld(needed, now.turn);
        }
    }

    private void installHeld(Tiered needed, long asked) throws IOException {
        lock.lock();
        try {
            Rendering waiting = held;
            if (waiting != null && asked == turn) {
                needed.server.install(waiting);
                held = null;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Where another one works since: it may have answered before it was stopped. */
    private void forgetAnswers(long before) {
        lock.lock();
        try {
            if (before != turn) {
                turn++;
                isAnswering = false;
            }
        } finally {
            lock.unlock();
        }
    }

    /** While a server starts, a look is due soon. Returns whether this closes. */
    private boolean rest(long asked) throws InterruptedException {
        lock.lock();
        try {
            long leftNanos = held == null ? LOOK_EVERY_NANOS : START_LOOK_NANOS;
            while (!isClosing && leftNanos > 0 && asked == turn) {
                leftNanos = changed.awaitNanos(leftNanos);
            }
            return isClosing;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            isClosing = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        thread.interrupt();
        try {
            if (thread.isAlive()) {
                thread.join(JOIN_TIMEOUT);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        for (Tiered one : new Tiered[] {proxy, app}) {
            one.server.close();
            one.power.ifPresent(ServerPower::close);
        }
    }
}
