package dev.retier.iwarp.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import com.ibm.disni.RdmaEndpoint;
import com.ibm.disni.RdmaEndpointGroup;
import com.ibm.disni.RdmaPassiveEndpointGroup;
import com.ibm.disni.RdmaServerEndpoint;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaConnParam;
import dev.retier.iwarp.SoftIwarp;
import dev.retier.iwarp.net.DeviceConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Connection management with private data, as DiSNI programs do it. */
class ConnectionTest {
    private RdmaPassiveEndpointGroup<Talker> group;
    private RdmaServerEndpoint<Talker> server;

    /** Sends private data, keeps what it is told, and rejects who says so. */
    @SuppressWarnings("EnumOrdinal") // DiSNI's events are ordinals
    private static final class Talker extends RdmaEndpoint {
        final CompletableFuture<IwarpCmEvent> established = new CompletableFuture<>();
        final CompletableFuture<IwarpCmEvent> refused = new CompletableFuture<>();
        final CompletableFuture<byte[]> asked = new CompletableFuture<>();
        byte[] data = {};

        Talker(RdmaEndpointGroup<? extends RdmaEndpoint> group, RdmaCmId id, boolean serverSide) throws IOException {
            super(group, id, serverSide);
        }

        @Override
        public RdmaConnParam getConnParam() {
            return IwarpConnParam.of(data);
        }

        @Override
        public synchronized void dispatchCmEvent(RdmaCmEvent event) throws IOException {
            IwarpCmEvent ours = (IwarpCmEvent) event;
            switch (RdmaCmEvent.EventType.values()[event.getEvent()]) {
                case RDMA_CM_EVENT_CONNECT_REQUEST -> ask(ours);
                case RDMA_CM_EVENT_ESTABLISHED -> established.complete(ours);
                case RDMA_CM_EVENT_REJECTED, RDMA_CM_EVENT_UNREACHABLE, RDMA_CM_EVENT_CONNECT_ERROR ->
                    refused.complete(ours);
                default -> {}
            }
            super.dispatchCmEvent(event);
        }

        private void ask(IwarpCmEvent event) throws IOException {
            data = new byte[] {42};
            if (event.privateData().length == 3) {
                ((IwarpCmId) event.getConnIdPriv()).reject(new byte[] {13});
            }
            asked.complete(event.privateData());
        }
    }

    @BeforeEach
    void listen() throws Exception {
        SoftIwarp.install(DeviceConfig.defaults(), Devices.Scope.EVENT_CHANNEL);
        group = new RdmaPassiveEndpointGroup<>(50, 8, 4, 16);
        group.init((id, serverSide) -> new Talker(group, id, serverSide));
        server = group.createServerEndpoint();
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
    }

    @AfterEach
    void close() throws Exception {
        group.close();
    }

    @Test
    void shouldCarryPrivateDataBothWays_whenAccepted() throws Exception {
        CompletableFuture<Talker> accepted = CompletableFuture.supplyAsync(this::accept);
        Talker client = group.createEndpoint();
        client.data = new byte[508];
        client.data[507] = 9;
        client.connect(server.getSrcAddr(), 1000);
        Talker other = accepted.get(5, TimeUnit.SECONDS);
        assertThat(other.asked.get(5, TimeUnit.SECONDS)).isEqualTo(client.data);
        assertThat(client.established.get(5, TimeUnit.SECONDS).privateData()).containsExactly(42);
        assertThat(client.isConnected()).isTrue();
    }

    private Talker accept() {
        try {
            return server.accept();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void shouldReturnUnconnected_whenRejected() throws Exception {
        Talker client = group.createEndpoint();
        client.data = new byte[3];
        client.connect(server.getSrcAddr(), 1000);
        assertThat(client.refused.get(5, TimeUnit.SECONDS).privateData()).containsExactly(13);
        assertThat(client.isConnected()).isFalse();
    }

    @Test
    void shouldReturnUnconnected_whenNobodyListens() throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        Talker client = group.createEndpoint();
        client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
        IwarpCmEvent event = client.refused.get(5, TimeUnit.SECONDS);
        assertThat(event.getEvent()).isEqualTo(8);
        assertThat(event.detail()).contains(String.valueOf(port));
        assertThat(client.isConnected()).isFalse();
    }

    @Test
    void shouldReturnUnconnected_whenServerDoesNotSpeakMpa() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Void> answer = CompletableFuture.runAsync(() -> hello(socket));
            Talker client = group.createEndpoint();
            client.connect(socket.getLocalSocketAddress(), 1000);
            assertThat(client.refused.get(5, TimeUnit.SECONDS).detail()).contains("no MPA frame");
            answer.get(5, TimeUnit.SECONDS);
        }
    }

    private static void hello(ServerSocket socket) {
        try (var accepted = socket.accept()) {
            accepted.getOutputStream().write("220 hello\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
            accepted.getInputStream().readAllBytes();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void shouldHaveDevicesOfTheirOwn_whenScopeIsEventChannel() throws Exception {
        RdmaPassiveEndpointGroup<Talker> other = new RdmaPassiveEndpointGroup<>(50, 8, 4, 16);
        other.init((id, serverSide) -> new Talker(other, id, serverSide));
        Talker here = group.createEndpoint();
        Talker there = other.createEndpoint();
        CompletableFuture<Talker> accepted = CompletableFuture.supplyAsync(this::accept);
        there.connect(server.getSrcAddr(), 1000);
        accepted.get(5, TimeUnit.SECONDS);
        assertThat(there.getIdPriv().getVerbs().getCmd_fd())
                .isNotEqualTo(server.getIdPriv().getVerbs().getCmd_fd());
        assertThat(there.getPd().getHandle()).isPositive();
        assertThat(here.isConnected()).isFalse();
        other.close();
    }
}
