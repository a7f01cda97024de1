package dev.retier.iwarp.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.iwarp.mpa.LargeFpdus;
import dev.retier.iwarp.mpa.MpaFrame;
import dev.retier.iwarp.mpa.MpaInitiator;
import dev.retier.iwarp.mpa.MpaResponder;
import dev.retier.iwarp.mpa.RtrKind;
import dev.retier.iwarp.mpa.StartupPolicy;
import dev.retier.iwarp.mpa.StartupResult;
import dev.retier.testsupport.Patience;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Start-up over sockets against peers that are plain sockets: what an initiator and a responder do about each. */
class HandshakeTest {
    private static final byte[] PRIVATE = {1, 2, 3};
    private static final Duration SHORT = Duration.ofMillis(300);

    private ProgressLoop loop;
    private ServerSocket peer;
    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();

    private final class Listener implements ConnectListener, QueuePairListener {
        @Override
        public void accepted(byte[] privateData) {
            told.add("accepted " + privateData.length);
        }

        @Override
        public void rejected(byte[] privateData) {
            told.add("rejected");
        }

        @Override
        public void failed(Failure failure, String why) {
            told.add(failure + " " + why);
        }

        @Override
        public void established() {
            told.add("established");
        }

        @Override
        public void disconnected(String why) {
            told.add("disconnected " + why);
        }
    }

    @BeforeEach
    void open() throws IOException {
        loop = new ProgressLoop("handshake-test");
        peer = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        peer.setSoTimeout(10_000);
    }

    @AfterEach
    void close() throws IOException {
        loop.close();
        peer.close();
    }

    private SocketQueuePair pair(Device device, Listener listener) {
        CompletionQueue queue = device.newCompletionQueue(8, null);
        return new SocketQueuePair(device, new SocketQueuePair.Sizes(1, 4, 4, 4), queue, queue, listener);
    }

    private Device connect(DeviceConfig config) throws IwarpException {
        Device device = new Device(config, loop);
        Listener listener = new Listener();
        InetSocketAddress there = (InetSocketAddress) peer.getLocalSocketAddress();
        Initiating.start(pair(device, listener), new Initiating.Target(there, true, null), PRIVATE, listener);
        return device;
    }

    private String told() throws InterruptedException {
        String event = told.poll(10, TimeUnit.SECONDS);
        return event == null ? "nothing" : event;
    }

    private static MpaFrame request(Socket socket) throws IOException {
        byte[] head = socket.getInputStream().readNBytes(MpaFrame.HEADER_LENGTH);
        int more = MpaFrame.lengthOf(ByteBuffer.wrap(head)) - head.length;
        ByteBuffer frame = ByteBuffer.allocate(head.length + more).put(head);
        frame.put(socket.getInputStream().readNBytes(more)).flip();
        var result = new MpaResponder(StartupPolicy.standard(4, 4)).receive(frame);
        return ((StartupResult.Requested) result).request();
    }

    /** RFC 6581 section 9: a peer that hangs up on revision 2 is asked with revision 1. */
    @Test
    void shouldAskOnceMoreWithRevision1_whenPeerHangsUpOnEnhancedRequest() throws Exception {
        Device device = connect(DeviceConfig.defaults());
        try (Socket first = peer.accept()) {
            assertThat(request(first).revision()).isEqualTo(2);
        }
        try (Socket second = peer.accept()) {
            MpaFrame again = request(second);
            assertThat(again.revision()).isEqualTo(1);
            assertThat(again.enhanced()).isNull();
            assertThat(again.privateData()).isEqualTo(PRIVATE);
            second.getOutputStream().write(new MpaFrame(true, false, true, false, null, 1, new byte[] {7}, 0).emit());
            assertThat(told()).isEqualTo("accepted 1");
            assertThat(told()).isEqualTo("established");
            assertThat(device.connections()).isEqualTo(1);
        }
        assertThat(told()).startsWith("disconnected");
    }

    @Test
    void shouldGiveUp_whenPeerHangsUpOnRevision1Too() throws Exception {
        Device device = connect(DeviceConfig.defaults());
        for (int i = 0; i < 2; i++) {
            try (Socket socket = peer.accept()) {
                assertThat(request(socket).revision()).isEqualTo(2 - i);
            }
        }
        assertThat(told()).startsWith("PROTOCOL").contains("closed the connection instead of a Reply");
        assertThat(device.connections()).isZero();
    }

    @Test
    void shouldNotAskAgain_whenThatIsSwitchedOff() throws Exception {
        connect(DeviceConfig.defaults().withRetryRevision1(false));
        try (Socket socket = peer.accept()) {
            assertThat(request(socket).revision()).isEqualTo(2);
        }
        assertThat(told()).startsWith("PROTOCOL");
    }

    @Test
    void shouldNotAskAgain_whenPeerHangsUpWithinItsReply() throws Exception {
        connect(DeviceConfig.defaults());
        try (Socket socket = peer.accept()) {
            request(socket);
            socket.getOutputStream().write(new byte[] {'M', 'P'});
        }
        assertThat(told()).startsWith("PROTOCOL");
    }

    /** RFC 5044 section 7.1.2: an initiator waits for the Reply no longer than it was told to. */
    @Test
    void shouldGiveUp_whenNoReplyComes() throws Exception {
        Device device = connect(DeviceConfig.defaults().withTimeouts(SHORT, SHORT));
        try (Socket socket = peer.accept()) {
            request(socket);
            assertThat(told()).startsWith("UNREACHABLE no answer");
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
        assertThat(device.connections()).isZero();
    }

    /** A Reply that dribbles in byte by byte does not prolong the wait. */
    @Test
    void shouldGiveUp_whenReplyDribbles() throws Exception {
        connect(DeviceConfig.defaults().withTimeouts(SHORT, SHORT));
        byte[] reply = new MpaFrame(true, false, true, false, null, 1, new byte[500], 0).emit();
        try (Socket socket = peer.accept()) {
            request(socket);
            CompletableFuture<Integer> dribble = CompletableFuture.supplyAsync(() -> dribble(socket, reply));
            assertThat(told()).startsWith("UNREACHABLE no answer");
            assertThat(dribble.get(10, TimeUnit.SECONDS)).isLessThan(reply.length);
        }
    }

    /** Writes a byte whenever the peer has been silent for 20 ms; returns how many it took. */
    private static int dribble(Socket socket, byte[] bytes) {
        int sent = 0;
        try {
            socket.setSoTimeout(20);
            while (sent < bytes.length) {
                socket.getOutputStream().write(bytes[sent]);
                sent++;
                try {
                    if (socket.getInputStream().read() < 0) {
                        return sent;
                    }
                } catch (SocketTimeoutException _) {
                    // still there
                }
            }
        } catch (IOException _) {
            return sent;
        }
        return sent;
    }

    private Socket accepted(DeviceConfig config, StartupPolicy initiating) throws Exception {
        LinkedBlockingQueue<Responding> requests = new LinkedBlockingQueue<>();
        Device device = new Device(config, loop);
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (Listening listening = Listening.open(device, any, new Listening.Terms(5, null), requests::add)) {
            Socket socket =
                    new Socket(listening.local().getAddress(), listening.local().getPort());
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(new MpaInitiator(initiating).request(PRIVATE));
            Responding request = requests.poll(10, TimeUnit.SECONDS);
            assertThat(request).isNotNull();
            request.accept(pair(device, new Listener()), new byte[0]);
            return socket;
        }
    }

    /** RFC 6581 section 9: who promised to say ready-to-receive and does not, is cut off. */
    @Test
    void shouldHangUp_whenInitiatorNeverSaysReady() throws Exception {
        DeviceConfig hasty = DeviceConfig.defaults().withTimeouts(SHORT, SHORT);
        try (Socket socket = accepted(hasty, StartupPolicy.standard(4, 4))) {
            byte[] reply = socket.getInputStream().readAllBytes();
            assertThat(reply).as("the Reply and the end").hasSize(MpaFrame.lengthOf(ByteBuffer.wrap(reply)));
            assertThat(told()).isEqualTo("disconnected the peer neither said ready-to-receive nor closed in time");
        }
    }

    @Test
    void shouldBeEstablishedAtOnce_whenInitiatorSpeaksRevision1() throws Exception {
        StartupPolicy old = new StartupPolicy(1, true, false, false, Set.of(RtrKind.WRITE), 4, 4, LargeFpdus.NEVER);
        try (Socket socket = accepted(DeviceConfig.defaults(), old)) {
            assertThat(told()).isEqualTo("established");
            assertThat(socket.getInputStream().readNBytes(20)[17])
                    .as("revision")
                    .isEqualTo((byte) 1);
        }
    }

    /** We have said that no more comes; a peer that keeps its end open must not keep the connection. */
    @Test
    void shouldGiveTheConnectionBack_whenPeerNeverClosesAfterTheEnd() throws Exception {
        LinkedBlockingQueue<Responding> requests = new LinkedBlockingQueue<>();
        Device device = new Device(DeviceConfig.defaults().withTimeouts(Duration.ofSeconds(20), SHORT), loop);
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        StartupPolicy old = new StartupPolicy(1, true, false, false, Set.of(RtrKind.WRITE), 4, 4, LargeFpdus.NEVER);
        try (Listening listening = Listening.open(device, any, new Listening.Terms(5, null), requests::add);
                Socket socket = new Socket(
                        listening.local().getAddress(), listening.local().getPort())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(new MpaInitiator(old).request(PRIVATE));
            Responding request = requests.poll(10, TimeUnit.SECONDS);
            assertThat(request).isNotNull();
            SocketQueuePair ended = pair(device, new Listener());
            request.accept(ended, new byte[0]);
            assertThat(told()).isEqualTo("established");
            ended.disconnect();
            assertThat(told()).isEqualTo("disconnected disconnected");
            assertThat(socket.getInputStream().readAllBytes()).as("the Reply").hasSize(20);
            Patience.await().until(() -> device.connections() == 0);
        }
    }

    @Test
    void shouldGiveTheConnectionBack_whenQueuePairWasDestroyedBeforeTheAnswer() throws Exception {
        LinkedBlockingQueue<Responding> requests = new LinkedBlockingQueue<>();
        Device device = new Device(DeviceConfig.defaults(), loop);
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (Listening listening = Listening.open(device, any, new Listening.Terms(5, null), requests::add);
                Socket socket = new Socket(
                        listening.local().getAddress(), listening.local().getPort())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(new MpaInitiator(StartupPolicy.standard(4, 4)).request(PRIVATE));
            Responding request = requests.poll(10, TimeUnit.SECONDS);
            assertThat(request).isNotNull();
            SocketQueuePair destroyed = pair(device, new Listener());
            destroyed.destroy();
            request.accept(destroyed, new byte[0]);
            assertThat(socket.getInputStream().read()).as("the end").isEqualTo(-1);
            assertThat(device.connections()).isZero();
        }
    }
}
