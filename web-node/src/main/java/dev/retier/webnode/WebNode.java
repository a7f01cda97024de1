package dev.retier.webnode;

import dev.retier.config.ConfigException;
import dev.retier.config.HostPort;
import dev.retier.config.Version;
import dev.retier.undertow.UndertowNode;
import dev.retier.undertow.status.NodeStatus;
import dev.retier.webnode.admin.AdminHandler;
import dev.retier.webnode.admin.NodeMetrics;
import dev.retier.webnode.config.WebNodeSettings;
import dev.retier.webnode.core.RequestClass;
import dev.retier.webnode.measure.CacheCounters;
import dev.retier.webnode.measure.Durations;
import dev.retier.webnode.serve.HttpEndpoint;
import dev.retier.webnode.serve.Origin;
import dev.retier.webnode.serve.ProxyDuty;
import dev.retier.webnode.serve.TrafficHandler;
import dev.retier.webnode.serve.WorkLine;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running web-node. Thread-safe; do not call {@link #close} on an I/O thread. */
public final class WebNode implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WebNode.class);

    private static final int MAX_ADMIN_CONNECTIONS = 256;

    private final WebNodeSettings settings;
    private final UndertowNode node;
    private final PrometheusMeterRegistry registry;
    private final HttpEndpoint traffic;
    private final HttpEndpoint admin;
    private final Runnable afterClose;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final CountDownLatch ended = new CountDownLatch(1);

    private WebNode(WebNodeSettings settings, WebNodeRuntime runtime, Runnable afterClose) {
        this.settings = settings;
        this.afterClose = afterClose;
        this.registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        Durations durations = new Durations(registry);
        WorkLine workLine = new WorkLine(settings.capacityUnitsPerSecond(), runtime.timer());
        this.node = UndertowNode.builder(settings.node(), settings.roleFile())
                .upstreamLimits(settings.limits().upstream())
                .maxInFlight(settings.limits().maxInFlight())
                .closeDeadline(Duration.ofMillis(settings.limits().closeDeadlineMillis()))
                .classes(RequestClass.words(), WebNode::classOf)
                .load(workLine)
                .proxy(new ProxyDuty(settings, workLine, durations, new CacheCounters()))
                .files(runtime.files())
                .start();
        NodeMetrics.bind(registry, node, Version.current());
        HttpHandler origin = new Origin(settings, workLine, durations);
        try {
            this.traffic = listen(runtime, "listen", settings.listen(), new TrafficHandler(node.wrap(origin)));
            this.admin = listenAdmin(runtime);
        } catch (WebNodeException e) {
            node.close();
            throw e;
        }
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
        return node.status();
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
        node.close();
        traffic.closeConnections();
        admin.stopAccepting();
        admin.closeConnections();
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

    private HttpEndpoint listenAdmin(WebNodeRuntime runtime) {
        try {
            return listen(runtime, "admin", settings.admin(), new AdminHandler(node.admin(), registry));
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

    private static String classOf(HttpServerExchange exchange) {
        return RequestClass.of(exchange.getRequestPath()).orElseThrow().word();
    }
}
