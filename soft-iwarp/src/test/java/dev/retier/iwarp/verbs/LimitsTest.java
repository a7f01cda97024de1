package dev.retier.iwarp.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaEventChannel;
import dev.retier.iwarp.SoftIwarp;
import dev.retier.iwarp.mpa.MpaInitiator;
import dev.retier.iwarp.mpa.StartupPolicy;
import dev.retier.iwarp.mpa.StartupResult;
import dev.retier.iwarp.net.Device;
import dev.retier.iwarp.net.DeviceConfig;
import dev.retier.iwarp.net.DeviceLimits;
import dev.retier.testsupport.Logged;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Every limit of a device, reached: the refusal says what the limit is, and who kept within it goes on. */
class LimitsTest {
    private static final DeviceLimits DEFAULTS = DeviceLimits.defaults();
    /** Events of the connection manager that may wait. */
    private static final int MOST_EVENTS = 65_536;
    /** The queues of one test peer: 64 sends and 64 receives with 4 elements. */
    private static final long QUEUES = 64 * (1280 + 64) + 64 * (128 + 64);
    /** The completion queue of one test peer, before it grows. */
    private static final long COMPLETIONS = 64 * 104;
    /** The same when it is full: 128 entries, with as many again for those who keep to their share. */
    private static final long FULL_COMPLETIONS = 256 * 104;
    /** The first buffers of a connection. */
    private static final long BUFFERS = 20 * 1024;

    private static void install(DeviceLimits limits) {
        SoftIwarp.install(DeviceConfig.defaults().withLimits(limits), Devices.Scope.PROCESS);
    }

    private static Device device(Peer peer) throws IOException {
        return ((IwarpContext) peer.endpoint.getIdPriv().getVerbs()).device();
    }

    private static void close(List<Peer> peers) throws Exception {
        for (Peer peer : peers) {
            peer.close();
        }
    }

    @Test
    void shouldRefuseTheNextConnection_whenDeviceHasAll() throws Exception {
        install(DEFAULTS.withNumbers(1, 10));
        List<Peer> both = Peer.pair();
        Peer.Endpoint third = both.getFirst().group.createEndpoint();
        assertThatThrownBy(() -> third.connect(both.getFirst().endpoint.getDstAddr(), 1000))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("its 1 connections to others");
        close(both);
    }

    @Test
    void shouldRefuseTheNextRegion_whenDeviceHasAll() throws Exception {
        install(DEFAULTS.withNumbers(10, 2));
        List<Peer> both = Peer.pair();
        Peer client = both.getFirst();
        assertThatThrownBy(client::registerForConnection)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("its 2 regions");
        client.endpoint.deregisterMemory(client.region);
        assertThat(client.registerForConnection().getRkey()).isNotZero();
        close(both);
    }

    @Test
    void shouldRefuseTheQueuePair_whenItsQueuesExceedTheLimit() {
        install(DEFAULTS.withQueues(64, 63, 4));
        assertThatThrownBy(Peer::pair).hasStackTraceContaining("64 send work requests; the device allows 1 to 63");
        install(DEFAULTS.withQueues(63, 64, 4));
        assertThatThrownBy(Peer::pair).hasStackTraceContaining("64 receives; the device allows 1 to 63");
        install(DEFAULTS.withQueues(64, 64, 3));
        assertThatThrownBy(Peer::pair).hasStackTraceContaining("4 scatter/gather elements; the device allows 1 to 3");
    }

    @Test
    void shouldRefuseTheQueuePair_whenItsQueuesTakeTooMuchMemory() {
        install(DEFAULTS.withMemory(QUEUES - 1, 1 << 30));
        assertThatThrownBy(Peer::pair)
                .hasStackTraceContaining("queues of " + QUEUES + " bytes; the device allows a connection ");
    }

    @Test
    void shouldRefuseTheNextQueuePair_whenDeviceHasNoMemoryLeft() throws Exception {
        install(DEFAULTS.withMemory(QUEUES + BUFFERS, 3 * QUEUES));
        List<Peer> both = Peer.pair();
        assertThatThrownBy(() -> both.getFirst()
                        .group
                        .createEndpoint()
                        .connect(both.getFirst().endpoint.getDstAddr(), 1000))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("for queues and buffers; close connections or raise the limit");
        assertThat(device(both.getFirst()).memoryBytes()).isEqualTo(2 * (QUEUES + BUFFERS + COMPLETIONS));
        Device device = device(both.getFirst());
        close(both);
        assertThat(device.memoryBytes()).as("all given back").isZero();
    }

    @Test
    void shouldRefuseTheQueuePair_whenDeviceHasNoMemoryForItsCompletions() throws Exception {
        long limit = QUEUES + COMPLETIONS - 1;
        install(DEFAULTS.withMemory(QUEUES, limit));
        assertThatThrownBy(Peer::pair)
                .hasStackTraceContaining("a completion queue of 128 entries: " + COMPLETIONS + " bytes more")
                .hasStackTraceContaining("of its " + limit + " for queues and buffers");
    }

    @Test
    void shouldRefuseTheCompletionQueue_whenItExceedsTheDeviceAlone() throws Exception {
        install(DEFAULTS.withMemory(1, 4 * FULL_COMPLETIONS - 1));
        RdmaEventChannel channel = RdmaEventChannel.createEventChannel();
        IbvContext context = ((IwarpEventChannel) channel).context();
        int most = ((IwarpContext) context).maxCompletions();
        assertThat(most).isEqualTo(256);
        context.createCQ(null, most, 0).destroyCQ();
        assertThatThrownBy(() -> context.createCQ(null, 500, 0))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("a completion queue of 500 entries: " + 4 * FULL_COMPLETIONS + " bytes more");
        assertThatThrownBy(() -> context.createCQ(null, 0, 0))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("a completion queue of 0 entries; use 1 to 4194304");
        channel.destroyEventChannel();
    }

    /** Long FPDUs make a receiver's buffer grow: beyond the limit its stream ends, and nobody else's. */
    @Test
    void shouldEndTheStreamThatGrows_whenItsBuffersExceedTheLimit() throws Exception {
        install(DEFAULTS.withMemory(QUEUES + BUFFERS + 40_000, 1 << 30));
        List<Peer> both = Peer.pair();
        List<Peer> others = Peer.pair();
        Peer client = both.getFirst();
        Peer server = both.getLast();
        client.post(client.work(IbvSendWR.IBV_WR_RDMA_WRITE, client.buffer(0, 1 << 19), server, 0));
        assertThat(server.endpoint.disconnected.get(5, TimeUnit.SECONDS))
                .contains("the device allows a connection " + (QUEUES + BUFFERS + 40_000));
        Peer other = others.getFirst();
        other.post(other.work(IbvSendWR.IBV_WR_RDMA_WRITE, other.buffer(0, 1000), others.getLast(), 0));
        assertThat(other.await().getStatus()).isZero();
        close(both);
        close(others);
    }

    /** A peer that agrees to hold no reads gets none, and who posts one learns of it at once. */
    @Test
    void shouldRefuseReads_whenPeerAgreedToNone() throws Exception {
        SoftIwarp.install(DeviceConfig.defaults().withStartup(StartupPolicy.standard(0, 64)), Devices.Scope.PROCESS);
        List<Peer> both = Peer.pair();
        Peer client = both.getFirst();
        Peer server = both.getLast();
        assertThatThrownBy(() -> client.post(client.work(IbvSendWR.IBV_WR_RDMA_READ, client.buffer(0, 8), server, 0)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no reads or atomics (IRD 0)");
        client.post(client.work(IbvSendWR.IBV_WR_RDMA_WRITE, client.buffer(0, 8), server, 0));
        assertThat(client.await().getStatus()).isZero();
        close(both);
    }

    @Test
    void shouldRejectARequestUntilThereIsRoom_whenNobodyTakesConnectionEvents() throws IOException {
        install(DEFAULTS);
        try (RawVerbs raw = new RawVerbs();
                Logged logged = new Logged()) {
            RdmaCmId talkative = raw.newIdAtServer();
            for (int event = 0; event < MOST_EVENTS; event++) {
                talkative.resolveAddr(null, raw.address(), 0);
            }
            byte[] request = new MpaInitiator(StartupPolicy.standard(4, 4)).request(new byte[0]);
            for (int attempt = 0; attempt < 2; attempt++) {
                assertThat(answer(raw.address(), request)).isInstanceOf(StartupResult.Rejected.class);
            }
            assertThat(logged.warnings("65536 events wait; event")).hasSize(1);
            assertThat(logged.warnings("nobody takes what happens on")).hasSize(1);

            for (int event = 0; event < MOST_EVENTS; event++) {
                raw.expectAtServer(RdmaCmEvent.EventType.RDMA_CM_EVENT_ADDR_RESOLVED);
            }
            RawVerbs.Parts parts = new RawVerbs.Parts(raw.newQueue(null, 64), raw.newDomain(), false);
            assertThat(raw.connect(parts, parts).server().getQp()).isNotNull();
        }
    }

    /** What a listener answers to a whole Request before it hangs up. */
    private static StartupResult answer(SocketAddress address, byte[] request) throws IOException {
        InetSocketAddress there = (InetSocketAddress) address;
        try (Socket socket = new Socket(there.getAddress(), there.getPort())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(request);
            MpaInitiator initiator = new MpaInitiator(StartupPolicy.standard(4, 4));
            initiator.request(new byte[0]);
            return initiator.receive(ByteBuffer.wrap(socket.getInputStream().readAllBytes()));
        }
    }

    @Test
    void shouldRefuse_whenLimitsContradictEachOther() {
        assertThatThrownBy(() -> DEFAULTS.withNumbers(0, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> DEFAULTS.withQueues(1, 1, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> DEFAULTS.withMemory(2, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no less per device");
    }
}
