package dev.retier.undertow.forward;

import dev.retier.undertow.status.Tally;
import dev.retier.undertow.upstream.UpstreamPool;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.proxy.ProxyCallback;
import io.undertow.server.handlers.proxy.ProxyClient;
import io.undertow.server.handlers.proxy.ProxyConnection;
import io.undertow.util.AttachmentKey;
import java.util.concurrent.TimeUnit;

/** Gives Undertow's proxy its connections: the first of a request, and another after each that broke. Thread-safe. */
final class AppClient implements ProxyClient {
    private static final AttachmentKey<Delivery> DELIVERY = AttachmentKey.create(Delivery.class);
    private static final ProxyTarget ANY_APP = new ProxyTarget() {};

    private final UpstreamPool apps;

    AppClient(UpstreamPool apps) {
        this.apps = apps;
    }

    @Override
    public ProxyTarget findTarget(HttpServerExchange exchange) {
        return ANY_APP;
    }

    /** Called on the I/O thread of the exchange. */
    @Override
    public void getConnection(
            ProxyTarget target,
            HttpServerExchange exchange,
            ProxyCallback<ProxyConnection> callback,
            long timeout,
            TimeUnit timeUnit) {
        Delivery known = exchange.getAttachment(DELIVERY);
        if (known == null) {
            apps.counters().add(Tally.FORWARDED);
            Delivery delivery = new Delivery(apps, exchange);
            exchange.putAttachment(DELIVERY, delivery);
            exchange.addExchangeCompleteListener((_, next) -> {
                delivery.over();
                next.proceed();
            });
            exchange.addResponseWrapper((factory, _) -> delivery.answeredOver(factory.create()));
            delivery.start(callback);
        } else {
            known.startAgain(callback);
        }
    }
}
