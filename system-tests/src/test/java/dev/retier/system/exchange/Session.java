package dev.retier.system.exchange;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvCompChannel;
import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvQPInitAttr;
import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaCmEvent.EventType;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaVerbs;
import com.ibm.disni.verbs.SVCPollCq;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One end of a connection, by DiSNI's verbs alone. Every wait ends in time; every completion that is not a success is
 * {@link Wrong}. Owned by one thread.
 */
@SuppressWarnings({"NonApiType", "JdkObsolete", "EnumOrdinal"}) // DiSNI asks for linked lists and ordinals
final class Session implements AutoCloseable {
    private static final int SENDS = 64;
    private static final int BATCH = 16;
    private static final int SUCCESS = IbvWC.IbvWcStatus.IBV_WC_SUCCESS.ordinal();
    /** Set in the identifiers of receives, which are the numbers of their slots. */
    private static final long RECEIVE = 1L << 32;

    private final Events events;
    private final RdmaCmId id;
    private final Shape shape;
    private final IbvPd domain;
    private final boolean isDomainOwn;
    private final IbvCompChannel notices;
    private final IbvCQ queue;
    private final IbvQP pair;
    private final Memory inbox;
    private final Memory outbox;
    private final List<Memory> registered = new ArrayList<>();
    private final IbvWC[] found = new IbvWC[BATCH];
    private final SVCPollCq poll;
    private final ArrayDeque<Arrival> arrived = new ArrayDeque<>();
    private final ArrayDeque<Operation> underWay = new ArrayDeque<>();
    /** Of the first receive that failed: told when a message is missed, as those of an ended connection all do. */
    private String receiveFailure = "";

    private boolean isArmed;
    /** The slot whose message the caller looks at, or -1. */
    private int held = -1;

    /** A piece of memory of this end. */
    record Piece(Memory memory, int offset, int length) {}

    private record Arrival(int slot, int bytes) {}

    private record Operation(String kind, int bytes) {}

    private Session(Events events, RdmaCmId id, Shape shape, @Nullable IbvPd shared) throws IOException {
        this.events = events;
        this.id = id;
        this.shape = shape;
        IbvContext context = id.getVerbs();
        domain = shared == null ? context.allocPd() : shared;
        isDomainOwn = shared == null;
        notices = context.createCompChannel();
        queue = context.createCQ(notices, SENDS + shape.receives(), 0);
        IbvQPInitAttr attributes = new IbvQPInitAttr();
        attributes.cap().setMax_send_wr(SENDS);
        attributes.cap().setMax_recv_wr(shape.receives());
        attributes.cap().setMax_send_sge(1);
        attributes.cap().setMax_recv_sge(1);
        attributes.setQp_type(IbvQP.IBV_QPT_RC);
        attributes.setSend_cq(queue);
        attributes.setRecv_cq(queue);
        pair = id.createQP(domain, attributes);
        inbox = register(shape.receives() * shape.receiveBytes());
        outbox = register(Note.BYTES);
        for (int i = 0; i < BATCH; i++) {
            found[i] = new IbvWC();
        }
        poll = queue.poll(found, BATCH);
        for (int slot = 0; slot < shape.receives(); slot++) {
            postReceive(slot);
        }
    }

    /** Connects. */
    static Session connect(Events events, InetSocketAddress address, Shape shape) throws IOException, Wrong {
        RdmaCmId id = events.newId();
        int millis = (int) events.patience().toMillis();
        id.resolveAddr(null, address, millis);
        events.await(EventType.RDMA_CM_EVENT_ADDR_RESOLVED, id);
        id.resolveRoute(millis);
        events.await(EventType.RDMA_CM_EVENT_ROUTE_RESOLVED, id);
        Session session = new Session(events, id, shape, null);
        id.connect(null);
        return session.established();
    }

    /** Accepts the next connection that {@code listener} is asked for, in its own domain or {@code shared}. */
    static Session accept(Events events, RdmaCmId listener, Shape shape, @Nullable IbvPd shared)
            throws IOException, Wrong {
        RdmaCmId id =
                events.await(EventType.RDMA_CM_EVENT_CONNECT_REQUEST, listener).getConnIdPriv();
        Session session = new Session(events, id, shape, shared);
        id.accept(null);
        return session.established();
    }

    private Session established() throws IOException, Wrong {
        try {
            events.await(EventType.RDMA_CM_EVENT_ESTABLISHED, id);
            return this;
        } catch (Wrong e) {
            close();
            throw e;
        }
    }

    /** The protection domain, for others that are to share memory; they end before this does. */
    IbvPd domain() {
        return domain;
    }

    /** Memory for the peer, and for what is sent. It ends with this. */
    Memory register(int bytes) throws IOException {
        Memory memory = Memory.register(domain, bytes, shape.rights());
        registered.add(memory);
        return memory;
    }

    void send(Piece piece) throws IOException {
        post(work(IbvSendWR.IBV_WR_SEND, piece), new Operation("send", piece.length()));
    }

    void write(Piece piece, Place to, int at) throws IOException {
        IbvSendWR request = work(IbvSendWR.IBV_WR_RDMA_WRITE, piece);
        request.getRdma().setRemote_addr(to.address() + at);
        request.getRdma().setRkey(to.key());
        post(request, new Operation("write", piece.length()));
    }

    void read(Piece piece, Place from, int at) throws IOException {
        IbvSendWR request = work(IbvSendWR.IBV_WR_RDMA_READ, piece);
        request.getRdma().setRemote_addr(from.address() + at);
        request.getRdma().setRkey(from.key());
        post(request, new Operation("read", piece.length()));
    }

    /** Compare-and-swap of the word at {@code of}; what it held before goes to {@code piece}. */
    void swap(Piece piece, Place of, long expected, long fresh) throws IOException {
        IbvSendWR request = work(IbvSendWR.IBV_WR_ATOMIC_CMP_AND_SWP, piece);
        request.getAtomic().setRemote_addr(of.address());
        request.getAtomic().setRkey(of.key());
        request.getAtomic().setCompare_add(expected);
        request.getAtomic().setSwap(fresh);
        post(request, new Operation("compare-and-swap", piece.length()));
    }

    private static IbvSendWR work(int opcode, Piece piece) {
        IbvSendWR request = new IbvSendWR();
        request.setOpcode(opcode);
        request.setSend_flags(IbvSendWR.IBV_SEND_SIGNALED);
        request.setSg_list(new LinkedList<>(List.of(piece.memory().element(piece.offset(), piece.length()))));
        request.setNum_sge(1);
        return request;
    }

    private void post(IbvSendWR request, Operation operation) throws IOException {
        pair.postSend(List.of(request), null).execute().free();
        underWay.add(operation);
    }

    private void postReceive(int slot) throws IOException {
        IbvRecvWR request = new IbvRecvWR();
        request.setWr_id(RECEIVE | slot);
        request.setSg_list(new LinkedList<>(List.of(inbox.element(slot * shape.receiveBytes(), shape.receiveBytes()))));
        request.setNum_sge(1);
        pair.postRecv(List.of(request), null).execute().free();
    }

    /** Waits until no more than {@code most} posted operations are under way. */
    void settle(int most) throws IOException, Wrong {
        long end = System.nanoTime() + events.patience().toNanos();
        while (underWay.size() > most) {
            await(end, underWay.getFirst().kind() + " of " + underWay.getFirst().bytes() + " bytes not completed");
        }
    }

    /** The next message, good until the next call. Big-endian. */
    ByteBuffer receive() throws IOException, Wrong {
        if (held >= 0) {
            postReceive(held);
            held = -1;
        }
        long end = System.nanoTime() + events.patience().toNanos();
        while (arrived.isEmpty()) {
            if (!receiveFailure.isEmpty()) {
                throw new Wrong(receiveFailure + end());
            }
            await(end, "no message came");
        }
        Arrival next = arrived.remove();
        held = next.slot();
        return inbox.bytes().slice(held * shape.receiveBytes(), next.bytes()).order(ByteOrder.BIG_ENDIAN);
    }

    /** Sends a note, after all that was posted before. */
    void tell(Note note) throws IOException, Wrong {
        settle(0);
        note.put(outbox.bytes().clear().order(ByteOrder.BIG_ENDIAN));
        send(new Piece(outbox, 0, Note.BYTES));
        settle(0);
    }

    /** The next message, which is a note. */
    Note hear() throws IOException, Wrong {
        return Note.of(receive());
    }

    /** Hears that the peer has found all to be right. */
    void hearRight(String of) throws IOException, Wrong {
        if (!hear().equals(Note.RIGHT)) {
            throw new Wrong(of + ": the other end found it wrong, and says how");
        }
    }

    private void await(long endNanos, String otherwise) throws IOException, Wrong {
        while (take() == 0) {
            long leftMillis = TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime());
            if (leftMillis <= 0) {
                throw new Wrong(otherwise + " within " + events.patience().toSeconds() + " s" + end());
            }
            if (shape.isPolled()) {
                Thread.onSpinWait();
            } else if (!isArmed) {
                queue.reqNotification(false).execute().free();
                isArmed = true;
            } else if (notices.getCqEvent(queue, (int) leftMillis)) {
                queue.ackEvents(1);
                isArmed = false;
            }
        }
    }

    private int take() throws IOException, Wrong {
        int count = poll.execute().getPolls();
        for (int i = 0; i < count; i++) {
            IbvWC completion = found[i];
            boolean isSuccess = completion.getStatus() == SUCCESS;
            if ((completion.getWr_id() & RECEIVE) == 0) {
                Operation operation = underWay.remove();
                if (!isSuccess) {
                    throw new Wrong(told(operation, completion) + end());
                }
            } else if (isSuccess) {
                arrived.add(new Arrival((int) completion.getWr_id(), completion.getByte_len()));
            } else if (receiveFailure.isEmpty()) {
                receiveFailure = told(new Operation("receive", shape.receiveBytes()), completion);
            }
        }
        return count;
    }

    private static String told(Operation operation, IbvWC completion) {
        return operation.kind() + " of " + operation.bytes() + " bytes ended with "
                + IbvWC.IbvWcStatus.values()[completion.getStatus()] + ", vendor error 0x"
                + Integer.toHexString(completion.getVendor_err());
    }

    private String end() throws IOException {
        String why = events.end(id);
        return why.isEmpty() ? "; the connection has not ended" : "; " + why;
    }

    /**
     * Ends the connection in order, when all that was posted has completed. The server is the first to end it, once it
     * has heard the last message: siw tells a send that has just arrived as failed if the peer hangs up at once.
     */
    void disconnect(boolean isServer) throws IOException, Wrong {
        settle(0);
        if (isServer) {
            id.disconnect();
        }
        events.await(EventType.RDMA_CM_EVENT_DISCONNECTED, id);
    }

    /** Takes everything down, connected or not. */
    @Override
    public void close() throws IOException {
        id.destroyQP();
        for (Memory memory : registered) {
            memory.end();
        }
        poll.free();
        queue.destroyCQ();
        notices.destroyCompChannel();
        if (isDomainOwn) {
            RdmaVerbs.open().deallocPd(domain);
        }
        id.destroyId();
        events.forget(id);
    }
}
