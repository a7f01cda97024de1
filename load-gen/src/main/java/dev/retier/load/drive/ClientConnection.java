package dev.retier.load.drive;

import dev.retier.load.http.RequestHead;
import dev.retier.load.measure.FailureKind;
import dev.retier.load.target.Target;
import dev.retier.traces.TraceEvent;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The connection of one client, to one target at a time, and the memory of its requests. On its event loop. */
final class ClientConnection {
    private final RequestBuffer buffer = new RequestBuffer();
    private final AddressTurn addresses;
    private @Nullable Destination destination;
    private @Nullable Channel channel;

    /** For client {@code number} of the run. */
    ClientConnection(int number) {
        this.addresses = new AddressTurn(number);
    }

    boolean is(Channel other) {
        return other.equals(channel);
    }

    /** Host and port of whom was spoken to last; empty before that. */
    String name() {
        return destination == null ? "" : destination.name();
    }

    /** Whom it leads to; null when there is none. */
    @Nullable
    Target target() {
        return channel != null && destination != null ? destination.target() : null;
    }

    /** Turns to {@code to}; whether there is a connection to it that can be used. */
    boolean turn(Destination to) {
        boolean connected = channel != null && channel.isActive() && to.target().equals(target());
        destination = to;
        return connected;
    }

    /** Begins to open one to the first address of whom it was turned to. */
    void open(Connector connector, Connector.Caller caller) {
        Destination to = destination();
        open(connector, to, addresses.first(to), caller);
    }

    /** Tries the next address after {@code failure}; whether there was one to try. */
    boolean openAnother(FailureKind failure, Destination to, Connector connector, Connector.Caller caller) {
        InetSocketAddress another = addresses.after(failure, to);
        if (another != null) {
            open(connector, to, another, caller);
        }
        return another != null;
    }

    private void open(Connector connector, Destination to, InetSocketAddress address, Connector.Caller caller) {
        leave();
        channel = connector.open(to, address, caller);
    }

    /** The present address did not answer: whom it is of. */
    Target skipAddress() {
        addresses.skip();
        return destination().target();
    }

    /** An empty buffer for {@code event}'s request. */
    ByteBuf request(TraceEvent event) {
        return buffer.empty(channel(), destination().head().maxLengthBytes(event));
    }

    /** Sends {@code request}, which is of {@link #request}, and what of {@code event}'s is apart from it. */
    void send(ByteBuf request, TraceEvent event) {
        Channel to = channel();
        ByteBuffer apart = RequestHead.apart(event);
        if (apart == null) {
            var _ = to.writeAndFlush(request.retain(), to.voidPromise());
        } else {
            var _ = to.write(request.retain(), to.voidPromise());
            var _ = to.writeAndFlush(Unpooled.wrappedBuffer(apart), to.voidPromise());
        }
    }

    Destination destination() {
        if (destination == null) {
            throw new IllegalStateException("nobody was turned to");
        }
        return destination;
    }

    Channel channel() {
        if (channel == null) {
            throw new IllegalStateException("no connection to " + name());
        }
        return channel;
    }

    /** Closes it, if there is one. */
    void leave() {
        Channel left = channel;
        channel = null;
        if (left != null) {
            var _ = left.close();
        }
    }

    /** Gives back the memory. */
    void release() {
        leave();
        buffer.release();
    }
}
