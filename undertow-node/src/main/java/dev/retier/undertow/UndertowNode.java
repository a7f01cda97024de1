package dev.retier.undertow;

import dev.retier.balance.Loads;
import dev.retier.undertow.follow.LoadsFollower;
import dev.retier.undertow.follow.RoleFollower;
import dev.retier.undertow.forward.ProxyRole;
import dev.retier.undertow.load.MeasuredLoad;
import dev.retier.undertow.load.NodeLoad;
import dev.retier.undertow.role.LetGo;
import dev.retier.undertow.role.Role;
import dev.retier.undertow.role.RoleFile;
import dev.retier.undertow.status.InFlight;
import dev.retier.undertow.status.NodeCounters;
import dev.retier.undertow.status.NodeStatus;
import dev.retier.undertow.status.Tally;
import dev.retier.undertow.upstream.UpstreamPool;
import dev.retier.undertow.upstream.UpstreamSettings;
import io.undertow.server.HandlerWrapper;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.xnio.XnioWorker;

/**
 * Makes an Undertow program a node of retier. It follows the role file that the agent writes: as proxy it forwards to
 * the app nodes in it, as app (and as spare) what it wraps answers. A role takes effect within some 10 ms, and each
 * request ends in the role in which it began.
 *
 * <p>{@link #wrap} goes around the handler of the program, {@link #admin} on a listener of its own, which the cluster
 * file gives as {@code admin}. Thread-safe; do not call {@link #close} on an I/O thread.
 */
public final class UndertowNode implements HandlerWrapper, AutoCloseable {
    private static final Logger LOG = Logger.getLogger(UndertowNode.class);

    /** How often the files of the agent are looked at. */
    private static final long POLL_MILLIS = 10;

    private static final double NANOS_PER_SECOND = 1e9;

    private final String name;
    private final ProxyRole proxyRole;
    private final NodeLoad load;
    private final Function<HttpServerExchange, String> classOf;
    private final Duration closeDeadline;
    private final NodeCounters counters;
    private final InFlight inFlight;
    private final RoleFollower follower;
    private final LoadsFollower loadsFollower;
    private final long startNanos = System.nanoTime();
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile Plan plan;
    private volatile Runnable stopFollowing = () -> {};
    /** The newest loads, if they are fresh; used by the thread that looks at files. */
    private @Nullable Loads loads;

    private UndertowNode(NodeBuilder settings) {
        this.name = settings.name;
        this.proxyRole = settings.proxyRole;
        this.load = settings.load == null ? MeasuredLoad.ofThisProcess() : settings.load;
        this.classOf = settings.classOf;
        this.closeDeadline = settings.closeDeadline;
        this.counters = new NodeCounters(settings.classes);
        this.inFlight = new InFlight(settings.maxInFlight);
        UpstreamPool noApps = UpstreamPool.empty(new UpstreamSettings(settings.limits, counters));
        this.plan = new Plan(
                new RoleFile(0, Role.SPARE, null, List.of(), LetGo.NONE, List.of()), "", noApps, null, KnownNodes.ALL);
        this.follower = new RoleFollower(name, settings.roleFile, counters, this::apply);
        this.loadsFollower = new LoadsFollower(name, settings.roleFile, new Telling(), startNanos);
    }

    /**
     * The settings of a node, to be started with {@link NodeBuilder#start}.
     *
     * @param name its name in the cluster file
     * @param roleFile the file that its agent writes, {@code role-file} in the cluster file
     * @throws IllegalArgumentException when the name is none
     */
    public static NodeBuilder builder(String name, Path roleFile) {
        return new NodeBuilder(name, roleFile);
    }

    static UndertowNode start(NodeBuilder settings) {
        UndertowNode node = new UndertowNode(settings);
        node.follower.start();
        node.follow(settings.files);
        return node;
    }

    /**
     * Goes around what answers as app. The program's other handlers, blocking or not, and what they do with an exchange
     * are left alone. Several handlers may be wrapped, if no request goes through two of them.
     *
     * @param app what answers while the node is app or spare, and whatever a proxy has forwarded
     * @throws IllegalStateException when the node is closed
     */
    @Override
    public HttpHandler wrap(HttpHandler app) {
        Objects.requireNonNull(app, "app: give the handler that answers while the node is app");
        if (closed.get()) {
            throw new IllegalStateException(name + " is closed; start another node for this handler");
        }
        return new FramedRequests(new NodeHandler(this, inFlight, counters, app));
    }

    /**
     * Serves {@code /status}, which the agent reads, {@code /livez} and {@code /readyz}. For a listener of its own that
     * only the machine or the cell's network reaches: who may see it sees names and addresses of app nodes.
     */
    public HttpHandler admin() {
        return new AdminHandler(this);
    }

    /** What {@code /status} shows. */
    public NodeStatus status() {
        Plan current = plan;
        long now = System.nanoTime();
        double clientAge = counters.lastClientRequestAgeSeconds(now);
        return new NodeStatus(
                name,
                current.file().role().word(),
                current.file().site(),
                current.file().epoch(),
                current.sha256(),
                follower.lastRefusal(),
                counters.get(Tally.ROLE_FILES_REFUSED),
                inFlight.isClosing(),
                (now - startNanos) / NANOS_PER_SECOND,
                load.capacityUnitsPerSecond(),
                load.busySeconds(),
                load.backlogSeconds(),
                inFlight.all(),
                inFlight.fromClients(),
                clientAge < 0 ? null : clientAge,
                counters.requests(),
                counters.completed(),
                counters.completedPerSecond(now),
                counters.get(Tally.ERRORS),
                counters.get(Tally.REJECTED),
                proxyRole.cache(current.proxy()),
                counters.get(Tally.FORWARDED),
                counters.get(Tally.RETRIES),
                counters.get(Tally.LET_GO),
                current.upstreams().goesByLoads(),
                current.upstreams().status(now));
    }

    /** Why the node should get no requests now; empty when it is ready. */
    public Optional<String> notReadyReason() {
        Plan current = plan;
        if (inFlight.isClosing()) {
            return Optional.of("closing");
        }
        if (current.file().role() == Role.PROXY && !current.upstreams().anyInPlay(System.nanoTime())) {
            return Optional.of("no app node answers");
        }
        return Optional.empty();
    }

    /** What was counted so far. */
    public long count(Tally tally) {
        return counters.get(tally);
    }

    /** When a role file was last applied, milliseconds since 1970 in UTC. */
    public long lastAppliedUnixMillis() {
        return follower.lastAppliedUnixMillis();
    }

    /**
     * From now on each answer asks its client to disconnect; waits until the node is empty or the close deadline is
     * over, then follows no file any more. Stop Undertow afterwards: until then requests are served in the last role.
     * Closing again does nothing.
     */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        inFlight.close();
        boolean empty = awaitEmpty();
        LOG.infof("%s closes%s", name, empty ? "" : " with " + inFlight.all() + " requests in it");
        stopFollowing.run();
        UpstreamPool apps = plan.upstreams();
        apps.retireExcept(apps.successor(List.of()));
    }

    Plan plan() {
        return plan;
    }

    String name() {
        return name;
    }

    String classOf(HttpServerExchange exchange) {
        return classOf.apply(exchange);
    }

    void servedBy(XnioWorker worker) {
        if (load instanceof MeasuredLoad measured) {
            measured.servedBy(worker);
        }
    }

    private boolean awaitEmpty() {
        try {
            return inFlight.awaitEmpty(closeDeadline.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void follow(@Nullable ScheduledExecutorService shared) {
        ScheduledExecutorService files = shared != null
                ? shared
                : Executors.newSingleThreadScheduledExecutor(
                        Thread.ofPlatform().name("retier " + name).daemon(true).factory());
        Future<?> following =
                files.scheduleWithFixedDelay(this::pollGuarded, POLL_MILLIS, POLL_MILLIS, TimeUnit.MILLISECONDS);
        stopFollowing = () -> {
            following.cancel(false);
            files.execute(loadsFollower::close);
            if (shared == null) {
                files.shutdown();
            }
        };
    }

    private void pollGuarded() {
        try {
            follower.poll();
            if (plan.file().role() == Role.PROXY) {
                loadsFollower.poll(System.nanoTime());
            }
            if (load instanceof MeasuredLoad measured) {
                measured.sample();
            }
        } catch (RuntimeException e) {
            LOG.error("looking at the files of the agent failed in the node itself; trying again", e);
        }
    }

    private void apply(RoleFile newer, String sha256) {
        Plan before = plan;
        Plan after = before.successor(newer, sha256, proxyRole);
        after.upstreams().goBy(loads);
        plan = after;
        before.upstreams().retireExcept(after.upstreams());
    }

    /** Hears of the loads of the apps. */
    private final class Telling implements LoadsFollower.Listener {
        @Override
        public void told(Loads newest) {
            goBy(newest);
        }

        @Override
        public void lost() {
            goBy(null);
        }

        private void goBy(@Nullable Loads newest) {
            loads = newest;
            plan.upstreams().goBy(newest);
        }
    }
}
