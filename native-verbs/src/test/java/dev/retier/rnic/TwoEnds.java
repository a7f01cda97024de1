package dev.retier.rnic;

import static org.assertj.core.api.Assertions.assertThat;

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
import dev.retier.verbs.Providers;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.WeakReference;
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

/** Two ends of a connection, over the library made of upcalls. */
@SuppressWarnings({"JdkObsolete", "EnumOrdinal"}) // DiSNI's lists, and its numbers of events
abstract class TwoEnds {
    static final int ALL_RIGHTS = 15;
    static final int BYTES = 4096;
    static final InetSocketAddress THERE = new InetSocketAddress("10.9.0.1", 4711);

    final FakeLibrary fake = new FakeLibrary();
    /** Of private data, as long as the test. */
    private final Arena memory = Arena.ofAuto();

    RdmaCm cm;
    RdmaVerbs verbs;
    RdmaEventChannel channel;
    RdmaCmId listener;

    final class End {
        final RdmaCmId id;
        final IbvPd domain;
        final IbvCompChannel notices;
        final IbvCQ queue;
        /** The same, unless two were asked for. */
        final IbvCQ receives;

        final IbvQP pair;
        final ByteBuffer buffer = ByteBuffer.allocateDirect(BYTES).order(ByteOrder.nativeOrder());
        final IbvMr region;

        End(RdmaCmId id) throws IOException {
            this(id, false);
        }

        End(RdmaCmId id, boolean hasTwoQueues) throws IOException {
            this.id = id;
            IbvContext context = id.getVerbs();
            domain = context.allocPd();
            notices = context.createCompChannel();
            queue = context.createCQ(notices, 64, 0);
            receives = hasTwoQueues ? context.createCQ(notices, 64, 0) : queue;
            IbvQPInitAttr attributes = new IbvQPInitAttr();
            attributes.cap().setMax_send_wr(8);
            attributes.cap().setMax_recv_wr(9);
            attributes.cap().setMax_send_sge(5);
            attributes.cap().setMax_recv_sge(6);
            attributes.cap().setMax_inline_data(64);
            attributes.setQp_type(IbvQP.IBV_QPT_RC);
            attributes.setSend_cq(queue);
            attributes.setRecv_cq(receives);
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
            if (opcode == IbvSendWR.IBV_WR_ATOMIC_CMP_AND_SWP || opcode == IbvSendWR.IBV_WR_ATOMIC_FETCH_AND_ADD) {
                request.getAtomic().setRemote_addr(to.region.getAddr() + remote);
                request.getAtomic().setRkey(to.region.getRkey());
            } else {
                request.getRdma().setRemote_addr(to.region.getAddr() + remote);
                request.getRdma().setRkey(to.region.getRkey());
            }
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
            return completions(queue);
        }

        List<IbvWC> completions(IbvCQ of) throws IOException {
            IbvWC[] found = {new IbvWC(), new IbvWC(), new IbvWC(), new IbvWC()};
            int count = of.poll(found, found.length).execute().free().getPolls();
            return Arrays.asList(found).subList(0, count);
        }

        int status() throws IOException {
            List<IbvWC> found = completions();
            assertThat(found).hasSize(1);
            return found.getFirst().getStatus();
        }

        void end() throws IOException {
            region.deregMr().execute().free();
            if (pair.isOpen()) {
                id.destroyQP();
            }
            queue.destroyCQ();
            if (!receives.equals(queue)) {
                receives.destroyCQ();
            }
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

    RdmaCmEvent event(EventType type) throws IOException {
        RdmaCmEvent found = Objects.requireNonNull(channel.getCmEvent(1000), "no event " + type);
        assertThat(EventType.values()[found.getEvent()]).isEqualTo(type);
        found.ackEvent();
        return found;
    }

    @SuppressWarnings("restricted") // the provider's copy
    static String data(RdmaCmEvent event) {
        int length = Byte.toUnsignedInt(event.getConn().getPrivate_data_len());
        return length == 0
                ? ""
                : new String(
                        MemorySegment.ofAddress(event.getConn().getPrivate_data())
                                .reinterpret(length)
                                .toArray(ValueLayout.JAVA_BYTE),
                        StandardCharsets.UTF_8);
    }

    RdmaConnParam parameters(String data) throws IOException {
        RdmaConnParam parameters = new RdmaConnParam();
        fill(parameters, data);
        return parameters;
    }

    void fill(RdmaConnParam parameters, String data) throws IOException {
        parameters.setPrivate_data(memory.allocateFrom(data).address());
        parameters.setPrivate_data_len((byte) data.length());
        parameters.setRetry_count((byte) 5);
        parameters.setRnr_retry_count((byte) 6);
    }

    /** An identifier that may connect. */
    RdmaCmId resolved() throws IOException {
        RdmaCmId id = cm.createId(channel, RdmaCm.RDMA_PS_TCP);
        cm.resolveAddr(id, null, THERE, 1000);
        event(EventType.RDMA_CM_EVENT_ADDR_RESOLVED);
        cm.resolveRoute(id, 1000);
        event(EventType.RDMA_CM_EVENT_ROUTE_RESOLVED);
        return id;
    }

    End[] connected() throws IOException {
        return connected(false);
    }

    End[] connected(boolean haveTwoQueues) throws IOException {
        RdmaCmId id = resolved();
        End from = new End(id, haveTwoQueues);
        cm.connect(id, parameters("hello"));
        RdmaCmEvent asked = event(EventType.RDMA_CM_EVENT_CONNECT_REQUEST);
        assertThat(data(asked)).isEqualTo("hello");
        assertThat(asked.getListenIdPriv()).isSameAs(listener);
        End to = new End(asked.getConnIdPriv(), haveTwoQueues);
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
        until(() -> fake.taken.get() == 0);
    }

    /** Waits until nobody holds the buffer. */
    static void collected(WeakReference<ByteBuffer> buffer) throws IOException {
        until(() -> {
            System.gc();
            return buffer.get() == null;
        });
    }

    interface Condition {
        boolean isMet() throws IOException;
    }

    static void until(Condition condition) throws IOException {
        long endNanos = System.nanoTime() + 10_000_000_000L;
        while (!condition.isMet()) {
            assertThat(System.nanoTime() - endNanos)
                    .as("nanoseconds over the time")
                    .isNegative();
            Thread.onSpinWait();
        }
    }
}
