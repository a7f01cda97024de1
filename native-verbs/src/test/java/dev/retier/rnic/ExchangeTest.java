package dev.retier.rnic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvCompChannel;
import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvQPInitAttr;
import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmEvent.EventType;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaConnParam;
import com.ibm.disni.verbs.RdmaEventChannel;
import com.ibm.disni.verbs.RdmaVerbs;
import com.ibm.disni.verbs.SVCPostSend;
import dev.retier.verbs.Providers;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two ends of a connection, over the library made of upcalls. */
@SuppressWarnings({"JdkObsolete", "EnumOrdinal"}) // DiSNI's lists, and its numbers of events
class ExchangeTest {
    private static final int ALL_RIGHTS = 15;
    private static final int BYTES = 4096;
    private static final InetSocketAddress THERE = new InetSocketAddress("10.9.0.1", 4711);

    private final FakeLibrary fake = new FakeLibrary();
    private RdmaCm cm;
    private RdmaVerbs verbs;
    private RdmaEventChannel channel;
    private RdmaCmId listener;

    private final class End {
        final RdmaCmId id;
        final IbvPd domain;
        final IbvCompChannel notices;
        final IbvCQ queue;
        final IbvQP pair;
        final ByteBuffer buffer = ByteBuffer.allocateDirect(BYTES).order(ByteOrder.nativeOrder());
        final IbvMr region;

        End(RdmaCmId id) throws IOException {
            this.id = id;
            IbvContext context = id.getVerbs();
            domain = context.allocPd();
            notices = context.createCompChannel();
            queue = context.createCQ(notices, 64, 0);
            IbvQPInitAttr attributes = new IbvQPInitAttr();
            attributes.cap().setMax_send_wr(8);
            attributes.cap().setMax_recv_wr(8);
            attributes.setQp_type(IbvQP.IBV_QPT_RC);
            attributes.setSend_cq(queue);
            attributes.setRecv_cq(queue);
            pair = id.createQP(domain, attributes);
            region = domain.regMr(buffer, ALL_RIGHTS).execute().free().getMr();
        }

        IbvSge element(int offset, int length) {
            IbvSge element = new IbvSge();
            element.setAddr(region.getAddr() + offset);
            element.setLength(length);
            element.setLkey(region.getLkey());
            return element;
        }

        IbvSendWR work(int opcode, End to, int remote, IbvSge... elements) {
            IbvSendWR request = new IbvSendWR();
            request.setWr_id(100 + opcode);
            request.setOpcode(opcode);
            request.setSend_flags(IbvSendWR.IBV_SEND_SIGNALED);
            request.setSg_list(new LinkedList<>(List.of(elements)));
            request.setNum_sge(elements.length);
            request.getRdma().setRemote_addr(to.region.getAddr() + remote);
            request.getRdma().setRkey(to.region.getRkey());
            request.getAtomic().setRemote_addr(to.region.getAddr() + remote);
            request.getAtomic().setRkey(to.region.getRkey());
            return request;
        }

        void post(IbvSendWR... requests) throws IOException {
            pair.postSend(List.of(requests), null).execute().free();
        }

        void receive(long workId, int offset, int length) throws IOException {
            IbvRecvWR request = new IbvRecvWR();
            request.setWr_id(workId);
            request.setSg_list(new LinkedList<>(List.of(element(offset, length))));
            request.setNum_sge(1);
            pair.postRecv(List.of(request), null).execute().free();
        }

        List<IbvWC> completions() throws IOException {
            IbvWC[] found = {new IbvWC(), new IbvWC(), new IbvWC(), new IbvWC()};
            int count = queue.poll(found, found.length).execute().free().getPolls();
            return Arrays.asList(found).subList(0, count);
        }

        int status() throws IOException {
            List<IbvWC> found = completions();
            assertThat(found).hasSize(1);
            return found.getFirst().getStatus();
        }

        void end() throws IOException {
            region.deregMr().execute().free();
            id.destroyQP();
            queue.destroyCQ();
            notices.destroyCompChannel();
            verbs.deallocPd(domain);
            id.destroyId();
        }
    }

    @BeforeEach
    void open() throws IOException {
        RnicProvider provider = new RnicProvider(new Library(fake));
        cm = provider.openCm();
        verbs = provider.openVerbs();
        Providers.install(provider);
        channel = cm.createEventChannel();
        listener = cm.createId(channel, RdmaCm.RDMA_PS_TCP);
        cm.bindAddr(listener, THERE);
        cm.listen(listener, 5);
    }

    private RdmaCmEvent event(EventType type) throws IOException {
        RdmaCmEvent found = Objects.requireNonNull(channel.getCmEvent(1000), "no event " + type);
        assertThat(EventType.values()[found.getEvent()]).isEqualTo(type);
        found.ackEvent();
        return found;
    }

    @SuppressWarnings("restricted") // the provider's copy
    private static String data(RdmaCmEvent event) {
        int length = Byte.toUnsignedInt(event.getConn().getPrivate_data_len());
        return length == 0
                ? ""
                : new String(
                        MemorySegment.ofAddress(event.getConn().getPrivate_data())
                                .reinterpret(length)
                                .toArray(ValueLayout.JAVA_BYTE),
                        StandardCharsets.UTF_8);
    }

    private static RdmaConnParam parameters(String data) throws IOException {
        MemorySegment memory = Arena.ofAuto().allocateFrom(data);
        RdmaConnParam parameters = new RdmaConnParam();
        parameters.setPrivate_data(memory.address());
        parameters.setPrivate_data_len((byte) data.length());
        return parameters;
    }

    private End[] connected() throws IOException {
        RdmaCmId id = cm.createId(channel, RdmaCm.RDMA_PS_TCP);
        cm.resolveAddr(id, null, THERE, 1000);
        event(EventType.RDMA_CM_EVENT_ADDR_RESOLVED);
        cm.resolveRoute(id, 1000);
        event(EventType.RDMA_CM_EVENT_ROUTE_RESOLVED);
        End from = new End(id);
        cm.connect(id, parameters("hello"));
        RdmaCmEvent asked = event(EventType.RDMA_CM_EVENT_CONNECT_REQUEST);
        assertThat(data(asked)).isEqualTo("hello");
        assertThat(asked.getListenIdPriv()).isSameAs(listener);
        End to = new End(asked.getConnIdPriv());
        cm.accept(to.id, parameters("welcome"));
        assertThat(event(EventType.RDMA_CM_EVENT_ESTABLISHED).getConnIdPriv()).isSameAs(to.id);
        assertThat(data(event(EventType.RDMA_CM_EVENT_ESTABLISHED))).isEqualTo("welcome");
        return new End[] {from, to};
    }

    @AfterEach
    void leavesNothing() throws IOException {
        cm.destroyCmId(listener);
        cm.destroyEventChannel(channel);
        assertThat(fake.left()).as("objects of the library that are left").isZero();
    }

    @Test
    void shouldCarryMessagesAndReachMemory_whenConnected() throws IOException {
        End[] ends = connected();
        End from = ends[0];
        End to = ends[1];
        assertThat(fake.calls()).contains("reads 255 255");
        assertThat(to.id.getSource()).isEqualTo(THERE);
        assertThat(from.id.getDestination()).isEqualTo(THERE);
        from.buffer.putLong(0, 11).putLong(8, 22).putLong(64, 33);
        to.receive(7, 128, 64);
        from.post(from.work(IbvSendWR.IBV_WR_SEND, to, 0, from.element(0, 16), from.element(64, 8)));
        assertThat(from.status()).isZero();
        IbvWC received = to.completions().getFirst();
        assertThat(received.getWr_id()).isEqualTo(7);
        assertThat(received.getByte_len()).isEqualTo(24);
        assertThat(received.getOpcode()).isEqualTo(128);
        assertThat(received.getQp_num()).isEqualTo(to.pair.getQp_num());
        assertThat(to.buffer.getLong(136)).isEqualTo(22);
        assertThat(to.buffer.getLong(144)).isEqualTo(33);
        from.post(from.work(IbvSendWR.IBV_WR_RDMA_WRITE, to, 512, from.element(64, 8)));
        assertThat(from.status()).isZero();
        assertThat(to.buffer.getLong(512)).isEqualTo(33);
        from.post(from.work(IbvSendWR.IBV_WR_RDMA_READ, to, 136, from.element(1024, 8)));
        assertThat(from.status()).isZero();
        assertThat(from.buffer.getLong(1024)).isEqualTo(22);
        from.end();
        to.end();
    }

    @Test
    void shouldSwapAndAdd_whenTheDeviceHasAtomics() throws IOException {
        End[] ends = connected();
        End from = ends[0];
        End to = ends[1];
        to.buffer.putLong(256, 50);
        IbvSendWR swap = from.work(IbvSendWR.IBV_WR_ATOMIC_CMP_AND_SWP, to, 256, from.element(0, 8));
        swap.getAtomic().setCompare_add(50);
        swap.getAtomic().setSwap(60);
        IbvSendWR add = from.work(IbvSendWR.IBV_WR_ATOMIC_FETCH_AND_ADD, to, 256, from.element(8, 8));
        add.getAtomic().setCompare_add(5);
        from.post(swap, add);
        assertThat(from.completions()).extracting(IbvWC::getStatus).containsExactly(0, 0);
        assertThat(from.buffer.getLong(0)).isEqualTo(50);
        assertThat(from.buffer.getLong(8)).isEqualTo(60);
        assertThat(to.buffer.getLong(256)).isEqualTo(65);
        from.end();
        to.end();
    }

    @Test
    void shouldPostAgainWithOtherValues_whenACallIsKept() throws IOException {
        End[] ends = connected();
        End from = ends[0];
        End to = ends[1];
        from.buffer.putLong(0, 1).putLong(8, 2);
        SVCPostSend call =
                from.pair.postSend(List.of(from.work(IbvSendWR.IBV_WR_RDMA_WRITE, to, 0, from.element(0, 8))), null);
        call.execute();
        call.getWrMod(0).setWr_id(9);
        call.getWrMod(0).getRdmaMod().setRemote_addr(to.region.getAddr() + 800);
        call.getWrMod(0).getSgeMod(0).setAddr(from.region.getAddr() + 8);
        call.execute();
        assertThat(from.completions()).extracting(IbvWC::getWr_id).containsExactly(100L, 9L);
        assertThat(to.buffer.getLong(0)).isEqualTo(1);
        assertThat(to.buffer.getLong(800)).isEqualTo(2);
        call.free();
        assertThatThrownBy(call::execute).isInstanceOf(IOException.class).hasMessage("this call was freed");
        from.end();
        to.end();
    }

    @Test
    void shouldSayWhichRequestWasRefused_whenTheQueueIsFull() throws IOException {
        End[] ends = connected();
        End from = ends[0];
        IbvSendWR[] nine = new IbvSendWR[9];
        Arrays.setAll(nine, _ -> from.work(IbvSendWR.IBV_WR_RDMA_WRITE, ends[1], 0, from.element(0, 8)));
        assertThatThrownBy(() -> from.post(nine))
                .isInstanceOf(IOException.class)
                .hasMessage("request 8 of 9: the send queue is full; poll for completions, or create the queue pair"
                        + " with more");
        from.end();
        ends[1].end();
    }

    @Test
    void shouldWakeWhoWaits_whenACompletionComes() throws IOException {
        End[] ends = connected();
        End to = ends[1];
        to.queue.reqNotification(false).execute().free();
        assertThat(to.notices.getCqEvent(to.queue, 0)).isFalse();
        to.receive(1, 0, 64);
        ends[0].post(ends[0].work(IbvSendWR.IBV_WR_SEND, to, 0, ends[0].element(0, 8)));
        assertThat(to.notices.getCqEvent(to.queue, 1000)).isTrue();
        assertThat(fake.calls()).contains("ack 1");
        assertThat(to.notices.getCqEvent(to.queue, 0)).isFalse();
        ends[0].end();
        to.end();
    }

    @Test
    void shouldTellBothEnds_whenOneDisconnects() throws IOException {
        End[] ends = connected();
        ends[1].receive(5, 0, 64);
        cm.disconnect(ends[0].id);
        event(EventType.RDMA_CM_EVENT_DISCONNECTED);
        event(EventType.RDMA_CM_EVENT_DISCONNECTED);
        assertThat(ends[1].status()).as("flushed").isEqualTo(5);
        ends[0].end();
        ends[1].end();
        assertThat(channel.getCmEvent(0)).isNull();
    }

    @Test
    void shouldEndTheConnection_whenTheDeviceSaysThatItsQueuePairFailed() throws IOException {
        End[] ends = connected();
        fake.tell(9, 1);
        fake.tell(1, fake.pair(ends[1].pair.getQp_num()));
        assertThat(event(EventType.RDMA_CM_EVENT_DISCONNECTED).getConnIdPriv()).isSameAs(ends[1].id);
        assertThat(channel.getCmEvent(0)).isNull();
        fake.tell(8, 0);
        event(EventType.RDMA_CM_EVENT_DISCONNECTED);
        event(EventType.RDMA_CM_EVENT_DISCONNECTED);
        ends[0].end();
        ends[1].end();
    }

    @Test
    void shouldRefuseAtomics_whenTheDeviceHasNone() throws IOException {
        cm.destroyCmId(listener);
        cm.destroyEventChannel(channel);
        fake.atomicCap = 0;
        open();
        End[] ends = connected();
        IbvSendWR swap = ends[0].work(IbvSendWR.IBV_WR_ATOMIC_CMP_AND_SWP, ends[1], 0, ends[0].element(0, 8));
        assertThatThrownBy(() -> ends[0].post(swap))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("fake0 has no atomics");
        ends[0].end();
        ends[1].end();
    }

    @Test
    void shouldNameTheLimit_whenMoreIsAskedThanTheDeviceHas() throws IOException {
        End[] ends = connected();
        IbvContext context = ends[0].id.getVerbs();
        assertThatThrownBy(() -> context.createCQ(null, 1001, 0))
                .isInstanceOf(IOException.class)
                .hasMessage("a completion queue of 1001 entries; fake0 has at most 1000");
        IbvQPInitAttr many = new IbvQPInitAttr();
        many.cap().setMax_send_sge(7);
        many.setQp_type(IbvQP.IBV_QPT_RC);
        many.setSend_cq(ends[0].queue);
        many.setRecv_cq(ends[0].queue);
        assertThatThrownBy(() -> ends[0].id.createQP(ends[0].domain, many))
                .isInstanceOf(IOException.class)
                .hasMessage("a queue pair with 7 elements in a request; fake0 has at most 6");
        fake.regMrErrno = FakeLibrary.ENOMEM;
        assertThatThrownBy(() -> ends[0].domain
                        .regMr(ByteBuffer.allocateDirect(64), ALL_RIGHTS)
                        .execute())
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("ibv_reg_mr of 64 bytes on fake0: Cannot allocate memory; registered memory")
                .hasMessageContaining("RLIMIT_MEMLOCK")
                .hasMessageEndingWith("raise LimitMEMLOCK= in the unit, or ulimit -l");
        ends[0].end();
        ends[1].end();
    }

    @Test
    void shouldRefuse_whenSomethingWasDestroyed() throws IOException {
        End[] ends = connected();
        End from = ends[0];
        SVCPostSend call = from.pair.postSend(
                List.of(from.work(IbvSendWR.IBV_WR_RDMA_WRITE, ends[1], 0, from.element(0, 8))), null);
        from.end();
        assertThatThrownBy(call::execute).isInstanceOf(IOException.class).hasMessage("the queue pair was destroyed");
        assertThatThrownBy(() -> from.completions())
                .isInstanceOf(IOException.class)
                .hasMessage("the completion queue was destroyed");
        assertThatThrownBy(() -> from.notices.getCqEvent(from.queue, 0))
                .isInstanceOf(IOException.class)
                .hasMessage("the completion channel was destroyed");
        assertThatThrownBy(() -> cm.resolveRoute(from.id, 0))
                .isInstanceOf(IOException.class)
                .hasMessage("the identifier was destroyed");
        ends[1].end();
    }
}
