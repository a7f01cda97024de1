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
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Two servers of one node, one for each tier: that of the role works, and is what is observed; the other is told that
 * it has nothing to do, and waits warm, or is stopped and started when it is needed. A spare is observed by the one of
 * the proxy tier. A virtual thread stops and starts.
 */
final class TieredServers implements ManagedServer {
    /** A move that is undone, and the next one, find both servers warm. */
    private static final long REST_AFTER_NANOS = 10_000_000_000L;

    private static final long LOOK_EVERY_NANOS = 1_000_000_000L;
    private static final Duration JOIN_TIMEOUT = Duration.ofSeconds(5);

    private final Tiered proxy;
    private final Tiered app;
    private final NodeFiles files;
    private final Thread thread;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean isClosing; // guarded by lock
    private long workingSinceNanos = System.nanoTime(); // guarded by lock
    private volatile boolean isApp;
    /** Whether the one that works has answered since it does. */
    private volatile boolean isAnswering;
    /** Touched by who installs: the role of the newest file. */
    private String told = "";

    /** One of them. */
    private record Tiered(ServerConfig config, ManagedServer server, Optional<ServerPower> power) {
        static Tiered open(String name, ServerConfig config, Path folder, InstallerEvents events) {
            boolean isStopped =
                    config.control() != null && config.control().commands().isStopped();
            return new Tiered(
                    config,
                    ManagedServers.open(name, config, events),
                    isStopped ? Optional.of(new ServerPower(name, config, folder)) : Optional.empty());
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
        this.proxy = Tiered.open(node.name(), node.server(), config.journalDirectory(), events);
        this.app = Tiered.open(node.name(), app, config.journalDirectory(), events);
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
    public Observation observe(Duration timeout) {
        boolean isOfApp = isApp;
        Observation seen = (isOfApp ? app : proxy).server.observe(timeout);
        if (seen instanceof Observation.Whole && isOfApp == isApp) {
            isAnswering = true;
        }
        return seen;
    }

    /** The one that is to work first: until it does, the other one is no worse as it is. */
    @Override
    public void install(Rendering rendering) throws IOException {
        boolean isForApp = rendering.role().equals(RoleFlags.APP);
        Tiered wanted = isForApp ? app : proxy;
        Tiered idle = isForApp ? proxy : app;
        wanted.server.install(rendering);
        if (isForApp != isApp) {
            lock.lock();
            try {
                isApp = isForApp;
                isAnswering = false;
                workingSinceNanos = System.nanoTime();
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
        if (!told.equals(rendering.role())) {
            idle.server.install(files.idle(idle.config, rendering.stamp()));
            told = rendering.role();
        }
    }

    @Override
    public long installedStamp() {
        return Math.max(proxy.server.installedStamp(), app.server.installedStamp());
    }

    private void run() {
        try {
            while (!isClosing()) {
                boolean isOfApp = isApp;
                Optional<ServerPower> power = (isOfApp ? app : proxy).power.filter(ServerPower::isStopped);
                if (power.isPresent() && isAnswering) {
                    power.get().answers();
                } else if (power.isPresent()) {
                    power.get().start();
                }
                rest(isOfApp);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isClosing() {
        lock.lock();
        try {
            return isClosing;
        } finally {
            lock.unlock();
        }
    }

    /** Stops the other one once all is calm, and waits until there may be something to do. */
    private void rest(boolean isOfApp) throws InterruptedException {
        Optional<ServerPower> idle = (isOfApp ? proxy : app).power;
        boolean isCalm;
        lock.lock();
        try {
            isCalm = isOfApp == isApp && isAnswering && System.nanoTime() - workingSinceNanos >= REST_AFTER_NANOS;
        } finally {
            lock.unlock();
        }
        if (isCalm && idle.isPresent()) {
            idle.get().stop();
        }
        long leftNanos = LOOK_EVERY_NANOS;
        lock.lock();
        try {
            while (!isClosing && leftNanos > 0 && isOfApp == isApp) {
                leftNanos = changed.awaitNanos(leftNanos);
            }
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
