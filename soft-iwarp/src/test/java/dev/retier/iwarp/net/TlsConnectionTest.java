package dev.retier.iwarp.net;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.iwarp.mpa.MpaInitiator;
import dev.retier.iwarp.mpa.StartupPolicy;
import dev.retier.iwarp.testbed.Certified;
import dev.retier.iwarp.testbed.FlippingRelay;
import dev.retier.testsupport.Logged;
import dev.retier.testsupport.TestAuthority.Subject;
import dev.retier.verbs.TlsKeys;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Connections under TLS, and between those who do not agree on it. */
class TlsConnectionTest {
    private static final Certified CELL = new Certified("cell");
    private static final Certified OTHERS = new Certified("others");
    private static final TlsKeys ONE = CELL.keys(Subject.of("web-1"));
    private static final TlsKeys TWO = CELL.keys(Subject.of("web-2"));
    private static final InetSocketAddress ANY = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final ProgressLoop loop = newLoop();
    private final Device device = new Device(DeviceConfig.defaults(), loop);
    private final LinkedBlockingQueue<Responding> requests = new LinkedBlockingQueue<>();
    private final Logged logged = new Logged();

    private static ProgressLoop newLoop() {
        try {
            return new ProgressLoop("tls-test");
        } catch (IwarpException e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterEach
    void close() {
        logged.close();
        loop.close();
    }

    /** What became of one end. */
    private final class End implements QueuePairListener, ConnectListener {
        final CompletableFuture<String> outcome = new CompletableFuture<>();
        final CompletableFuture<String> ended = new CompletableFuture<>();
        final SocketQueuePair pair;

        End() {
            CompletionQueue queue = device.newCompletionQueue(8, null);
            pair = new SocketQueuePair(device, new SocketQueuePair.Sizes(1, 4, 4, 1), queue, queue, this);
        }

        @Override
        public void established() {
            outcome.complete("established");
        }

        @Override
        public void disconnected(String why) {
            ended.complete(why);
        }

        @Override
        public void accepted(byte[] privateData) {}

        @Override
        public void rejected(byte[] privateData) {
            outcome.complete("rejected");
        }

        @Override
        public void failed(Failure failure, String why) {
            outcome.complete(failure + " " + why);
        }

        String outcome() throws Exception {
            return outcome.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
    }

    private Listening listen(@Nullable TlsKeys keys) throws IwarpException {
        return Listening.open(device, ANY, new Listening.Terms(5, keys), requests::add);
    }

    private Initiating connect(End end, InetSocketAddress there, @Nullable TlsKeys keys) throws IwarpException {
        return Initiating.start(end.pair, new Initiating.Target(there, true, keys), new byte[] {7}, end);
    }

    private Responding request() throws InterruptedException {
        return requireNonNull(requests.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS), "no request came");
    }

    private static String name(List<X509Certificate> shown) {
        return shown.getFirst().getSubjectX500Principal().getName();
    }

    /** What an initiator with those keys is told by a listener with these, and what the listener's log says. */
    private String refused(@Nullable TlsKeys listening, @Nullable TlsKeys initiating) throws Exception {
        try (Listening listener = listen(listening)) {
            End end = new End();
            connect(end, listener.local(), initiating);
            String outcome = end.outcome();
            assertThat(requests).isEmpty();
            return outcome;
        }
    }

    private void assertLogged(String part) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(logged.warnings(part)).hasSize(1));
    }

    @Test
    void shouldKnowEachOther_whenBothAreBelieved() throws Exception {
        try (Listening listening = listen(ONE)) {
            End client = new End();
            End server = new End();
            Initiating initiating = connect(client, listening.local(), TWO);
            Responding request = request();

            assertThat(request.privateData()).containsExactly(7);
            assertThat(name(request.certificates())).isEqualTo("CN=web-2");
            request.accept(server.pair, new byte[0]);
            assertThat(client.outcome()).isEqualTo("established");
            assertThat(name(initiating.certificates())).isEqualTo("CN=web-1");

            client.pair.disconnect();
            assertThat(server.ended.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .as("an end in good order")
                    .isEqualTo("the peer closed the connection");
        }
    }

    @Test
    void shouldSayWhichAuthority_whenTheListenerIsAnothers() throws Exception {
        assertThat(refused(OTHERS.keys(Subject.of("web-1")), TWO))
                .startsWith("PROTOCOL ")
                .contains("CN=web-1, was issued by CN=others");
        assertLogged("it does not believe this side's certificate");
    }

    @Test
    void shouldSayWhichAuthority_whenTheInitiatorIsAnothers() throws Exception {
        assertThat(refused(ONE, OTHERS.keys(Subject.of("web-2"), CELL)))
                .contains("it does not believe this side's certificate");
        assertLogged("CN=web-2, was issued by CN=others");
    }

    @Test
    void shouldSayThatItExpired_whenACertificateIsTooOld() throws Exception {
        Instant end = Instant.now().minusSeconds(60);

        assertThat(refused(ONE, CELL.keys(Subject.of("web-2").valid(end.minusSeconds(60), end))))
                .startsWith("PROTOCOL ");
        assertLogged("its certificate has expired: CN=web-2 was valid until");
    }

    @Test
    void shouldNameTheMissingKey_whenOnlyTheListenerHasTls() throws Exception {
        assertThat(refused(ONE, null)).contains("it speaks TLS, and this side does not: it has rdma.tls");
        assertLogged("it speaks no TLS, and this side does: there is no rdma.tls in its configuration");
    }

    @Test
    void shouldNameTheMissingKey_whenOnlyTheInitiatorHasTls() throws Exception {
        assertThat(refused(null, TWO)).contains("it speaks no TLS, and this side does: there is no rdma.tls");
        assertLogged("it speaks TLS, and this side does not: there is no rdma.tls in its configuration");
    }

    /** Integrity: what is changed on the way is noticed before a byte of it is used. */
    @Test
    void shouldEndTheConnection_whenABitIsFlippedOnTheWay() throws Exception {
        try (Listening listening = listen(ONE);
                FlippingRelay relay = new FlippingRelay(listening.local())) {
            End client = new End();
            End server = new End();
            connect(client, relay.address(), TWO);
            request().accept(server.pair, new byte[0]);
            assertThat(client.outcome()).isEqualTo("established");

            relay.flipNext();
            client.pair.disconnect(); // its last words are what is changed

            assertThat(server.ended.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .startsWith("the connection broke: TLS failed: ")
                    .containsIgnoringCase("tag mismatch");
        }
    }

    @Test
    void shouldTellACutFromAnEnd_whenTcpEndsOnTheWay() throws Exception {
        try (Listening listening = listen(ONE);
                FlippingRelay relay = new FlippingRelay(listening.local())) {
            End client = new End();
            End server = new End();
            connect(client, relay.address(), TWO);
            request().accept(server.pair, new byte[0]);
            assertThat(client.outcome()).isEqualTo("established");

            relay.cut();

            for (End end : List.of(client, server)) {
                assertThat(end.ended.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                        .startsWith("the connection broke: TLS failed: it was cut off");
            }
        }
    }

    /** Strangers who begin TLS, or say nothing, keep nobody out, and their places are given back. */
    @Test
    void shouldLetAPeerIn_whileStrangersHoldAllPlaces() throws Exception {
        List<Socket> strangers = new ArrayList<>();
        byte[] request = new MpaInitiator(StartupPolicy.standard(4, 4)).request(new byte[0]);
        try (Listening listening = Listening.open(device, ANY, new Listening.Terms(128, ONE), requests::add)) {
            for (int i = 0; i < 100; i++) {
                Socket socket = new Socket(ANY.getAddress(), listening.local().getPort());
                strangers.add(socket);
                if (i % 3 > 0) { // the beginning of a long record, or what is none
                    socket.getOutputStream().write(i % 3 == 1 ? new byte[] {0x16, 3, 1, 2, 0, 1} : request);
                }
            }
            End client = new End();
            connect(client, listening.local(), TWO);
            request().accept(new End().pair, new byte[0]);
            assertThat(client.outcome()).isEqualTo("established");
        } finally {
            for (Socket socket : strangers) {
                socket.close();
            }
        }
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(device.connections()).isEqualTo(2));
    }

    @Test
    void shouldSayThatNothingCame_whenAStrangerStopsInTheHandshake() throws Exception {
        Device hasty =
                new Device(DeviceConfig.defaults().withTimeouts(Duration.ofMillis(100), Duration.ofSeconds(1)), loop);
        try (Listening listening = Listening.open(hasty, ANY, new Listening.Terms(5, ONE), requests::add);
                Socket socket = new Socket(ANY.getAddress(), listening.local().getPort())) {
            socket.getOutputStream().write(new byte[] {0x16, 3, 1, 2, 0, 1});
            assertThat(endOf(socket)).isEqualTo(-1);
            assertLogged("sent no whole Request in time");
        }
    }

    /** It would wait for the rest for ever, and be readable all the time. */
    @Test
    void shouldHangUpAtOnce_whenAStrangersRecordIsLongerThanTlsAllows() throws Exception {
        Device patient = new Device(DeviceConfig.defaults().withTimeouts(PATIENCE.multipliedBy(2), PATIENCE), loop);
        try (Listening listening = Listening.open(patient, ANY, new Listening.Terms(5, ONE), requests::add);
                Socket socket = new Socket(ANY.getAddress(), listening.local().getPort())) {
            socket.getOutputStream().write(new byte[] {0x16, 3, 1, 0x50, 0});
            socket.getOutputStream().write(new byte[0x5000]);

            assertLogged("a record of the handshake is too long");
        }
    }

    private static int endOf(Socket socket) throws IOException {
        socket.setSoTimeout((int) PATIENCE.toMillis());
        int last = socket.getInputStream().read();
        while (last >= 0) {
            last = socket.getInputStream().read();
        }
        return last;
    }
}
