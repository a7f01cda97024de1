package dev.retier.rnic;

import com.ibm.disni.verbs.IbvQPCap;
import com.ibm.disni.verbs.IbvQPInitAttr;
import com.ibm.disni.verbs.RdmaCmEvent.EventType;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaConnParam;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An identifier of librdmacm: what listens, or one connection on its way. Safe for any thread. */
final class RnicCmId extends RdmaCmId {
    private static final Logger LOG = LoggerFactory.getLogger(RnicCmId.class);
    private static final long SOURCE = Layouts.at(Layouts.CM_ID, "src_addr");
    private static final long DESTINATION = Layouts.at(Layouts.CM_ID, "dst_addr");
    private static final int ADDRESS_BYTES = 128;
    /** Scatter/gather elements that every queue pair has, whatever is asked, if the device has as many. */
    private static final int LEAST_ELEMENTS = 4;
    /** {@code RDMA_MAX_RESP_RES} and {@code RDMA_MAX_INIT_DEPTH}: as many reads as the device, and the peer, can. */
    private static final byte MOST_READS = (byte) 0xFF;

    private static final byte MOST_RETRIES = 7;

    /** No connection comes of them. DiSNI's endpoints wait for a disconnect and nothing else, so that follows. */
    private static final Set<EventType> FAILED = EnumSet.of(
            EventType.RDMA_CM_EVENT_ADDR_ERROR,
            EventType.RDMA_CM_EVENT_ROUTE_ERROR,
            EventType.RDMA_CM_EVENT_CONNECT_ERROR,
            EventType.RDMA_CM_EVENT_UNREACHABLE,
            EventType.RDMA_CM_EVENT_REJECTED);

    private final RnicEventChannel channel;
    private final Library library;
    private final Usable usable = new Usable("identifier");
    private final MemorySegment memory;

    private RnicCmId(RnicEventChannel channel, long address) throws IOException {
        super(channel, null);
        this.channel = channel;
        this.library = channel.library;
        this.memory = Calls.at(address, Layouts.size(Layouts.CM_ID));
        Library.agree(
                "rdma_cm_id.channel",
                channel.address,
                memory.get(ValueLayout.JAVA_LONG, Layouts.at(Layouts.CM_ID, "channel")));
        this.ps = memory.get(ValueLayout.JAVA_INT, Layouts.at(Layouts.CM_ID, "ps"));
        lookAtDevice();
        channel.add(this);
    }

    /** A new one. */
    static RnicCmId create(RnicEventChannel channel, short portSpace) throws IOException {
        long stamp = channel.enter();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment place = arena.allocate(ValueLayout.JAVA_LONG);
            Library library = channel.library;
            if ((int) Calls.call(library.createId, channel.address, place.address(), 0, portSpace) != 0) {
                throw library.failed("rdma_create_id");
            }
            RnicCmId made = of(channel, place.get(ValueLayout.JAVA_LONG, 0));
            try {
                Library.agree("rdma_cm_id.ps", portSpace, made.ps);
            } catch (IOException e) {
                channel.remove(made);
                Calls.call(library.destroyId, made.address());
                throw e;
            }
            return made;
        } finally {
            channel.leave(stamp);
        }
    }

    /** Of what librdmacm has made, which is destroyed if nothing can be made of it: a request is refused by that. */
    static RnicCmId of(RnicEventChannel channel, long address) throws IOException {
        try {
            return new RnicCmId(channel, address);
        } catch (IOException e) {
            Calls.call(channel.library.destroyId, address);
            throw e;
        }
    }

    long address() {
        return memory.address();
    }

    /** What librdmacm knows once it is bound to a device. */
    private void lookAtDevice() throws IOException {
        long context = memory.get(ValueLayout.JAVA_LONG, Layouts.at(Layouts.CM_ID, "verbs"));
        if (context != 0) {
            setVerbs(channel.contexts.at(context));
            setPort_num(memory.get(ValueLayout.JAVA_BYTE, Layouts.at(Layouts.CM_ID, "port_num")));
        }
    }

    /** What is told of it: an address is an error, too, if the device that it belongs to cannot be looked at. */
    EventType happened(EventType type) throws IOException {
        EventType told = type;
        if (type == EventType.RDMA_CM_EVENT_ADDR_RESOLVED) {
            try {
                lookAtDevice();
            } catch (IOException e) {
                LOG.warn("a connection is given up: {}", e.getMessage());
                told = EventType.RDMA_CM_EVENT_ADDR_ERROR;
            }
        }
        if (FAILED.contains(told)) {
            failed();
        }
        return told;
    }

    /** One call that leaves its reason in errno. */
    @FunctionalInterface
    private interface Call {
        long on(long id) throws IOException;
    }

    private void call(String what, Call call) throws IOException {
        long ofChannel = channel.enter();
        try {
            usable.during(() -> {
                if ((int) call.on(address()) != 0) {
                    throw library.failed(what);
                }
                return what;
            });
        } finally {
            channel.leave(ofChannel);
        }
    }

    void bind(SocketAddress wanted) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment there = SocketAddresses.of(wanted, arena);
            call("rdma_bind_addr " + wanted, id -> {
                long answer = (long) (int) Calls.call(library.bindAddr, id, there.address());
                if (answer == 0) {
                    lookAtDevice();
                }
                return answer;
            });
        }
    }

    void startListening(int backlog) throws IOException {
        call("rdma_listen", id -> Calls.call(library.listen, id, backlog));
    }

    void resolve(@Nullable SocketAddress from, SocketAddress to, int timeoutMillis) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            long source = from == null ? 0 : SocketAddresses.of(from, arena).address();
            long destination = SocketAddresses.of(to, arena).address();
            call(
                    "rdma_resolve_addr " + to,
                    id -> Calls.call(library.resolveAddr, id, source, destination, timeoutMillis));
        }
    }

    void findRoute(int timeoutMillis) throws IOException {
        call("rdma_resolve_route", id -> Calls.call(library.resolveRoute, id, timeoutMillis));
    }

    void connectWith(@Nullable RdmaConnParam parameters) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            long given = parameters(parameters, arena);
            call("rdma_connect", id -> Calls.call(library.connect, id, given));
        } finally {
            Reference.reachabilityFence(parameters); // C reads the private data, which may be its own
        }
    }

    void acceptWith(@Nullable RdmaConnParam parameters) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            long given = parameters(parameters, arena);
            call("rdma_accept", id -> Calls.call(library.accept, id, given));
        } finally {
            Reference.reachabilityFence(parameters);
        }
    }

    /** DiSNI's have no way to ask for no reads at all: 0 stands for as many as can be had. */
    private static long parameters(@Nullable RdmaConnParam given, Arena arena) {
        MemorySegment memory = arena.allocate(Layouts.CONN_PARAM);
        set(memory, "responder_resources", MOST_READS);
        set(memory, "initiator_depth", MOST_READS);
        if (given == null) {
            // As librdmacm has it for who gives none.
            set(memory, "retry_count", MOST_RETRIES);
            set(memory, "rnr_retry_count", MOST_RETRIES);
        } else {
            memory.set(ValueLayout.JAVA_LONG, Layouts.at(Layouts.CONN_PARAM, "private_data"), given.getPrivate_data());
            set(memory, "private_data_len", given.getPrivate_data_len());
            if (given.getResponder_resources() != 0) {
                set(memory, "responder_resources", given.getResponder_resources());
            }
            if (given.getInitiator_depth() != 0) {
                set(memory, "initiator_depth", given.getInitiator_depth());
            }
            set(memory, "flow_control", given.getFlow_control());
            set(memory, "retry_count", given.getRetry_count());
            set(memory, "rnr_retry_count", given.getRnr_retry_count());
        }
        return memory.address();
    }

    private static void set(MemorySegment memory, String field, byte value) {
        memory.set(ValueLayout.JAVA_BYTE, Layouts.at(Layouts.CONN_PARAM, field), value);
    }

    void end() throws IOException {
        call("rdma_disconnect", id -> Calls.call(library.disconnect, id));
    }

    /** Makes a queue pair, no larger than the device has them. */
    RnicQp createPair(RnicPd domain, IbvQPInitAttr wanted) throws IOException {
        RnicCq sends = (RnicCq) wanted.getSend_cq();
        RnicCq receives = (RnicCq) wanted.getRecv_cq();
        if (sends == null || receives == null) {
            throw new IOException("a queue pair without a completion queue for its "
                    + (sends == null ? "send" : "receive") + " queue; make one, and set it in the attributes");
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = attributes(domain.device, sends, receives, wanted, arena);
            return domain.usable.during(() ->
                    sends.usable.during(() -> receives.usable.during(() -> usable.during(() -> {
                        RnicQp pair = RnicQp.of(this, domain, sends, receives, made(domain, attributes));
                        setQp(pair); // while whoever destroys this waits: it destroys the pair, too
                        return pair;
                    }))));
        }
    }

    private long made(RnicPd domain, MemorySegment attributes) throws IOException {
        if ((int) Calls.call(library.createQp, address(), domain.address, attributes.address()) != 0) {
            throw library.failed("rdma_create_qp on " + domain.device.deviceName());
        }
        return memory.get(ValueLayout.JAVA_LONG, Layouts.at(Layouts.CM_ID, "qp"));
    }

    private static MemorySegment attributes(
            RnicContext device, RnicCq sends, RnicCq receives, IbvQPInitAttr wanted, Arena arena) throws IOException {
        IbvQPCap cap = wanted.cap();
        int work = Math.max(cap.getMax_send_wr(), cap.getMax_recv_wr());
        if (work > device.maxWork()) {
            throw new IOException("a queue pair with " + work + " work requests; " + device.deviceName()
                    + " has at most " + device.maxWork());
        }
        int elements = Math.max(cap.getMax_send_sge(), cap.getMax_recv_sge());
        if (elements > device.maxElements()) {
            throw new IOException("a queue pair with " + elements + " elements in a request; " + device.deviceName()
                    + " has at most " + device.maxElements());
        }
        if (Math.min(cap.getMax_send_wr(), cap.getMax_recv_wr()) < 0
                || Math.min(cap.getMax_send_sge(), cap.getMax_recv_sge()) < 0) {
            throw new IOException("a queue pair with " + cap.getMax_send_wr() + " and " + cap.getMax_recv_wr()
                    + " work requests of " + cap.getMax_send_sge() + " and " + cap.getMax_recv_sge()
                    + " elements; none may be negative");
        }
        int least = Math.min(LEAST_ELEMENTS, device.maxElements());
        MemorySegment memory = arena.allocate(Layouts.QP_INIT_ATTR);
        memory.set(ValueLayout.JAVA_LONG, Layouts.at(Layouts.QP_INIT_ATTR, "send_cq"), sends.address);
        memory.set(ValueLayout.JAVA_LONG, Layouts.at(Layouts.QP_INIT_ATTR, "recv_cq"), receives.address);
        setAttribute(memory, "max_send_wr", Math.max(1, cap.getMax_send_wr()));
        setAttribute(memory, "max_recv_wr", Math.max(1, cap.getMax_recv_wr()));
        setAttribute(memory, "max_send_sge", Math.max(least, cap.getMax_send_sge()));
        setAttribute(memory, "max_recv_sge", Math.max(least, cap.getMax_recv_sge()));
        setAttribute(memory, "max_inline_data", cap.getMax_inline_data());
        setAttribute(memory, "qp_type", wanted.getQp_type());
        setAttribute(memory, "sq_sig_all", wanted.getSq_sig_all());
        return memory;
    }

    private static void setAttribute(MemorySegment memory, String field, int value) {
        memory.set(ValueLayout.JAVA_INT, Layouts.at(Layouts.QP_INIT_ATTR, field), value);
    }

    /** Destroys the queue pair, if there is one. */
    boolean destroyPair() throws IOException {
        // Within a use of the identifier: who destroys that waits for the end of its queue pair.
        return getQp() instanceof RnicQp && usable.isOpen() && usable.during(this::endPair);
    }

    private boolean endPair() {
        boolean isOurs = getQp() instanceof RnicQp ours && ours.end();
        if (isOurs) {
            Calls.call(library.destroyQp, address());
        }
        return isOurs;
    }

    /**
     * Destroys it; a connection request that was not answered is refused by that. One whose channel was destroyed is
     * left to the kernel, which has closed all that was of it.
     */
    void destroy() throws IOException {
        destroyPair();
        long ofChannel;
        try {
            ofChannel = channel.enter();
        } catch (IOException e) {
            close();
            return;
        }
        try {
            if (usable.end()) {
                endPair(); // one that was made meanwhile
                if ((int) Calls.call(library.destroyId, address()) != 0) {
                    usable.resume();
                    throw library.failed("rdma_destroy_id");
                }
                channel.remove(this);
                close();
            }
        } finally {
            channel.leave(ofChannel);
        }
    }

    /** There is no connection, or the device says that it works no more; its owner hears so as of a disconnect. */
    void failed() throws IOException {
        channel.raise(new RnicCmEvent(EventType.RDMA_CM_EVENT_DISCONNECTED, null, this, 0, new byte[0]));
    }

    @Nullable
    InetSocketAddress source() throws IOException {
        return read(SOURCE);
    }

    @Nullable
    InetSocketAddress destination() throws IOException {
        return read(DESTINATION);
    }

    private @Nullable InetSocketAddress read(long at) throws IOException {
        long stamp = usable.enter();
        try {
            return SocketAddresses.read(memory.asSlice(at, ADDRESS_BYTES));
        } finally {
            usable.leave(stamp);
        }
    }
}
