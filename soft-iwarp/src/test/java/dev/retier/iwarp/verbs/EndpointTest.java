package dev.retier.iwarp.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.IbvWC;
import dev.retier.iwarp.SoftIwarp;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.LinkedList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** DiSNI's own endpoints over TCP on the loopback interface. */
@SuppressWarnings({"EnumOrdinal", "JdkObsolete"}) // DiSNI's statuses are ordinals, its lists linked
class EndpointTest {
    private static final int SUCCESS = IbvWC.IbvWcStatus.IBV_WC_SUCCESS.ordinal();
    private static final int FLUSHED = IbvWC.IbvWcStatus.IBV_WC_WR_FLUSH_ERR.ordinal();
    private static final int REFUSED = IbvWC.IbvWcStatus.IBV_WC_REM_ACCESS_ERR.ordinal();

    private Peer client;
    private Peer server;

    @BeforeAll
    static void install() {
        SoftIwarp.install();
    }

    @BeforeEach
    void connect() throws Exception {
        List<Peer> both = Peer.pair();
        client = both.get(0);
        server = both.get(1);
    }

    @AfterEach
    void close() throws Exception {
        client.close();
        server.close();
    }

    @Test
    void shouldPlaceBytes_whenWritten() throws Exception {
        client.memory.putLong(0, 0x1122334455667788L);
        client.post(client.work(IbvSendWR.IBV_WR_RDMA_WRITE, client.buffer(0, 8), server, 4096));
        IbvWC done = client.await();
        assertThat(done.getStatus()).isEqualTo(SUCCESS);
        assertThat(done.getOpcode()).isEqualTo(IbvWC.IbvWcOpcode.IBV_WC_RDMA_WRITE.getOpcode());
        client.post(client.work(IbvSendWR.IBV_WR_RDMA_READ, client.buffer(64, 8), server, 4096));
        assertThat(client.await().getStatus()).isEqualTo(SUCCESS);
        assertThat(server.memory.getLong(4096)).isEqualTo(0x1122334455667788L);
        assertThat(client.memory.getLong(64)).isEqualTo(0x1122334455667788L);
    }

    @Test
    void shouldReadAllBytes_whenReadSpansManySegments() throws Exception {
        for (int i = 0; i < 600_000; i++) {
            server.memory.put(i, (byte) (i * 31));
        }
        client.post(client.work(IbvSendWR.IBV_WR_RDMA_READ, client.buffer(0, 600_000), server, 0));
        IbvWC done = client.await();
        assertThat(done.getStatus()).isEqualTo(SUCCESS);
        assertThat(done.getByte_len()).isEqualTo(600_000);
        assertThat(client.memory.slice(0, 600_000)).isEqualTo(server.memory.slice(0, 600_000));
    }

    @Test
    void shouldDeliverInOrder_whenServerSpeaksFirst() throws Exception {
        client.postReceive(1, client.buffer(0, 64));
        client.postReceive(2, client.buffer(64, 64));
        server.memory.putInt(0, 11).putInt(4, 22);
        server.post(
                server.work(IbvSendWR.IBV_WR_SEND, server.buffer(0, 4)),
                server.work(IbvSendWR.IBV_WR_SEND, server.buffer(4, 4)));
        IbvWC first = client.await();
        IbvWC second = client.await();
        assertThat(first.getWr_id()).isEqualTo(1);
        assertThat(first.getByte_len()).isEqualTo(4);
        assertThat(first.getOpcode()).isEqualTo(IbvWC.IbvWcOpcode.IBV_WC_RECV.getOpcode());
        assertThat(first.getQp_num()).isEqualTo(client.endpoint.getQp().getQp_num());
        assertThat(second.getWr_id()).isEqualTo(2);
        assertThat(client.memory.getInt(0)).isEqualTo(11);
        assertThat(client.memory.getInt(64)).isEqualTo(22);
    }

    @Test
    void shouldSwapAndReturnOldValue_whenCompareMatches() throws Exception {
        server.memory.putLong(128, 40);
        IbvSendWR work = client.work(IbvSendWR.IBV_WR_ATOMIC_CMP_AND_SWP, client.buffer(0, 8), server, 128);
        work.getAtomic().setCompare_add(40);
        work.getAtomic().setSwap(50);
        client.post(work);
        assertThat(client.await().getStatus()).isEqualTo(SUCCESS);
        assertThat(client.memory.getLong(0)).isEqualTo(40);
        assertThat(server.memory.getLong(128)).isEqualTo(50);
        client.post(work);
        assertThat(client.await().getOpcode()).isEqualTo(IbvWC.IbvWcOpcode.IBV_WC_COMP_SWAP.getOpcode());
        assertThat(client.memory.getLong(0)).as("lost: the value found").isEqualTo(50);
        assertThat(server.memory.getLong(128)).isEqualTo(50);
    }

    @Test
    void shouldAdd_whenFetchAddIsPosted() throws Exception {
        server.memory.putLong(8, 41);
        IbvSendWR work = client.work(IbvSendWR.IBV_WR_ATOMIC_FETCH_AND_ADD, client.buffer(0, 8), server, 8);
        work.getAtomic().setCompare_add(1);
        client.post(work, work);
        assertThat(client.await().getStatus()).isEqualTo(SUCCESS);
        assertThat(client.await().getStatus()).isEqualTo(SUCCESS);
        assertThat(client.memory.getLong(0)).isEqualTo(42);
        assertThat(server.memory.getLong(8)).isEqualTo(43);
    }

    /** Local compare-and-set and remote fetch-add on the same word lose nothing. */
    @Test
    void shouldLoseNoAdd_whenLocalAndRemoteAddToOneWord() throws Exception {
        int each = 2000;
        VarHandle word = ValueLayout.JAVA_LONG.varHandle();
        MemorySegment memory = MemorySegment.ofBuffer(server.memory);
        Thread local = Thread.ofPlatform().start(() -> {
            for (int i = 0; i < each; i++) {
                long old;
                do {
                    old = (long) word.getVolatile(memory, 512L);
                } while (!word.compareAndSet(memory, 512L, old, old + 1));
            }
        });
        IbvSendWR add = client.work(IbvSendWR.IBV_WR_ATOMIC_FETCH_AND_ADD, client.buffer(0, 8), server, 512);
        add.getAtomic().setCompare_add(1);
        for (int i = 0; i < each; i++) {
            client.post(add);
            assertThat(client.await().getStatus()).isEqualTo(SUCCESS);
        }
        local.join();
        assertThat(server.memory.getLong(512)).isEqualTo(2L * each);
    }

    @Test
    void shouldDeliverImmediate_whenWriteCarriesOne() throws Exception {
        server.postReceive(9, server.buffer(0, 0));
        IbvSendWR work = client.work(IbvSendWR.IBV_WR_RDMA_WRITE_WITH_IMM, client.buffer(0, 100), server, 256);
        work.setImm_data(0xCAFE);
        client.post(work);
        IbvWC received = server.await();
        assertThat(received.getOpcode()).isEqualTo(IbvWC.IbvWcOpcode.IBV_WC_RECV_RDMA_WITH_IMM.getOpcode());
        assertThat(received.getImm_data()).isEqualTo(0xCAFE);
        assertThat(received.getByte_len()).isEqualTo(100);
        assertThat(received.getWr_id()).isEqualTo(9);
    }

    @Test
    void shouldReportNothing_whenWorkIsUnsignaled() throws Exception {
        IbvSendWR quiet = client.work(IbvSendWR.IBV_WR_RDMA_WRITE, client.buffer(0, 8), server, 0);
        quiet.setSend_flags(IbvSendWR.IBV_SEND_INLINE);
        client.memory.putLong(0, 77);
        client.post(quiet);
        client.memory.putLong(0, 78);
        client.post(client.work(IbvSendWR.IBV_WR_RDMA_READ, client.buffer(64, 8), server, 0));
        assertThat(client.await().getOpcode()).isEqualTo(IbvWC.IbvWcOpcode.IBV_WC_RDMA_READ.getOpcode());
        assertThat(client.memory.getLong(64)).isEqualTo(77);
    }

    @Test
    void shouldGatherAndScatter_whenListsHaveSeveralBuffers() throws Exception {
        client.memory.putInt(0, 1).putInt(100, 2).putInt(200, 3);
        LinkedList<IbvSge> three = client.buffer(0, 4);
        three.addAll(client.buffer(100, 4));
        three.addAll(client.buffer(200, 4));
        LinkedList<IbvSge> two = server.buffer(0, 6);
        two.addAll(server.buffer(1000, 6));
        server.postReceive(1, two);
        client.post(client.work(IbvSendWR.IBV_WR_SEND, three));
        assertThat(server.await().getByte_len()).isEqualTo(12);
        assertThat(server.memory.getInt(0)).isEqualTo(1);
        assertThat(server.memory.getShort(4)).isEqualTo((short) 2);
        assertThat(server.memory.getInt(1002)).isEqualTo(3);
    }

    @Test
    void shouldTerminateBothSides_whenKeyIsUnknown() throws Exception {
        client.postReceive(5, client.buffer(0, 8));
        IbvSendWR work = client.work(IbvSendWR.IBV_WR_RDMA_READ, client.buffer(0, 8), server, 0);
        work.getRdma().setRkey(server.region.getRkey() + 1);
        client.post(work);
        IbvWC failed = client.await();
        assertThat(failed.getStatus()).isEqualTo(REFUSED);
        assertThat(failed.getVendor_err())
                .as("RDMAP, remote protection, invalid STag")
                .isEqualTo(0x0100);
        assertThat(client.await().getStatus()).isEqualTo(FLUSHED);
        assertThat(server.endpoint.disconnected.get(5, TimeUnit.SECONDS)).contains("RDMAP_INVALID_STAG");
        assertThat(client.endpoint.disconnected.get(5, TimeUnit.SECONDS)).contains("Terminate 0x0100");
    }

    @Test
    void shouldTerminateAndChangeNothing_whenWriteLeavesRegion() throws Exception {
        server.memory.putLong((1 << 20) - 8, 7);
        client.post(client.work(IbvSendWR.IBV_WR_RDMA_WRITE, client.buffer(0, 9), server, (1 << 20) - 8));
        assertThat(server.endpoint.disconnected.get(5, TimeUnit.SECONDS)).contains("DDP_BOUNDS");
        assertThat(server.memory.getLong((1 << 20) - 8)).isEqualTo(7);
    }

    @Test
    void shouldRefuseAccess_whenRegionIsDeregistered() throws Exception {
        server.endpoint.deregisterMemory(server.region);
        client.post(client.work(IbvSendWR.IBV_WR_RDMA_READ, client.buffer(0, 8), server, 0));
        assertThat(client.await().getStatus()).isEqualTo(REFUSED);
    }

    @Test
    void shouldFlush_whenPeerDisconnects() throws Exception {
        client.postReceive(3, client.buffer(0, 8));
        server.endpoint.close();
        IbvWC flushed = client.await();
        assertThat(flushed.getStatus()).isEqualTo(FLUSHED);
        assertThat(flushed.getWr_id()).isEqualTo(3);
        client.endpoint.disconnected.get(5, TimeUnit.SECONDS);
        assertThat(client.endpoint.isConnected()).isFalse();
    }

    @Test
    void shouldSayWhy_whenSendWithImmediateIsPosted() {
        IbvSendWR work = client.work(IbvSendWR.IBV_WR_SEND_WITH_IMM, client.buffer(0, 8));
        assertThatThrownBy(() -> client.post(work))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("RDMA_WRITE_WITH_IMM");
    }
}
