package dev.retier.iwarp.net;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/** The start-up frames of a connection: what is left to send of them, and what a tap has to see. */
@SuppressWarnings("ArrayRecordComponent") // bytes of the wire, never compared
sealed interface Startup {
    /** Hands what is to be sent to the socket, after showing the tap what went before. */
    void show(StreamSocket socket, TapFactory taps, boolean initiator) throws IOException;

    /** We sent the Request and received the Reply. */
    record Initiated(byte[] request, ByteBuffer reply) implements Startup {
        @Override
        public void show(StreamSocket socket, TapFactory taps, boolean initiator) throws IOException {
            Tap tap = open(socket, taps, initiator);
            if (tap != null) {
                tap.sent(ByteBuffer.wrap(request));
                tap.received(reply);
                socket.tap(tap);
            }
        }
    }

    /** We received the Request and have yet to send the Reply. */
    record Responded(ByteBuffer request, byte[] reply) implements Startup {
        @Override
        public void show(StreamSocket socket, TapFactory taps, boolean initiator) throws IOException {
            Tap tap = open(socket, taps, initiator);
            if (tap != null) {
                tap.received(request);
                socket.tap(tap);
            }
            socket.append(reply);
        }
    }

    private static @org.jspecify.annotations.Nullable Tap open(StreamSocket socket, TapFactory taps, boolean initiator)
            throws IOException {
        return taps.open(
                (InetSocketAddress) socket.channel().getLocalAddress(),
                (InetSocketAddress) socket.channel().getRemoteAddress(),
                initiator);
    }
}
