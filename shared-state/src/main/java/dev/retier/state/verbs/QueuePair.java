package dev.retier.state.verbs;

import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvQPInitAttr;
import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.impl.NatIbvQP;
import dev.retier.state.auth.Handshake;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection's queue pair with a protection domain of its own: what is registered for this peer is good on this
 * connection only, and gone when the connection is. Before the peer is proven, its domain holds nothing that a peer
 * may touch.
 *
 * <p>Thread-safe. Its memory lives as long as the object is reachable; the owner keeps it until {@link #destroy}.
 */
final class QueuePair {
    private static final Logger LOG = LoggerFactory.getLogger(QueuePair.class);

    /** A side sends two messages of a handshake at most, and a goodbye. */
    private static final int SENDS = 3;

    /**
     * Messages that may wait to be taken: two of a handshake and a goodbye, and then as many bells as a peer may have
     * rung, with some to spare for those of a connection just replaced.
     */
    private static final int RECEIVES = 2 * Session.BELLS;

    private static final int MESSAGE_BYTES = Handshake.MAX_MESSAGE_BYTES;

    private final RdmaCmId id;
    private final CompletionSource sends;
    private final CompletionSource receives;
    private final IbvPd domain;
    private final IbvQP pair;
    private final MemorySegment messages = Arena.ofAuto().allocate((RECEIVES + SENDS) * MESSAGE_BYTES, Long.BYTES);
    private final List<IbvMr> registrations = new ArrayList<>();
    private final IbvMr messageRegistration;
    private final AtomicBoolean destroyed = new AtomicBoolean();
    private int sent;

    /** Told of each received message, and of the end. Called on the completion thread, or on one that waits. */
    interface Listener {
        void received(byte[] message);

        void broken(String reason);
    }

    /**
     * Makes the queue pair of {@code id}, and posts its receives.
     *
     * @param sends where what is posted completes
     * @param receives where messages arrive
     * @param depth operations in flight at most
     */
    QueuePair(RdmaCmId id, CompletionSource sends, CompletionSource receives, int depth, Listener listener)
            throws IOException {
        this.id = id;
        this.sends = sends;
        this.receives = receives;
        this.domain = id.getVerbs().allocPd();
        this.pair = id.createQP(domain, attributes(depth));
        this.messageRegistration = register(messages, IbvMr.IBV_ACCESS_LOCAL_WRITE);
        for (int i = 0; i < RECEIVES; i++) {
            postReceive(messages.asSlice((long) i * MESSAGE_BYTES, MESSAGE_BYTES), listener);
        }
    }

    /** Lets the peer use {@code memory} as {@code access} says, until the connection ends. */
    IbvMr register(MemorySegment memory, int access) throws IOException {
        IbvMr registration = domain.regMr(memory.address(), (int) memory.byteSize(), access)
                .execute()
                .getMr();
        synchronized (registrations) {
            registrations.add(registration);
        }
        return registration;
    }

    /** Sends one of the three messages that a side may send. */
    void send(ByteBuffer message, Listener listener) throws IOException {
        if (sent >= SENDS) {
            throw new IllegalStateException("a side sends three messages at most");
        }
        MemorySegment out = messages.asSlice((long) (RECEIVES + sent++) * MESSAGE_BYTES, message.remaining());
        out.copyFrom(MemorySegment.ofBuffer(message));
        IbvSendWR request = request(IbvSendWR.IBV_WR_SEND, out, messageRegistration);
        request.setWr_id(sends.nextId());
        sends.expect(request.getWr_id(), (success, _) -> {
            if (!success) {
                listener.broken("a message could not be sent");
            }
        });
        post(List.of(request));
    }

    /** A signalled work request on {@code local} memory; the caller fills in the rest. */
    static IbvSendWR request(int opcode, MemorySegment local, IbvMr registration) {
        IbvSendWR request = new IbvSendWR();
        request.setOpcode(opcode);
        request.setSend_flags(IbvSendWR.IBV_SEND_SIGNALED);
        request.setSg_list(list(local, registration));
        return request;
    }

    /** Posts {@code requests} in order; an atomic goes alone. */
    void post(List<IbvSendWR> requests) throws IOException {
        if (pair instanceof NatIbvQP own && requests.getFirst().getOpcode() == IbvSendWR.IBV_WR_ATOMIC_CMP_AND_SWP) {
            NativeSwap.post(own, requests.getFirst());
            return;
        }
        pair.postSend(requests, null).execute().free();
    }

    /** Disconnects and frees everything. Idempotent; after it returns the peer can reach nothing of this connection. */
    void destroy() {
        if (!destroyed.compareAndSet(false, true)) {
            return;
        }
        quietly("disconnect", id::disconnect);
        quietly("destroy the queue pair", id::destroyQP);
        List<IbvMr> all;
        synchronized (registrations) {
            all = List.copyOf(registrations);
        }
        for (IbvMr registration : all) {
            quietly("deregister", () -> registration.deregMr().execute().free());
        }
        quietly("free the protection domain", domain::deallocPd);
        quietly("destroy the id", id::destroyId);
    }

    private void postReceive(MemorySegment into, Listener listener) throws IOException {
        IbvRecvWR request = new IbvRecvWR();
        request.setSg_list(list(into, messageRegistration));
        request.setWr_id(receives.nextId());
        receives.expect(request.getWr_id(), (success, length) -> {
            if (success) {
                received(into, length, listener);
            } else {
                listener.broken("the connection broke");
            }
        });
        pair.postRecv(List.of(request), null).execute().free();
    }

    private void received(MemorySegment message, int length, Listener listener) {
        byte[] copy = message.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
        try {
            if (!destroyed.get()) {
                postReceive(message, listener);
            }
        } catch (IOException failed) {
            listener.broken(String.valueOf(failed.getMessage()));
        }
        listener.received(copy);
    }

    private IbvQPInitAttr attributes(int depth) {
        IbvQPInitAttr attributes = new IbvQPInitAttr();
        attributes.cap().setMax_send_wr(Session.REQUESTS * depth + SENDS);
        attributes.cap().setMax_recv_wr(RECEIVES);
        attributes.cap().setMax_send_sge(1);
        attributes.cap().setMax_recv_sge(1);
        attributes.setQp_type(IbvQP.IBV_QPT_RC);
        attributes.setSend_cq(sends.queue());
        attributes.setRecv_cq(receives.queue());
        return attributes;
    }

    @SuppressWarnings({"NonApiType", "JdkObsolete"}) // DiSNI asks for a LinkedList
    private static LinkedList<IbvSge> list(MemorySegment memory, IbvMr registration) {
        IbvSge element = new IbvSge();
        element.setAddr(memory.address());
        element.setLength((int) memory.byteSize());
        element.setLkey(registration.getLkey());
        LinkedList<IbvSge> list = new LinkedList<>();
        list.add(element);
        return list;
    }

    private interface Step {
        void run() throws Exception;
    }

    @SuppressWarnings("CatchingUnchecked") // DiSNI's deallocPd declares Exception; the rest must be freed all the same
    private static void quietly(String what, Step step) {
        try {
            step.run();
        } catch (Exception failed) {
            LOG.debug("could not {}: {}", what, failed.toString());
        }
    }
}
