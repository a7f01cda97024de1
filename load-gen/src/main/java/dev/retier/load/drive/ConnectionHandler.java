package dev.retier.load.drive;

import dev.retier.load.measure.FailureKind;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import java.io.IOException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hands the bytes and the end of one connection to its owner. On the connection's event loop. */
final class ConnectionHandler extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionHandler.class);

    /** What was sent has been lost; what has been received, and its end, still count. */
    private static final String FAILED_WRITE = "Broken pipe";

    private final Owner owner;
    private final FirstCauses causes;
    private @Nullable FailureKind why;

    /** Who uses the connection. */
    interface Owner {
        /** Bytes came; the owner takes what it wants and does not keep the buffer. */
        void received(Channel from, ByteBuf in);

        /** The connection is over; {@code why} is null when the other side has ended it in good order. */
        void closed(Channel from, @Nullable FailureKind why);

        /** One of the other methods, or something else of ours, threw {@code fault}, which it should not. */
        void broke(Channel from, Throwable fault);
    }

    ConnectionHandler(Owner owner, FirstCauses causes) {
        this.owner = owner;
        this.causes = causes;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf in = (ByteBuf) message;
        try {
            owner.received(context.channel(), in);
        } catch (RuntimeException | Error e) {
            owner.broke(context.channel(), e);
        } finally {
            in.release();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        try {
            owner.closed(context.channel(), why);
        } catch (RuntimeException | Error e) {
            owner.broke(context.channel(), e);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        // A failed TLS record comes as a DecoderException: also the alert of a server that, in TLS 1.3, looks at the
        // client's certificate only after the client has ended its handshake (RFC 8446 section 4.4.2.4).
        if (cause instanceof IOException || cause instanceof DecoderException) {
            LOG.debug("connection to {} ended: {}", context.channel().remoteAddress(), cause.toString());
            if (cause.getCause() instanceof SSLException) {
                why = FailureKind.TLS_FAILED;
                causes.add(why, cause);
            } else if (!String.valueOf(cause.getMessage()).contains(FAILED_WRITE)) {
                why = FailureKind.RESET;
            }
            var _ = context.close();
        } else {
            owner.broke(context.channel(), cause);
        }
    }
}
