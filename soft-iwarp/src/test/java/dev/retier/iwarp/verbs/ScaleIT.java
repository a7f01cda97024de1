package dev.retier.iwarp.verbs;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import com.ibm.disni.RdmaServerEndpoint;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvSendWR;
import dev.retier.iwarp.SoftIwarp;
import dev.retier.iwarp.mpa.LargeFpdus;
import dev.retier.iwarp.mpa.RtrKind;
import dev.retier.iwarp.mpa.StartupPolicy;
import dev.retier.iwarp.net.DeviceConfig;
import dev.retier.iwarp.testbed.Relay;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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

    /** A quarter of a GiB in each of the four ways, at random offsets, sizes and segmentation, and read back. */
    @ParameterizedTest(name = "CRC {0}, markers {1}")
    @CsvSource({"true,false", "false,false", "true,true", "false,true"})
    void shouldReadBackEveryByte_whenAGibibyteWasWritten(boolean crc, boolean markers) throws Exception {
        StartupPolicy policy =
                new StartupPolicy(2, crc, markers, true, EnumSet.allOf(RtrKind.class), 16, 16, LargeFpdus.ALWAYS);
        SoftIwarp.install(DeviceConfig.defaults().withStartup(policy), Devices.Scope.PROCESS);
        SplittableRandom random = new SplittableRandom(crc ? 1 : 2);
        AtomicReference<Relay> relay = new AtomicReference<>();
        List<Peer> peers = Peer.pair(Peer.listen(), address -> {
            relay.set(new Relay(address, 2, random.split()));
            return relay.get().address();
        });
        Peer client = peers.get(0);
        Peer server = peers.get(1);
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
        relay.get().close();
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

    /** A region beyond what an int can count, at both sides of each GiB and beyond 2 GiB; a file with a hole. */
    @Test
    void shouldReachAcrossTwoGibibytes_whenRegionIsLarge(@TempDir Path directory) throws Exception {
        SoftIwarp.install();
        List<Peer> peers = Peer.pair();
        Peer client = peers.get(0);
        Peer server = peers.get(1);
        long size = (5L << 29) + CHUNK;
        try (Arena arena = Arena.ofShared();
                FileChannel file = FileChannel.open(directory.resolve("sparse"), CREATE_NEW, READ, WRITE)) {
            MemorySegment large = file.map(FileChannel.MapMode.READ_WRITE, 0, size, arena);
            IwarpVerbs verbs = (IwarpVerbs) com.ibm.disni.verbs.RdmaVerbs.open();
            IwarpMr region = (IwarpMr) verbs.regMr(server.endpoint.getPd(), large, Peer.ALL_RIGHTS)
                    .execute()
                    .free()
                    .getMr();
            assertThat(region.lengthBytes()).isEqualTo(size);
            for (long at : new long[] {(1L << 30) - 50_001, (2L << 30) - 50_001, 5L << 29, size - 100_000}) {
                reach(client, region, large, at);
            }
            server.endpoint.deregisterMemory(region);
        }
        client.close();
        server.close();
    }

    /** Writes 100,000 bytes there, reads them back, and adds to a word of theirs. */
    private static void reach(Peer client, IwarpMr region, MemorySegment memory, long at) throws Exception {
        byte[] bytes = new byte[100_000];
        new SplittableRandom(at).nextBytes(bytes);
        client.memory.put(0, bytes);
        client.post(to(region, at, client.work(IbvSendWR.IBV_WR_RDMA_WRITE, client.buffer(0, bytes.length))));
        client.post(to(region, at, client.work(IbvSendWR.IBV_WR_RDMA_READ, client.buffer(200_000, bytes.length))));
        drain(client, 2);
        byte[] back = new byte[bytes.length];
        client.memory.get(200_000, back);
        assertThat(java.util.Arrays.equals(bytes, back)).as("read back").isTrue();
        byte[] there = memory.asSlice(at, bytes.length).toArray(ValueLayout.JAVA_BYTE);
        assertThat(java.util.Arrays.equals(bytes, there)).as("in place").isTrue();
        long word = (at + Long.BYTES) / Long.BYTES * Long.BYTES;
        long before = memory.get(ValueLayout.JAVA_LONG, word);
        IbvSendWR add = to(region, word, client.work(IbvSendWR.IBV_WR_ATOMIC_FETCH_AND_ADD, client.buffer(0, 8)));
        add.getAtomic().setCompare_add(3);
        client.post(add);
        drain(client, 1);
        assertThat(memory.get(ValueLayout.JAVA_LONG, word)).isEqualTo(before + 3);
    }

    private static IbvSendWR to(IwarpMr region, long at, IbvSendWR work) {
        work.getRdma().setRemote_addr(region.getAddr() + at);
        work.getRdma().setRkey(region.getRkey());
        work.getAtomic().setRemote_addr(region.getAddr() + at);
        work.getAtomic().setRkey(region.getRkey());
        return work;
    }
}
