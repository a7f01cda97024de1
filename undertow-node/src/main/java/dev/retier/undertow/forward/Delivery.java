package dev.retier.undertow.forward;

import dev.retier.undertow.status.NodeHeaders;
import dev.retier.undertow.upstream.Route;
import dev.retier.undertow.upstream.Upstream;
import dev.retier.undertow.upstream.UpstreamPool;
import io.undertow.client.ClientConnection;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.proxy.ProxyCallback;
import io.undertow.server.handlers.proxy.ProxyConnection;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.xnio.IoUtils;
import org.xnio.XnioExecutor;
import org.xnio.XnioIoThread;
import org.xnio.conduits.StreamSinkConduit;

/** One request on its way to an app. Lives on the I/O thread of its exchange. */
final class Delivery {
    private static final Logger LOG = Logger.getLogger(Delivery.class);

    private final HttpServerExchange exchange;
    private final XnioIoThread thread;
    private final Route route;
    /** Where the request is now. */
    private @Nullable Upstream app;

    private @Nullable ClientConnection connection;
    private XnioExecutor.@Nullable Key deadline;
    private boolean reused;
    /** The app answered before it had the whole request, so its connection may be left in the middle of that. */
    private boolean isEarly;

    private boolean isOver;

    Delivery(UpstreamPool apps, HttpServerExchange exchange) {
        this.exchange = exchange;
        this.thread = exchange.getIoThread();
        this.route = new Route(apps, thread);
    }

    /** Looks for the first app. */
    void start(ProxyCallback<ProxyConnection> callback) {
        go(route.next(), callback);
    }

    /** Looks for another one, as the connection that was given has broken before the answer. */
    void startAgain(ProxyCallback<ProxyConnection> callback) {
        go(left("its connection broke"), callback);
    }

    /** The answer begins, on that conduit: its head must not wait for its body, which may come much later. */
    StreamSinkConduit answeredOver(StreamSinkConduit conduit) {
        cancelDeadline();
        isEarly = !exchange.isRequestComplete();
        thread.execute(() -> flush(conduit));
        return conduit;
    }

    /** The exchange is over; a connection that is still good is kept. */
    void over() {
        if (exchange.isInIoThread()) {
            end();
        } else {
            thread.execute(this::end);
        }
    }

    private void go(@Nullable Upstream next, ProxyCallback<ProxyConnection> callback) {
        app = next;
        if (next == null) {
            callback.couldNotResolveBackend(exchange);
            return;
        }
        next.enter();
        next.open(thread, exchange.getConnection().getByteBufferPool(), route.freshOnly(), new Upstream.Opened() {
            @Override
            public void opened(ClientConnection opened, boolean wasUsed) {
                if (isOver) {
                    IoUtils.safeClose(opened);
                } else {
                    send(next, opened, wasUsed, callback);
                }
            }

            @Override
            public void failed(String reason) {
                if (!isOver) {
                    go(left(reason), callback);
                }
            }
        });
    }

    private void send(Upstream to, ClientConnection opened, boolean wasUsed, ProxyCallback<ProxyConnection> callback) {
        connection = opened;
        reused = wasUsed;
        exchange.getResponseHeaders().put(NodeHeaders.APP, to.node());
        awaitAnswer(to);
        // Undertow takes from the path what handlers before this one have resolved, such as a context path.
        callback.completed(exchange, new ProxyConnection(opened, exchange.getResolvedPath()));
    }

    /** Gives up the app that has not answered; where to go then. */
    private @Nullable Upstream left(String reason) {
        Upstream broken = app;
        if (broken == null) {
            return null;
        }
        LOG.debugf("%s did not answer %s: %s", broken.node(), exchange.getRequestPath(), reason);
        cancelDeadline();
        broken.leave();
        IoUtils.safeClose(connection);
        connection = null;
        boolean wasUsed = reused;
        reused = false;
        return route.after(broken, wasUsed);
    }

    private void awaitAnswer(Upstream from) {
        deadline = thread.executeAfter(() -> late(from), from.limits().timeoutMillis(), TimeUnit.MILLISECONDS);
    }

    /** As long as the request is still coming the app cannot be late. */
    private void late(Upstream from) {
        if (!exchange.isRequestComplete()) {
            awaitAnswer(from);
            return;
        }
        LOG.debugf(
                "%s has not begun its answer in %d ms",
                from.node(), from.limits().timeoutMillis());
        reused = false; // the app itself hangs
        breakOff(connection);
    }

    /**
     * Ends a connection at once, which Undertow's proxy hears of. Its own close first waits for the peer, for up to ten
     * seconds, and whoever hangs does not close; so the bare connection is closed, as which an upgrade hands it out.
     */
    private static void breakOff(@Nullable ClientConnection hanging) {
        if (hanging == null) {
            return;
        }
        try {
            IoUtils.safeClose(hanging.performUpgrade());
        } catch (IOException e) {
            IoUtils.safeClose(hanging);
        }
    }

    private void cancelDeadline() {
        XnioExecutor.Key running = deadline;
        deadline = null;
        if (running != null) {
            running.remove();
        }
    }

    private void flush(StreamSinkConduit conduit) {
        if (!exchange.isComplete()) {
            try {
                conduit.flush();
            } catch (IOException e) {
                IoUtils.safeClose(exchange.getConnection());
            }
        }
    }

    private void end() {
        isOver = true;
        cancelDeadline();
        Upstream last = app;
        app = null;
        if (last != null) {
            last.leave();
            settle(last, connection);
        }
    }

    private void settle(Upstream last, @Nullable ClientConnection used) {
        if (used == null || used.isUpgraded()) {
            return; // an upgraded one belongs to the two that speak over it now
        }
        if (isEarly) {
            IoUtils.safeClose(used);
        } else {
            last.giveBack(used, thread, System.nanoTime());
        }
    }
}
