package dev.retier.webnode;

import dev.retier.config.ConfigException;
import dev.retier.config.HostPort;
import dev.retier.webnode.admin.AdminHandler;
import dev.retier.webnode.admin.NodeMetrics;
import dev.retier.webnode.config.WebNodeSettings;
import dev.retier.webnode.measure.NodeStatus;
import dev.retier.webnode.serve.HttpEndpoint;
import dev.retier.webnode.serve.TrafficHandler;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.undertow.server.HttpHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running web-node. Thread-safe; do not call {@link #close} on an I/O thread. */
public final class WebNode implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WebNode.class);

    /** How often the files of the agent are looked at: a change takes effect within some 10 ms. */
    private static final long POLL_MILLIS = 10;

    private static final int MAX_ADMIN_CONNECTIONS = 256;

    private final WebNodeSettings settings;
    private final NodeCore core;
    private final PrometheusMeterRegistry registry;
    private final HttpEndpoint traffic;
    private final HttpEndpoint admin;
    private final Future<?> following;
    private final Runnable afterClose;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final CountDownLatch ended = new CountDownLatch(1);

    private WebNode(WebNodeSettings settings, WebNodeRuntime runtime, Runnable afterClose) {
        this.settings = settings;
        this.afterClose = afterClose;
        this.registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        this.core = new NodeCore(settings, runtime, registry);
        core.follower().start();
        NodeMetrics.bind(registry, core, core.counters(), Version.current());
        this.traffic = listen(runtime, "listen", settings.listen(), trafficHandler());
        this.admin = listenAdmin(runtime);
        this.following = runtime.files()
                .scheduleWithFixedDelay(() -> pollGuarded(core), POLL_MILLIS, POLL_MILLIS, TimeUnit.MILLISECONDS);
        LOG.info("{} serves on {}, admin on {}, {}", settings.node(), address(), adminAddress(), settings);
    }

    /**
     * Starts a node with threads of its own.
     *
     * @throws ConfigException when the role file is missing or refused
     * @throws WebNodeException when an address cannot be listened on
     */
    public static WebNode start(WebNodeSettings settings) {
        WebNodeRuntime runtime = WebNodeRuntime.create(settings.ioThreads());
        try {
            return new WebNode(settings, runtime, runtime::close);
        } catch (ConfigException | WebNodeException e) {
            runtime.close();
            throw e;
        }
    }

    /**
     * Starts a node on shared threads; the runtime stays open when the node is closed.
     *
     * @throws ConfigException when the role file is missing or refused
     * @throws WebNodeException when an address cannot be listened on
     */
    public static WebNode start(WebNodeSettings settings, WebNodeRuntime runtime) {
        return new WebNode(settings, runtime, () -> {});
    }

    /** Where it serves, with the port that the system chose. */
    public InetSocketAddress address() {
        return traffic.address();
    }

    /** Where status, metrics and health are served. */
    public InetSocketAddress adminAddress() {
        return admin.address();
    }

    /** What {@code /status} shows. */
    public NodeStatus status() {
        return core.status();
    }

    /**
     * Stops accepting, lets the requests in the node finish up to the close deadline, then closes all connections.
     * Closing again does nothing.
     */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        traffic.stopAccepting();
        core.inFlight().close();
        boolean empty = awaitEmpty();
        LOG.info(
                "{} closes{}",
                settings.node(),
                empty ? "" : " with " + core.inFlight().all() + " requests cut off");
        following.cancel(false);
        traffic.closeConnections();
        admin.stopAccepting();
        admin.closeConnections();
        core.closeUpstreams();
        registry.close();
        afterClose.run();
        ended.countDown();
    }

    /**
     * Waits until another thread has closed the node.
     *
     * @throws InterruptedException when the waiting thread is interrupted
     */
    public void awaitClosed() throws InterruptedException {
        ended.await();
    }

    private boolean awaitEmpty() {
        try {
            return core.inFlight().awaitEmpty(settings.limits().closeDeadlineMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private HttpHandler trafficHandler() {
        return new TrafficHandler(settings, core::plan, core.workLine(), core.inFlight(), core.counters());
    }

    private HttpEndpoint listenAdmin(WebNodeRuntime runtime) {
        try {
            return listen(runtime, "admin", settings.admin(), new AdminHandler(core, registry));
        } catch (WebNodeException e) {
            traffic.stopAccepting();
            throw e;
        }
    }

    private HttpEndpoint listen(WebNodeRuntime runtime, String key, HostPort address, HttpHandler handler) {
        int connections =
                "admin".equals(key) ? MAX_ADMIN_CONNECTIONS : settings.limits().maxConnections();
        try {
            return HttpEndpoint.open(runtime.worker(), runtime.buffers(), address, handler, connections);
        } catch (IOException e) {
            String remedy = "; stop what uses it, or change \"" + key + "\" in the settings of " + settings.node();
            throw new WebNodeException("cannot listen on " + address + ": " + e.getMessage() + remedy, e);
        }
    }

    private static void pollGuarded(NodeCore core) {
        try {
            core.poll();
        } catch (RuntimeException e) {
            LOG.error("looking at the files of the agent failed in the node itself; trying again", e);
        }
    }
}
