package dev.retier.iwarp.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import com.ibm.disni.RdmaServerEndpoint;
import com.ibm.disni.verbs.IbvSendWR;
import dev.retier.iwarp.SoftIwarp;
import dev.retier.iwarp.mpa.LargeFpdus;
import dev.retier.iwarp.mpa.RtrKind;
import dev.retier.iwarp.mpa.StartupPolicy;
import dev.retier.iwarp.net.DeviceConfig;
import dev.retier.iwarp.testbed.Relay;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** DiSNI's endpoints with a peer that knows MPA revision 1 only (RFC 5044; RFC 6581 section 9), at either end. */
class RevisionOneTest {
    private static final int BYTES = 100_000;

    private static void install(int revision, boolean crc, boolean markers) {
        StartupPolicy policy = new StartupPolicy(
                revision, crc, markers, true, EnumSet.allOf(RtrKind.class), 16, 16, LargeFpdus.ALWAYS);
        SoftIwarp.install(DeviceConfig.defaults().withStartup(policy), Devices.Scope.EVENT_CHANNEL);
    }

    /** The initiator speaks first; then both write, read, and send to each other. */
    private static void exchange(Peer client, Peer server) throws Exception {
        byte[] bytes = new byte[BYTES];
        new SplittableRandom(1).nextBytes(bytes);
        client.memory.put(0, bytes);
        server.postReceive(1, server.buffer(BYTES, 64));
        client.postReceive(2, client.buffer(2 * BYTES, 64));
        client.post(
                client.work(IbvSendWR.IBV_WR_RDMA_WRITE, client.buffer(0, BYTES), server, 0),
                client.work(IbvSendWR.IBV_WR_RDMA_READ, client.buffer(BYTES, BYTES), server, 0),
                client.work(IbvSendWR.IBV_WR_SEND, client.buffer(0, 64)));
        for (int i = 0; i < 3; i++) {
            assertThat(client.await().getStatus()).isZero();
        }
        assertThat(client.memory.slice(BYTES, BYTES)).isEqualTo(client.memory.slice(0, BYTES));
        assertThat(server.await().getByte_len()).isEqualTo(64);
        server.post(server.work(IbvSendWR.IBV_WR_SEND, server.buffer(0, 33)));
        assertThat(client.await().getByte_len()).isEqualTo(33);
        assertThat(server.await().getStatus()).isZero();
        client.close();
        server.close();
    }

    @Test
    void shouldWork_whenServerHangsUpOnRevision2() throws Exception {
        install(2, true, false);
        RdmaServerEndpoint<Peer.Endpoint> server = Peer.listen();
        try (Relay old = new Relay((InetSocketAddress) server.getSrcAddr(), 1, new SplittableRandom(1))) {
            List<Peer> both = Peer.pair(server, _ -> old.address());
            exchange(both.getFirst(), both.getLast());
            assertThat(old.refused()).as("asked with revision 2 before").isEqualTo(1);
        }
    }

    /** As the examples of DiSNI: a server that sends before its client has said anything. */
    @ParameterizedTest
    @ValueSource(ints = {0, 20})
    void shouldSpeak_whenSilentClientHasPromisedNothing(int holdMillis) throws Exception {
        DeviceConfig config = DeviceConfig.defaults().withResponderHold(Duration.ofMillis(holdMillis));
        SoftIwarp.install(config, Devices.Scope.EVENT_CHANNEL);
        RdmaServerEndpoint<Peer.Endpoint> server = Peer.listen();
        install(1, true, false);
        List<Peer> both = Peer.pair(server, address -> address);
        Peer silent = both.getFirst();
        Peer speaker = both.getLast();
        silent.postReceive(1, silent.buffer(0, 64));
        speaker.post(speaker.work(IbvSendWR.IBV_WR_SEND, speaker.buffer(0, 33)));
        assertThat(silent.await().getByte_len()).isEqualTo(33);
        silent.close();
        speaker.close();
    }

    @ParameterizedTest(name = "CRC {0}, markers {1}")
    @CsvSource({"true,false", "false,false", "true,true", "false,true"})
    void shouldWork_whenClientSpeaksRevision1(boolean crc, boolean markers) throws Exception {
        install(2, crc, markers);
        RdmaServerEndpoint<Peer.Endpoint> server = Peer.listen();
        install(1, crc, markers);
        List<Peer> both = Peer.pair(server, address -> address);
        exchange(both.getFirst(), both.getLast());
    }
}
