package dev.retier.iwarp.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvCompChannel;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaCmEvent;
import dev.retier.iwarp.SoftIwarp;
import dev.retier.iwarp.net.DeviceConfig;
import dev.retier.iwarp.verbs.RawVerbs.Connection;
import dev.retier.iwarp.verbs.RawVerbs.Memory;
import dev.retier.iwarp.verbs.RawVerbs.Parts;
import dev.retier.verbs.TlsKeys;
import java.io.IOException;
import java.util.LinkedList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What verbs promise, object by object, through DiSNI's public API alone. */
@SuppressWarnings({"EnumOrdinal", "JdkObsolete"}) // DiSNI's statuses are ordinals, its lists linked
class VerbsTest {
    private static final int FLUSHED = IbvWC.IbvWcStatus.IBV_WC_WR_FLUSH_ERR.ordinal();
    private static final int REFUSED = IbvWC.IbvWcStatus.IBV_WC_REM_ACCESS_ERR.ordinal();
    private static final int ALL = Peer.ALL_RIGHTS;
    private static final int SIGNALED = IbvSendWR.IBV_SEND_SIGNALED;

    private RawVerbs raw;
    private IbvPd clientDomain;
    private IbvPd serverDomain;
    private IbvCQ clientQueue;
    private IbvCQ serverQueue;
    private IbvCompChannel serverChannel;
    private Connection pair;
    private Memory here;
    private Memory there;

    /** Under what the connections are; {@link TlsVerbsTest} has the same promises kept under TLS. */
    Optional<TlsKeys> tls() {
        return Optional.empty();
    }

    @BeforeEach
    void connect() throws IOException {
        SoftIwarp.install(DeviceConfig.defaults(), Devices.Scope.PROCESS);
        raw = new RawVerbs(tls());
        clientDomain = raw.newDomain();
        serverDomain = raw.newDomain();
        serverChannel = raw.newChannel();
        clientQueue = raw.newQueue(null, 64);
        serverQueue = raw.newQueue(serverChannel, 64);
        pair = raw.connect(new Parts(clientQueue, clientDomain, false), new Parts(serverQueue, serverDomain, false));
        here = raw.register(clientDomain, 4096, ALL);
        there = raw.register(serverDomain, 4096, ALL);
    }

    @AfterEach
    void close() throws IOException {
        raw.close();
    }

    private static List<Integer> statuses(List<IbvWC> completions) {
        return completions.stream().map(IbvWC::getStatus).toList();
    }

    @Test
    void shouldTellPairsApart_whenTheyShareOneCompletionQueue() throws IOException {
        Connection second =
                raw.connect(new Parts(clientQueue, clientDomain, false), new Parts(serverQueue, serverDomain, false));
        raw.receive(pair.server(), 1, there.at(0, 8));
        raw.receive(second.server(), 2, there.at(8, 8));
        raw.post(second.client(), RawVerbs.work(IbvSendWR.IBV_WR_SEND, SIGNALED, here.at(0, 8)));
        IbvWC first = raw.await(serverQueue, 1).getFirst();
        assertThat(first.getWr_id()).isEqualTo(2);
        assertThat(first.getQp_num()).isEqualTo(second.server().getQp().getQp_num());
        raw.post(pair.client(), RawVerbs.work(IbvSendWR.IBV_WR_SEND, SIGNALED, here.at(0, 8)));
        IbvWC next = raw.await(serverQueue, 1).getFirst();
        assertThat(next.getQp_num()).isEqualTo(pair.server().getQp().getQp_num());
        assertThat(raw.await(clientQueue, 2))
                .extracting(completion -> completion.getQp_num())
                .containsExactly(
                        second.client().getQp().getQp_num(),
                        pair.client().getQp().getQp_num());
    }

    /** RFC 5042 section 6.4.3, over the wire: who floods a shared completion queue ends, the others go on. */
    @Test
    void shouldEndTheHogOnly_whenCompletionQueueOverflows() throws IOException {
        IbvCQ small = raw.newQueue(null, 8);
        Connection hog = raw.connect(
                new Parts(raw.newQueue(null, 64), clientDomain, false), new Parts(small, serverDomain, false));
        Connection modest =
                raw.connect(new Parts(clientQueue, clientDomain, false), new Parts(small, serverDomain, false));
        for (int i = 0; i < 20; i++) {
            raw.receive(hog.server(), i, there.at(0, 8));
        }
        raw.receive(modest.server(), 100, there.at(8, 8));
        for (int i = 0; i < 20; i++) {
            raw.post(hog.client(), RawVerbs.work(IbvSendWR.IBV_WR_SEND, 0, here.at(0, 8)));
        }
        raw.expectAtServer(RdmaCmEvent.EventType.RDMA_CM_EVENT_DISCONNECTED);
        raw.post(modest.client(), RawVerbs.work(IbvSendWR.IBV_WR_SEND, SIGNALED, here.at(0, 8)));
        assertThat(statuses(raw.await(clientQueue, 1))).containsExactly(0);
        List<IbvWC> left = raw.await(small, 9);
        assertThat(left).filteredOn(completion -> completion.getWr_id() < 100).hasSize(8);
        assertThat(left)
                .filteredOn(completion -> completion.getWr_id() == 100)
                .singleElement()
                .matches(completion -> completion.getStatus() == 0);
    }

    @Test
    void shouldReportEverySend_whenQueuePairSignalsAll() throws IOException {
        Connection all =
                raw.connect(new Parts(clientQueue, clientDomain, true), new Parts(serverQueue, serverDomain, false));
        raw.post(all.client(), RawVerbs.work(IbvSendWR.IBV_WR_RDMA_WRITE, 0, here.at(0, 8), there.region()));
        assertThat(statuses(raw.await(clientQueue, 1))).containsExactly(0);
    }

    /** RFC 7306 section 5.1: bits outside of the masks neither count nor change, and no carry leaves its field. */
    @Test
    void shouldTouchMaskedBitsOnly_whenAnAtomicHasMasks() throws IOException {
        there.bytes().putLong(0, 0x1122_3344_5566_7788L);
        IwarpSendWr swap = atomic(IbvSendWR.IBV_WR_ATOMIC_CMP_AND_SWP, 0xFFFF_FFFF_FFFF_FF88L, 0xAAAA_AAAA_AAAA_AAAAL);
        swap.setMasks(0xFF, 0x00FF_0000_0000_0000L);
        raw.post(pair.client(), swap);
        assertThat(statuses(raw.await(clientQueue, 1))).containsExactly(0);
        assertThat(here.bytes().getLong(0)).isEqualTo(0x1122_3344_5566_7788L);
        assertThat(there.bytes().getLong(0)).isEqualTo(0x11AA_3344_5566_7788L);

        there.bytes().putLong(0, 0x0000_0001_FFFF_FFFFL);
        IwarpSendWr add = atomic(IbvSendWR.IBV_WR_ATOMIC_FETCH_AND_ADD, 0x0000_0001_0000_0001L, 0);
        add.setMasks(0, 0x8000_0000_8000_0000L);
        raw.post(pair.client(), add);
        assertThat(statuses(raw.await(clientQueue, 1))).containsExactly(0);
        assertThat(here.bytes().getLong(0)).isEqualTo(0x0000_0001_FFFF_FFFFL);
        assertThat(there.bytes().getLong(0)).isEqualTo(0x0000_0002_0000_0000L);
    }

    private IwarpSendWr atomic(int opcode, long compareOrAdd, long swap) {
        IwarpSendWr work = RawVerbs.work(opcode, SIGNALED, here.at(0, 8));
        work.getAtomic().setRemote_addr(there.region().getAddr());
        work.getAtomic().setRkey(there.region().getRkey());
        work.getAtomic().setCompare_add(compareOrAdd);
        work.getAtomic().setSwap(swap);
        return work;
    }

    @Test
    void shouldTakeInlineDataAtOnce_whenBufferIsReusedOrUnregistered() throws IOException {
        here.bytes().putLong(0, 11);
        IwarpSendWr inline = RawVerbs.work(
                IbvSendWR.IBV_WR_RDMA_WRITE, IbvSendWR.IBV_SEND_INLINE | SIGNALED, here.at(0, 8), there.region());
        inline.getSg_list().getFirst().setLkey(0);
        raw.post(pair.client(), inline);
        here.bytes().putLong(0, 12);
        assertThat(statuses(raw.await(clientQueue, 1))).containsExactly(0);
        read(there.region(), 8);
        assertThat(there.bytes().getLong(0)).isEqualTo(11);
    }

    @Test
    void shouldRefuse_whenInlineDataIsTooLong() {
        IwarpSendWr inline =
                RawVerbs.work(IbvSendWR.IBV_WR_RDMA_WRITE, IbvSendWR.IBV_SEND_INLINE, here.at(0, 1025), there.region());
        assertThatThrownBy(() -> raw.post(pair.client(), inline))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("1025 bytes of inline data; at most 1024");
    }

    /** A read, which also proves that what was written before it has arrived. */
    private void read(IbvMr source, int bytes) throws IOException {
        raw.post(pair.client(), RawVerbs.work(IbvSendWR.IBV_WR_RDMA_READ, SIGNALED, here.at(2048, bytes), source));
        assertThat(statuses(raw.await(clientQueue, 1))).containsExactly(0);
    }

    @Test
    void shouldScatterWhatItReads_whenReadHasSeveralBuffers() throws IOException {
        there.bytes().putInt(0, 1).putInt(4, 2).putInt(8, 3);
        var sinks = new LinkedList<>(here.at(100, 4));
        sinks.addAll(here.at(200, 2));
        sinks.addAll(here.at(300, 6));
        raw.post(pair.client(), RawVerbs.work(IbvSendWR.IBV_WR_RDMA_READ, SIGNALED, sinks, there.region()));
        assertThat(statuses(raw.await(clientQueue, 1))).containsExactly(0);
        assertThat(here.bytes().getInt(100)).isEqualTo(1);
        assertThat(here.bytes().getShort(200)).isEqualTo((short) 2);
        assertThat(here.bytes().getInt(302)).isEqualTo(3);
    }

    @Test
    void shouldRefuse_whenWorkHasMoreBuffersThanItsQueuePair() {
        var many = new LinkedList<>(here.at(0, 4));
        for (int i = 0; i < 4; i++) {
            many.addAll(here.at(0, 4));
        }
        assertThatThrownBy(() -> raw.post(pair.client(), RawVerbs.work(IbvSendWR.IBV_WR_SEND, SIGNALED, many)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("more than 4 scatter/gather elements");
    }

    /** As {@code ibv_post_send}: what stands before the request that fails is posted. */
    @Test
    void shouldCompleteWhatFitted_whenListIsLongerThanTheQueue() throws IOException {
        IbvSendWR[] many = new IbvSendWR[65];
        for (int i = 0; i < many.length; i++) {
            many[i] = RawVerbs.work(IbvSendWR.IBV_WR_RDMA_WRITE, SIGNALED, here.at(i, 1), there.region());
            many[i].getRdma().setRemote_addr(there.region().getAddr() + i);
            many[i].setWr_id(i);
            here.bytes().put(i, (byte) (i + 1));
        }
        assertThatThrownBy(() -> raw.post(pair.client(), many)).hasMessageContaining("the send queue is full with 64");
        assertThat(raw.await(clientQueue, 64)).extracting(IbvWC::getWr_id).endsWith(63L);
        raw.post(pair.client(), many[64]);
        assertThat(statuses(raw.await(clientQueue, 1))).containsExactly(0);
    }

    @Test
    void shouldPostWhatStandsBefore_whenOneOfTheListIsWrong() throws IOException {
        IwarpSendWr good = RawVerbs.work(IbvSendWR.IBV_WR_RDMA_WRITE, SIGNALED, here.at(0, 8), there.region());
        IwarpSendWr bad = RawVerbs.work(IbvSendWR.IBV_WR_RDMA_WRITE, SIGNALED, here.at(0, 8), there.region());
        bad.getSg_list().getFirst().setLength(-1);
        assertThatThrownBy(() -> raw.post(pair.client(), good, bad))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("element of -1 bytes");
        assertThat(statuses(raw.await(clientQueue, 1))).containsExactly(0);
    }

    @Test
    void shouldPostWhatStandsBefore_whenOneOfTheReceivesIsWrong() throws IOException {
        IbvRecvWR good = new IbvRecvWR();
        good.setWr_id(5);
        good.setSg_list(there.at(0, 8));
        IbvRecvWR bad = new IbvRecvWR();
        bad.setSg_list(there.at(8, 8));
        bad.getSg_list().getFirst().setLength(-1);
        assertThatThrownBy(() -> raw.verbs
                        .postRecv(pair.server().getQp(), List.of(good, bad), null)
                        .execute())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("element of -1 bytes");
        raw.post(pair.client(), RawVerbs.work(IbvSendWR.IBV_WR_SEND, SIGNALED, here.at(0, 8)));
        assertThat(raw.await(serverQueue, 1)).extracting(IbvWC::getWr_id).containsExactly(5L);
    }

    @Test
    void shouldReportNothing_whenQueuePairIsDestroyedWithWorkPosted() throws IOException {
        raw.receive(pair.client(), 1, here.at(0, 8));
        pair.client().destroyQP();
        assertThat(raw.poll(clientQueue)).isEmpty();
        raw.expectAtServer(RdmaCmEvent.EventType.RDMA_CM_EVENT_DISCONNECTED);
        assertThat(raw.poll(clientQueue)).isEmpty();
    }

    /** RFC 5040 section 5.3: a Send wakes who waits for solicited events only if it says so. */
    @Test
    void shouldWakeOnSolicitedSendOnly_whenThatWasAskedFor() throws IOException {
        raw.receive(pair.server(), 1, there.at(0, 8));
        raw.receive(pair.server(), 2, there.at(8, 8));
        raw.verbs.reqNotifyCQ(serverQueue, true).execute().free();
        raw.post(pair.client(), RawVerbs.work(IbvSendWR.IBV_WR_SEND, SIGNALED, here.at(0, 8)));
        raw.await(serverQueue, 1);
        assertThat(raw.verbs.getCqEvent(serverChannel, serverQueue, 0)).isFalse();
        int solicited = SIGNALED | IbvSendWR.IBV_SEND_SOLICITED;
        raw.post(pair.client(), RawVerbs.work(IbvSendWR.IBV_WR_SEND, solicited, here.at(0, 8)));
        assertThat(raw.verbs.getCqEvent(serverChannel, serverQueue, 10_000)).isTrue();
        raw.verbs.ackCqEvents(serverQueue, 1);
        assertThat(raw.await(serverQueue, 1).getFirst().getWr_id()).isEqualTo(2);
    }

    @Test
    void shouldRevokeAndSayWhich_whenSendInvalidates() throws IOException {
        Memory own = raw.registerFor(pair.server().getQp(), 64, ALL);
        raw.receive(pair.server(), 1, there.at(0, 8));
        raw.post(pair.client(), RawVerbs.work(IbvSendWR.IBV_WR_RDMA_WRITE, SIGNALED, here.at(0, 8), own.region()));
        IwarpSendWr send = RawVerbs.work(IbvSendWR.IBV_WR_SEND, SIGNALED, here.at(0, 8));
        send.setInvalidateKey(own.region().getRkey());
        raw.post(pair.client(), send);
        IbvWC received = raw.await(serverQueue, 1).getFirst();
        assertThat(received.getWc_flags() & 1 << 3).as("IBV_WC_WITH_INV").isNotZero();
        assertThat(received.getImm_data()).isEqualTo(own.region().getRkey());
        assertThat(statuses(raw.await(clientQueue, 2))).containsExactly(0, 0);
        raw.post(pair.client(), RawVerbs.work(IbvSendWR.IBV_WR_RDMA_READ, SIGNALED, here.at(0, 8), own.region()));
        assertThat(statuses(raw.await(clientQueue, 1))).containsExactly(REFUSED);
    }

    /** RFC 5041 section 5.1: a region of another protection domain is none of this stream's. */
    @Test
    void shouldEnd_whenRegionIsOfAnotherDomain() throws IOException {
        Memory foreign = raw.register(raw.newDomain(), 64, ALL);
        raw.post(pair.client(), RawVerbs.work(IbvSendWR.IBV_WR_RDMA_READ, SIGNALED, here.at(0, 8), foreign.region()));
        assertThat(statuses(raw.await(clientQueue, 1))).containsExactly(REFUSED);
        raw.expectAtServer(RdmaCmEvent.EventType.RDMA_CM_EVENT_DISCONNECTED);
    }

    @ParameterizedTest(name = "rights {0}, opcode {1}")
    @CsvSource({"5,0", "3,4", "7,5", "7,6"}) // without remote write, read, atomic; the opcodes of ibv_wr_opcode
    void shouldEnd_whenRegionDoesNotGrantTheAccess(int rights, int opcode) throws IOException {
        Memory guarded = raw.register(serverDomain, 64, rights);
        guarded.bytes().putLong(0, 7);
        IwarpSendWr work = RawVerbs.work(opcode, SIGNALED, here.at(0, 8), guarded.region());
        work.getAtomic().setRemote_addr(guarded.region().getAddr());
        work.getAtomic().setRkey(guarded.region().getRkey());
        work.getAtomic().setCompare_add(7);
        work.getAtomic().setSwap(8);
        raw.post(pair.client(), work);
        raw.expectAtServer(RdmaCmEvent.EventType.RDMA_CM_EVENT_DISCONNECTED);
        assertThat(guarded.bytes().getLong(0)).isEqualTo(7);
    }

    @Test
    void shouldRefuse_whenRightsContradictEachOther() {
        assertThatThrownBy(() -> raw.register(serverDomain, 64, IbvMr.IBV_ACCESS_REMOTE_WRITE))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("remote write and remote atomic need local write");
    }

    @Test
    void shouldFlushInOrder_whenConnectionEndsWithWorkPosted() throws IOException {
        for (int i = 0; i < 3; i++) {
            raw.receive(pair.client(), i, here.at(0, 8));
        }
        pair.client().disconnect();
        List<IbvWC> flushed = raw.await(clientQueue, 3);
        assertThat(flushed).extracting(IbvWC::getWr_id).containsExactly(0L, 1L, 2L);
        assertThat(statuses(flushed)).containsOnly(FLUSHED);
        raw.post(pair.client(), RawVerbs.work(IbvSendWR.IBV_WR_SEND, SIGNALED, here.at(0, 8)));
        assertThat(statuses(raw.await(clientQueue, 1))).containsExactly(FLUSHED);
        raw.expectAtServer(RdmaCmEvent.EventType.RDMA_CM_EVENT_DISCONNECTED);
    }

    @Test
    void shouldRefuse_whenObjectWasDestroyed() throws IOException {
        IbvCQ gone = raw.newQueue(null, 4);
        raw.verbs.destroyCQ(gone);
        assertThatThrownBy(() -> raw.poll(gone)).isInstanceOf(IOException.class).hasMessageContaining("destroyed");
        IbvPd domain = raw.newDomain();
        raw.verbs.deallocPd(domain);
        assertThatThrownBy(() -> raw.register(domain, 8, ALL))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("deallocated");
    }
}
