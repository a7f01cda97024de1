package dev.retier.iwarp.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import com.ibm.disni.RdmaServerEndpoint;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvSendWR;
import dev.retier.iwarp.SoftIwarp;
import dev.retier.iwarp.mpa.StartupPolicy;
import dev.retier.iwarp.net.DeviceConfig;
import dev.retier.iwarp.wire.RtrKind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Many connections, many regions, many bytes. */
class ScaleIT {
    private static final int CONNECTIONS = 1000;
    private static final int REGIONS = 100_000;
    private static final int CHUNK = 1 << 20;

    @Test
    void shouldServeThousandConnections_whenDeviceHasOneThread() throws Exception {
        SoftIwarp.install();
        var serverGroup = Peer.newGroup();
        RdmaServerEndpoint<Peer.Endpoint> server = serverGroup.createServerEndpoint();
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        CompletableFuture<Void> accepting = CompletableFuture.runAsync(() -> acceptAll(server));
        var clientGroup = Peer.newGroup();
        ByteBuffer target = ByteBuffer.allocateDirect(8 * CONNECTIONS).order(java.nio.ByteOrder.nativeOrder());
        IbvMr region =
                server.getPd().regMr(target, Peer.ALL_RIGHTS).execute().free().getMr();
        List<Peer> clients = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            Peer.Endpoint endpoint = clientGroup.createEndpoint();
            endpoint.connect(server.getSrcAddr(), 10_000);
            clients.add(new Peer(clientGroup, endpoint, 64));
        }
        accepting.join();
        for (int i = 0; i < CONNECTIONS; i++) {
            Peer client = clients.get(i);
            IbvSendWR add = client.work(IbvSendWR.IBV_WR_ATOMIC_FETCH_AND_ADD, client.buffer(0, 8));
            add.getAtomic().setCompare_add(i + 1L);
            add.getAtomic().setRemote_addr(region.getAddr() + 8L * i);
            add.getAtomic().setRkey(region.getRkey());
            client.post(add);
        }
        for (Peer client : clients) {
            assertThat(client.await().getStatus()).isZero();
        }
        for (int i = 0; i < CONNECTIONS; i++) {
            assertThat(target.getLong(8 * i)).isEqualTo(i + 1L);
        }
        clientGroup.close();
        serverGroup.close();
    }

    private static void acceptAll(RdmaServerEndpoint<Peer.Endpoint> server) {
        for (int i = 0; i < CONNECTIONS; i++) {
            Peer.accept(server);
        }
    }

    @Test
    void shouldWriteIntoEach_whenHundredThousandRegionsAreRegistered() throws Exception {
        SoftIwarp.install();
        List<Peer> peers = Peer.pair();
        Peer client = peers.get(0);
        Peer server = peers.get(1);
        List<IbvMr> regions = new ArrayList<>();
        Set<Integer> keys = new HashSet<>();
        for (int i = 0; i < REGIONS; i++) {
            IbvMr region = server.endpoint
                    .getPd()
                    .regMr(server.memory, Peer.ALL_RIGHTS)
                    .execute()
                    .free()
                    .getMr();
            regions.add(region);
            keys.add(region.getRkey());
        }
        assertThat(keys).as("all different").hasSize(REGIONS);
        client.memory.putInt(0, 4711);
        for (int i = 0; i < REGIONS; i += 1000) {
            IbvSendWR write = client.work(IbvSendWR.IBV_WR_RDMA_WRITE, client.buffer(0, 4), server, 4 * (i / 1000));
            write.getRdma().setRkey(regions.get(i).getRkey());
            client.post(write);
            assertThat(client.await().getStatus()).isZero();
        }
        client.post(client.work(IbvSendWR.IBV_WR_RDMA_READ, client.buffer(8, 400), server, 0));
        assertThat(client.await().getStatus()).isZero();
        for (int i = 0; i < 100; i++) {
            assertThat(client.memory.getInt(8 + 4 * i)).isEqualTo(4711);
        }
        for (IbvMr region : regions) {
            server.endpoint.deregisterMemory(region);
        }
        client.close();
        server.close();
    }

    /** A quarter of a GiB in each of the four ways, written at random offsets and sizes, and read back. */
    @ParameterizedTest(name = "CRC {0}, markers {1}")
    @CsvSource({"true,false", "false,false", "true,true", "false,true"})
    void shouldReadBackEveryByte_whenAGibibyteWasWritten(boolean crc, boolean markers) throws Exception {
        StartupPolicy policy = new StartupPolicy(2, crc, markers, true, EnumSet.allOf(RtrKind.class), 16, 16, true);
        SoftIwarp.install(DeviceConfig.defaults().withStartup(policy), Devices.Scope.PROCESS);
        List<Peer> peers = Peer.pair();
        Peer client = peers.get(0);
        Peer server = peers.get(1);
        SplittableRandom random = new SplittableRandom(crc ? 1 : 2);
        byte[] bytes = new byte[CHUNK / 2];
        long written = 0;
        while (written < 256L << 20) {
            random.nextBytes(bytes);
            client.memory.put(0, bytes);
            written += roundTrip(client, server, random);
            byte[] back = new byte[bytes.length];
            client.memory.get(CHUNK / 2, back);
            assertThat(java.util.Arrays.equals(bytes, back)).isTrue();
        }
        client.close();
        server.close();
    }

    /** Writes the lower half of the client's memory piece by piece, and reads it back into the upper half. */
    private static int roundTrip(Peer client, Peer server, SplittableRandom random) throws Exception {
        int base = random.nextInt(CHUNK / 2);
        int at = 0;
        int pieces = 0;
        while (at < CHUNK / 2) {
            int size = Math.min(random.nextInt(1, 120_000), CHUNK / 2 - at);
            client.post(client.work(IbvSendWR.IBV_WR_RDMA_WRITE, client.buffer(at, size), server, base + at));
            client.post(
                    client.work(IbvSendWR.IBV_WR_RDMA_READ, client.buffer(CHUNK / 2 + at, size), server, base + at));
            at += size;
            pieces += 2;
            if (pieces >= 16) {
                drain(client, pieces);
                pieces = 0;
            }
        }
        drain(client, pieces);
        return CHUNK / 2;
    }

    private static void drain(Peer client, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            assertThat(client.await().getStatus()).isZero();
        }
    }

    /** A region beyond what an int can count, addressed behind the 2 GiB mark. */
    @Test
    void shouldReachBeyondTwoGibibytes_whenRegionIsLarge() throws Exception {
        SoftIwarp.install();
        List<Peer> peers = Peer.pair();
        Peer client = peers.get(0);
        try (Arena arena = Arena.ofShared()) {
            long far = (5L << 29) + 12;
            MemorySegment large = arena.allocate((5L << 29) + CHUNK);
            IwarpVerbs verbs = (IwarpVerbs) com.ibm.disni.verbs.RdmaVerbs.open();
            IwarpMr region = (IwarpMr) verbs.regMr(peers.get(1).endpoint.getPd(), large, Peer.ALL_RIGHTS)
                    .execute()
                    .free()
                    .getMr();
            assertThat(region.lengthBytes()).isEqualTo(large.byteSize());
            client.memory.putLong(0, 0x0102030405060708L);
            IbvSendWR write = client.work(IbvSendWR.IBV_WR_RDMA_WRITE, client.buffer(0, 100_000));
            write.getRdma().setRemote_addr(region.getAddr() + far);
            write.getRdma().setRkey(region.getRkey());
            client.post(write);
            assertThat(client.await().getStatus()).isZero();
            IbvSendWR read = client.work(IbvSendWR.IBV_WR_RDMA_READ, client.buffer(200_000, 100_000));
            read.getRdma().setRemote_addr(region.getAddr() + far);
            read.getRdma().setRkey(region.getRkey());
            client.post(read);
            assertThat(client.await().getStatus()).isZero();
            assertThat(client.memory.getLong(200_000)).isEqualTo(0x0102030405060708L);
            peers.get(1).endpoint.deregisterMemory(region);
        }
        client.close();
        peers.get(1).close();
    }
}
