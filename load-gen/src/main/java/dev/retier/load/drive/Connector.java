package dev.retier.load.drive;

import dev.retier.load.measure.FailureKind;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ConnectTimeoutException;
import io.netty.handler.ssl.SslHandler;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens connections, with TLS where the destination wants it. On one event loop. */
final class Connector {
    private static final Logger LOG = LoggerFactory.getLogger(Connector.class);

    private final Bootstrap bootstrap;
    private final TlsContext tls;
    private final FirstCauses causes;

    /** Who wants a connection. */
    interface Caller extends ConnectionHandler.Owner {
        /** {@code opened} can be used; or, if {@code failure} is not null, cannot. */
        void connected(Channel opened, Destination to, @Nullable FailureKind failure);
    }

    Connector(Bootstrap bootstrap, TlsContext tls, FirstCauses causes) {
        this.bootstrap = bootstrap;
        this.causes = causes;
        this.tls = tls;
    }

    /**
     * Begins, to one of the destination's addresses; {@code caller} is told of the outcome, by no means before this has
     * returned.
     */
    Channel open(Destination to, InetSocketAddress address, Caller caller) {
        ChannelFuture connecting =
                bootstrap.clone().handler(handlers(to, caller)).connect(address);
        Channel opened = connecting.channel();
        connecting.addListener(future -> tcpDone(opened, to, caller, future.cause()));
        return opened;
    }

    private ChannelHandler handlers(Destination to, Caller caller) {
        String serverName = to.serverName();
        ConnectionHandler last = new ConnectionHandler(caller, causes);
        if (serverName == null) {
            return last;
        }
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel opened) {
                opened.pipeline()
                        .addLast(tls.newHandler(opened, serverName, to.target().port()), last);
            }
        };
    }

    private void tcpDone(Channel opened, Destination to, Caller caller, @Nullable Throwable failure) {
        if (failure != null) {
            FailureKind kind = kindOf(failure);
            causes.add(kind, failure);
            tell(opened, to, caller, kind);
        } else if (to.serverName() == null) {
            tell(opened, to, caller, null);
        } else {
            opened.pipeline()
                    .get(SslHandler.class)
                    .handshakeFuture()
                    .addListener(future -> tlsDone(opened, to, caller, future.cause()));
        }
    }

    private void tlsDone(Channel opened, Destination to, Caller caller, @Nullable Throwable failure) {
        if (failure != null) {
            LOG.debug("no TLS with {}: {}", to.name(), failure.toString());
            causes.add(FailureKind.TLS_FAILED, failure);
        }
        tell(opened, to, caller, failure == null ? null : FailureKind.TLS_FAILED);
    }

    private static void tell(Channel opened, Destination to, Caller caller, @Nullable FailureKind failure) {
        try {
            caller.connected(opened, to, failure);
        } catch (RuntimeException | Error e) {
            caller.broke(opened, e);
        }
    }

    private static FailureKind kindOf(Throwable failure) {
        if (failure instanceof ConnectTimeoutException) {
            return FailureKind.TIMEOUT;
        }
        String message = String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT);
        boolean refused = failure instanceof ConnectException && message.contains("refused");
        return refused ? FailureKind.CONNECT_REFUSED : FailureKind.CONNECT_FAILED;
    }
}
