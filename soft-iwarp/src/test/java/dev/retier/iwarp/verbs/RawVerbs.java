package dev.retier.iwarp.verbs;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvCompChannel;
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
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaEventChannel;
import com.ibm.disni.verbs.RdmaVerbs;
import dev.retier.verbs.TlsControl;
import dev.retier.verbs.TlsKeys;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** DiSNI's verbs and connection manager used by hand, without its endpoint classes: any mixture of objects. */
@SuppressWarnings({"NonApiType", "JdkObsolete", "EnumOrdinal"}) // DiSNI asks for linked lists and ordinals
final class RawVerbs implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 10_000;
    private static final int QUEUE = 64;

    final RdmaCm cm = RdmaCm.open();
    final RdmaVerbs verbs = RdmaVerbs.open();
    private final RdmaEventChannel asking = cm.createEventChannel();
    private final RdmaEventChannel answering = cm.createEventChannel();
    private final Optional<TlsKeys> tls;
    private final RdmaCmId listener = cm.createId(answering, RdmaCm.RDMA_PS_TCP);
    private final SocketAddress address;
    private final List<RdmaCmId> ids = new ArrayList<>();

    /** A queue pair's completion queue, domain and capabilities. */
    record Parts(IbvCQ queue, IbvPd domain, boolean signalAll) {}

    /** Two queue pairs that are connected. */
    record Connection(RdmaCmId client, RdmaCmId server) {}

    RawVerbs() throws IOException {
        this(Optional.empty());
    }

    /** Both sides with TLS and these keys, or without. */
    RawVerbs(Optional<TlsKeys> tls) throws IOException {
        this.tls = tls;
        tls.ifPresent(((TlsControl) listener)::secure);
        listener.bindAddr(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        listener.listen(10);
        address = listener.getSource();
    }

    /** The verbs context that both sides use. */
    IbvPd newDomain() throws IOException {
        return verbs.allocPd(listener.getVerbs());
    }

    IbvCompChannel newChannel() throws IOException {
        return verbs.createCompChannel(listener.getVerbs());
    }

    IbvCQ newQueue(@Nullable IbvCompChannel channel, int entries) throws IOException {
        return verbs.createCQ(listener.getVerbs(), channel, entries, 0);
    }

    Connection connect(Parts clientParts, Parts serverParts) throws IOException {
        RdmaCmId client = cm.createId(asking, RdmaCm.RDMA_PS_TCP);
        tls.ifPresent(((TlsControl) client)::secure);
        client.resolveAddr(null, address, TIMEOUT_MILLIS);
        expect(asking, RdmaCmEvent.EventType.RDMA_CM_EVENT_ADDR_RESOLVED);
        client.resolveRoute(TIMEOUT_MILLIS);
        expect(asking, RdmaCmEvent.EventType.RDMA_CM_EVENT_ROUTE_RESOLVED);
        client.createQP(clientParts.domain(), attributes(clientParts));
        client.connect(null);
        RdmaCmId server = expect(answering, RdmaCmEvent.EventType.RDMA_CM_EVENT_CONNECT_REQUEST)
                .getConnIdPriv();
        server.createQP(serverParts.domain(), attributes(serverParts));
        server.accept(null);
        expect(asking, RdmaCmEvent.EventType.RDMA_CM_EVENT_ESTABLISHED);
        expect(answering, RdmaCmEvent.EventType.RDMA_CM_EVENT_ESTABLISHED);
        ids.add(client);
        ids.add(server);
        return new Connection(client, server);
    }

    /** An identifier whose events wait among those of the listener. */
    RdmaCmId newIdAtServer() throws IOException {
        return cm.createId(answering, RdmaCm.RDMA_PS_TCP);
    }

    /** The address of the listener. */
    SocketAddress address() {
        return address;
    }

    /** Accepts the request that comes next, on a queue pair of these parts. */
    RdmaCmId accept(Parts parts) throws IOException {
        RdmaCmId server = expect(answering, RdmaCmEvent.EventType.RDMA_CM_EVENT_CONNECT_REQUEST)
                .getConnIdPriv();
        server.createQP(parts.domain(), attributes(parts));
        server.accept(null);
        expect(answering, RdmaCmEvent.EventType.RDMA_CM_EVENT_ESTABLISHED);
        ids.add(server);
        return server;
    }

    /** Destroys a queue pair and its identifier, as a program does whose connection has ended. */
    void destroy(RdmaCmId id) throws IOException {
        id.destroyQP();
        id.destroyId();
        ids.remove(id);
    }

    /** The next event of the initiator's side. */
    RdmaCmEvent expectAtClient(RdmaCmEvent.EventType type) throws IOException {
        return expect(asking, type);
    }

    private static IbvQPInitAttr attributes(Parts parts) {
        IbvQPInitAttr attributes = new IbvQPInitAttr();
        attributes.cap().setMax_send_wr(QUEUE);
        attributes.cap().setMax_recv_wr(QUEUE);
        attributes.cap().setMax_send_sge(4);
        attributes.cap().setMax_recv_sge(4);
        attributes.setQp_type(IbvQP.IBV_QPT_RC);
        attributes.setSend_cq(parts.queue());
        attributes.setRecv_cq(parts.queue());
        attributes.setSq_sig_all((byte) (parts.signalAll() ? 1 : 0));
        return attributes;
    }

    /** The next event of the responder's side. */
    RdmaCmEvent expectAtServer(RdmaCmEvent.EventType type) throws IOException {
        return expect(answering, type);
    }

    private RdmaCmEvent expect(RdmaEventChannel channel, RdmaCmEvent.EventType type) throws IOException {
        RdmaCmEvent event = cm.getCmEvent(channel, TIMEOUT_MILLIS);
        if (event == null || event.getEvent() != type.ordinal()) {
            throw new IllegalStateException("expected " + type + ", got " + (event == null ? null : event.getEvent()));
        }
        cm.ackCmEvent(event);
        return event;
    }

    /** Memory and its region. */
    record Memory(ByteBuffer bytes, IbvMr region) {
        LinkedList<IbvSge> at(int offset, int length) {
            IbvSge element = new IbvSge();
            element.setAddr(region.getAddr() + offset);
            element.setLength(length);
            element.setLkey(region.getLkey());
            return new LinkedList<>(List.of(element));
        }
    }

    Memory register(IbvPd domain, int bytes, int rights) throws IOException {
        ByteBuffer memory = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
        return new Memory(
                memory, verbs.regMr(domain, memory, rights).execute().free().getMr());
    }

    /** Registers for one queue pair alone. */
    Memory registerFor(IbvQP qp, int bytes, int rights) throws IOException {
        ByteBuffer memory = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
        return new Memory(
                memory,
                ((IwarpVerbs) verbs)
                        .regMrForConnection(qp, MemorySegment.ofBuffer(memory), rights)
                        .execute()
                        .free()
                        .getMr());
    }

    static IwarpSendWr work(int opcode, int flags, LinkedList<IbvSge> buffers) {
        IwarpSendWr work = new IwarpSendWr();
        work.setWr_id(opcode);
        work.setOpcode(opcode);
        work.setSend_flags(flags);
        work.setSg_list(buffers);
        return work;
    }

    /** Work on somebody's memory. */
    static IwarpSendWr work(int opcode, int flags, LinkedList<IbvSge> buffers, IbvMr target) {
        IwarpSendWr work = work(opcode, flags, buffers);
        work.getRdma().setRemote_addr(target.getAddr());
        work.getRdma().setRkey(target.getRkey());
        return work;
    }

    void post(RdmaCmId id, IbvSendWR... work) throws IOException {
        verbs.postSend(id.getQp(), List.of(work), null).execute().free();
    }

    void receive(RdmaCmId id, long number, LinkedList<IbvSge> buffers) throws IOException {
        IbvRecvWR work = new IbvRecvWR();
        work.setWr_id(number);
        work.setSg_list(buffers);
        verbs.postRecv(id.getQp(), List.of(work), null).execute().free();
    }

    /** The next {@code count} completions. */
    List<IbvWC> await(IbvCQ queue, int count) throws IOException {
        List<IbvWC> found = new ArrayList<>();
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MILLIS);
        while (found.size() < count) {
            found.addAll(poll(queue));
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException(found.size() + " completions in time, not " + count);
            }
        }
        return found;
    }

    List<IbvWC> poll(IbvCQ queue) throws IOException {
        IbvWC[] one = {new IbvWC()};
        int count = verbs.pollCQ(queue, one, 1).execute().free().getPolls();
        return count == 0 ? List.of() : List.of(one[0]);
    }

    @Override
    public void close() throws IOException {
        for (RdmaCmId id : ids) {
            id.destroyEp();
        }
        listener.destroyId();
        asking.destroyEventChannel();
        answering.destroyEventChannel();
    }
}
