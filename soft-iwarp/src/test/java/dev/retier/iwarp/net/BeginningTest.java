package dev.retier.iwarp.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.iwarp.mpa.LargeFpdus;
import dev.retier.iwarp.mpa.MpaFrame;
import dev.retier.iwarp.mpa.MpaResponder;
import dev.retier.iwarp.mpa.RtrKind;
import dev.retier.iwarp.mpa.StartupPolicy;
import dev.retier.iwarp.mpa.StartupResult;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An initiator, and a responder, a bare socket, that says nothing after its Reply. */
@SuppressWarnings("NullAway.Init") // set by open
class BeginningTest {
    private static final StartupPolicy LIKE_SIW =
            new StartupPolicy(2, true, false, true, Set.of(RtrKind.WRITE), 4, 4, LargeFpdus.NEVER);
    private static final int EMPTY_WRITE_BYTES = 20;
    private static final int PATIENCE_MILLIS = 20_000;

    private ProgressLoop loop;
    private ServerSocket peer;

    /** Nobody wants to know. */
    private static final class Listener implements ConnectListener, QueuePairListener {
        @Override
        public void accepted(byte[] privateData) {}

        @Override
        public void rejected(byte[] privateData) {}

        @Override
        public void failed(Failure failure, String why) {}

        @Override
        public void established() {}

        @Override
        public void disconnected(String why) {}
    }

    @BeforeEach
    void open() throws IOException {
        loop = new ProgressLoop("beginning-test");
        peer = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        peer.setSoTimeout(PATIENCE_MILLIS);
    }

    @AfterEach
    void close() throws IOException {
        loop.close();
        peer.close();
    }

    private Socket connected(DeviceConfig config) throws IOException {
        Device device = new Device(config, loop);
        CompletionQueue queue = device.newCompletionQueue(8, null);
        Listener listener = new Listener();
        SocketQueuePair pair =
                new SocketQueuePair(device, new SocketQueuePair.Sizes(1, 4, 4, 4), queue, queue, listener);
        Initiating.start(
                pair,
                new Initiating.Target((InetSocketAddress) peer.getLocalSocketAddress(), false, null),
                new byte[0],
                listener);
        Socket socket = peer.accept();
        socket.setSoTimeout(PATIENCE_MILLIS);
        byte[] head = socket.getInputStream().readNBytes(MpaFrame.HEADER_LENGTH);
        int more = MpaFrame.lengthOf(ByteBuffer.wrap(head)) - head.length;
        ByteBuffer frame = ByteBuffer.allocate(head.length + more).put(head);
        frame.put(socket.getInputStream().readNBytes(more)).flip();
        MpaResponder responder = new MpaResponder(LIKE_SIW);
        MpaFrame request = ((StartupResult.Requested) responder.receive(frame)).request();
        socket.getOutputStream().write(responder.accept(request, new byte[0]).bytes());
        return socket;
    }

    @Test
    void shouldSayReadyAgain_whenNothingComes() throws Exception {
        try (Socket socket = connected(DeviceConfig.defaults())) {
            byte[] first = socket.getInputStream().readNBytes(EMPTY_WRITE_BYTES);
            assertThat(socket.getInputStream().readNBytes(EMPTY_WRITE_BYTES)).isEqualTo(first);
            assertThat(socket.getInputStream().readNBytes(EMPTY_WRITE_BYTES)).isEqualTo(first);
        }
    }
}
