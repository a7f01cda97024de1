package dev.retier.iwarp.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.iwarp.mpa.MpaInitiator;
import dev.retier.iwarp.mpa.StartupPolicy;
import dev.retier.testsupport.Logged;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a listening device does with peers that misbehave before they are connected. */
class DefenceTest {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final int SOCKET_TIMEOUT_MILLIS = 10_000;

    private final ProgressLoop loop = newLoop();
    private final LinkedBlockingQueue<Responding> requests = new LinkedBlockingQueue<>();

    private static ProgressLoop newLoop() {
        try {
            return new ProgressLoop("defence-test");
        } catch (IwarpException e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterEach
    void close() {
        loop.close();
    }

    private Listening listen(DeviceConfig config, int backlog) throws IwarpException {
        return Listening.open(new Device(config, loop), ANY_PORT, new Listening.Terms(backlog, null), requests::add);
    }

    private static Socket connect(Listening listening) throws IOException {
        Socket socket =
                new Socket(listening.local().getAddress(), listening.local().getPort());
        socket.setSoTimeout(SOCKET_TIMEOUT_MILLIS);
        return socket;
    }

    private static byte[] request() {
        return new MpaInitiator(StartupPolicy.standard(4, 4)).request(new byte[0]);
    }

    private static int readEnd(Socket socket) throws IOException {
        return socket.getInputStream().read();
    }

    @Test
    void shouldHangUp_whenRequestDribbles() throws Exception {
        DeviceConfig hasty = DeviceConfig.defaults().withTimeouts(Duration.ofMillis(200), Duration.ofMillis(200));
        try (Listening listening = listen(hasty, 10);
                Socket socket = connect(listening)) {
            OutputStream out = socket.getOutputStream();
            out.write(request(), 0, 10);
            out.flush();
            assertThat(readEnd(socket)).as("the end of the stream").isEqualTo(-1);
            assertThat(requests).isEmpty();
        }
    }

    @Test
    void shouldHangUp_whenClientSpeaksHttp() throws Exception {
        try (Listening listening = listen(DeviceConfig.defaults(), 10);
                Socket socket = connect(listening)) {
            socket.getOutputStream()
                    .write("GET / HTTP/1.1\r\n\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
            assertThat(endOrReset(socket)).isTrue();
        }
    }

    @Test
    void shouldRefuseTheNext_whenDeviceHasAllItsConnections() throws Exception {
        DeviceConfig two =
                DeviceConfig.defaults().withLimits(DeviceLimits.defaults().withNumbers(2, 10));
        try (Listening listening = listen(two, 10)) {
            List<Socket> held = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                Socket socket = connect(listening);
                held.add(socket);
                socket.getOutputStream().write(request());
                assertThat(requests.poll(5, TimeUnit.SECONDS)).isNotNull();
            }
            try (Socket third = connect(listening)) {
                assertThat(endOrReset(third)).isTrue();
            }
            assertThat(listening.device().connections()).isEqualTo(2);
            for (Socket socket : held) {
                socket.close();
            }
        }
    }

    @Test
    void shouldRefuseTheNext_whenBacklogIsUndecided() throws Exception {
        try (Listening listening = listen(DeviceConfig.defaults(), 1);
                Socket first = connect(listening);
                Socket second = connect(listening)) {
            first.getOutputStream().write(request());
            assertThat(requests.poll(5, TimeUnit.SECONDS)).isNotNull();
            second.getOutputStream().write(request());
            byte[] reply = second.getInputStream().readAllBytes();
            assertThat(reply).hasSize(20 + 4);
            assertThat(reply[16] & 0x20).as("R").isNotZero();
            assertThat(requests).isEmpty();
        }
    }

    @Test
    void shouldSendPrivateDataAndHangUp_whenRejected() throws Exception {
        try (Listening listening = listen(DeviceConfig.defaults(), 10);
                Socket socket = connect(listening)) {
            socket.getOutputStream().write(request());
            Responding asked = requests.poll(5, TimeUnit.SECONDS);
            assertThat(asked).isNotNull();
            asked.reject(new byte[] {4, 5, 6});
            byte[] reply = socket.getInputStream().readAllBytes();
            assertThat(reply).hasSize(20 + 4 + 3).endsWith(4, 5, 6);
            assertThat(reply[16] & 0x20).as("R").isNotZero();
            assertThatThrownBy(() -> asked.reject(new byte[0]))
                    .isInstanceOf(IwarpException.class)
                    .hasMessageContaining("before");
        }
    }

    @Test
    void shouldNameTheAddress_whenItIsTaken() throws Exception {
        try (Listening listening = listen(DeviceConfig.defaults(), 10)) {
            Device other = new Device(DeviceConfig.defaults(), loop);
            assertThatThrownBy(() ->
                            Listening.open(other, listening.local(), new Listening.Terms(10, null), requests::add))
                    .isInstanceOf(IwarpException.class)
                    .hasMessageContaining(String.valueOf(listening.local().getPort()));
        }
    }

    /** Silent strangers take no connection that this node makes itself. */
    @Test
    void shouldConnectOut_whenStrangersHaveAllThatComeIn() throws Exception {
        DeviceConfig two =
                DeviceConfig.defaults().withLimits(DeviceLimits.defaults().withNumbers(2, 10));
        try (Listening listening = listen(two, 10);
                Socket first = connect(listening);
                Socket second = connect(listening)) {
            for (Socket socket : List.of(first, second)) {
                socket.getOutputStream().write(request());
                assertThat(requests.poll(20, TimeUnit.SECONDS)).isNotNull();
            }
            Device device = listening.device();
            CompletionQueue queue = device.newCompletionQueue(8, null);
            SocketQueuePair pair =
                    new SocketQueuePair(device, new SocketQueuePair.Sizes(1, 4, 4, 4), queue, queue, SILENT);
            LinkedBlockingQueue<String> told = new LinkedBlockingQueue<>();
            try (Listening other = listen(DeviceConfig.defaults(), 10)) {
                Initiating.start(pair, new Initiating.Target(other.local(), true, null), new byte[0], telling(told));
                assertThat(requests.poll(20, TimeUnit.SECONDS)).isNotNull();
            }
        }
    }

    private static final QueuePairListener SILENT = new QueuePairListener() {
        @Override
        public void established() {}

        @Override
        public void disconnected(String why) {}
    };

    private static ConnectListener telling(LinkedBlockingQueue<String> told) {
        return new ConnectListener() {
            @Override
            public void accepted(byte[] privateData) {
                told.add("accepted");
            }

            @Override
            public void rejected(byte[] privateData) {
                told.add("rejected");
            }

            @Override
            public void failed(Failure failure, String why) {
                told.add(why);
            }
        };
    }

    /** The longest silent one goes, not the one that comes: an honest one speaks at once. */
    @Test
    void shouldTakeTheNext_whenSilentOnesHaveAllConnections() throws Exception {
        DeviceConfig two =
                DeviceConfig.defaults().withLimits(DeviceLimits.defaults().withNumbers(2, 10));
        try (Listening listening = listen(two, 10);
                Socket oldest = connect(listening);
                Socket silent = connect(listening);
                Socket honest = connect(listening)) {
            honest.getOutputStream().write(request());
            assertThat(requests.poll(20, TimeUnit.SECONDS)).isNotNull();
            assertThat(endOrReset(oldest)).isTrue();
            assertThat(silent.isConnected()).isTrue();
            assertThat(listening.device().connections()).isEqualTo(2);
        }
    }

    @Test
    void shouldDropTheOldestOfOneAddress_whenItOpensManySilentOnes() throws Exception {
        int more = 10;
        try (Listening listening = listen(DeviceConfig.defaults(), 100)) {
            List<Socket> silent = new ArrayList<>();
            for (int i = 0; i < 64 + more; i++) {
                silent.add(connect(listening));
            }
            for (int i = 0; i < more; i++) {
                assertThat(endOrReset(silent.get(i))).as("socket %d", i).isTrue();
            }
            assertThat(listening.device().connections()).isEqualTo(64);
            for (Socket socket : silent) {
                socket.close();
            }
        }
    }

    @Test
    void shouldKeepARequestsPlace_whenItsAddressIsExpected() throws Exception {
        try (Listening listening = listen(DeviceConfig.defaults(), 1)) {
            listening.expect(Set.of(listening.local().getAddress()));
            try (Socket first = connect(listening);
                    Socket second = connect(listening);
                    Socket third = connect(listening)) {
                first.getOutputStream().write(request());
                second.getOutputStream().write(request());
                assertThat(requests.poll(20, TimeUnit.SECONDS)).isNotNull();
                assertThat(requests.poll(20, TimeUnit.SECONDS)).isNotNull();
                third.getOutputStream().write(request());
                assertThat(third.getInputStream().readAllBytes()[16] & 0x20)
                        .as("R")
                        .isNotZero();
            }
        }
    }

    @Test
    void shouldListenAgain_whenAsManyWereRejectedAsMayWait() throws Exception {
        try (Listening listening = listen(DeviceConfig.defaults(), 1)) {
            for (int i = 0; i < 5; i++) {
                try (Socket socket = connect(listening)) {
                    socket.getOutputStream().write(request());
                    Responding asked = requests.poll(20, TimeUnit.SECONDS);
                    assertThat(asked).as("request %d", i).isNotNull();
                    asked.reject(new byte[0]);
                    assertThat(socket.getInputStream().readAllBytes()).hasSize(24);
                }
            }
        }
    }

    @Test
    void shouldTellAnAddressOnce_whenItIsRefusedAgainAndAgain() throws Exception {
        try (Logged log = new Logged();
                Listening listening = listen(DeviceConfig.defaults(), 10)) {
            for (int i = 0; i < 50; i++) {
                try (Socket socket = connect(listening)) {
                    socket.getOutputStream().write(new byte[20]);
                    assertThat(endOrReset(socket)).isTrue();
                }
            }
            assertThat(log.warnings("does not speak MPA"))
                    .singleElement()
                    .asString()
                    .contains("127.0.0.1");
        }
    }

    private static boolean endOrReset(Socket socket) {
        try {
            return readEnd(socket) == -1;
        } catch (java.net.SocketTimeoutException _) {
            return false;
        } catch (IOException _) {
            return true;
        }
    }
}
