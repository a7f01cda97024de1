package dev.retier.link;

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
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaEventChannel;
import com.ibm.disni.verbs.SVCPostRecv;
import com.ibm.disni.verbs.SVCPostSend;
import dev.retier.link.auth.Handshake;
import dev.retier.verbs.DeviceAttributes;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection's queue pair with a protection domain of its own: what is registered for this peer is good on this
 * connection only, and gone when the connection is. Before the peer is proven, its domain holds nothing that a peer
 * may touch.
 *
 * <p>Thread-safe. Its memory lives as long as the object is reachable; the owner keeps it until {@link #destroy}.
 */
public final class QueuePair {
    private static final Logger LOG = LoggerFactory.getLogger(QueuePair.class);

    /** A handshake side receives two messages at most. */
    private static final int RECEIVES = 2;

    /** A side sends two messages of a handshake at most, and a goodbye. */
    private static final int SENDS = 3;

    /** A message behind the handshake: a goodbye, or nothing, so that all receives can share the memory. */
    private static final int SHORT_BYTES = 8;

    /** IBV_WC_WITH_IMM of libibverbs. */
    private static final int WITH_IMMEDIATE = 1 << 1;

    private static final int MESSAGE_BYTES = Handshake.MAX_MESSAGE_BYTES;

    private final RdmaCmId id;
    private final Queues queues;
    private final IbvPd domain;
    private final IbvQP pair;
    private final Abilities abilities;
    private final boolean tellsTerminates;
    private final MemorySegment messages =
            Arena.ofAuto().allocate((RECEIVES + SENDS) * MESSAGE_BYTES + SHORT_BYTES, Long.BYTES);
    /** Each with its memory, which must not go while a peer may touch it. */
    private final Map<IbvMr, MemorySegment> registrations = new ConcurrentHashMap<>();

    private final IbvMr messageRegistration;
    /** Under which something of this queue pair was expected: few, and forgotten with it. */
    private final Set<Long> workIds = ConcurrentHashMap.newKeySet();

    private final Sizes sizes;
    private final Listener listener;
    private final AtomicBoolean destroyed = new AtomicBoolean();
    private int sent;

    /** Told of each received message, and once of the end. Called on the completion thread. */
    interface Listener {
        void received(byte[] message);

        /** The peer wrote something and announces it. */
        void immediate(int value);

        void broken(String reason);

        /**
         * All that the peer has said has been told, and it says no more. May be called again and again.
         *
         * @param terminateWord why, as the first 16 bits of an RDMAP Terminate (RFC 5040 section 4.8) that this end
         *     sent; 0 if it did not, or the provider does not tell
         */
        default void heardOut(int terminateWord) {}
    }

    /**
     * What a queue pair has room for beside its handshake.
     *
     * @param sends work requests that have not completed
     * @param receives for what the peer sends behind the handshake: immediates, messages without a byte, a goodbye
     * @param elements scatter/gather elements of one work request
     */
    public record Sizes(int sends, int receives, int elements) {
        int completions() {
            return sends + receives + RECEIVES + SENDS;
        }

        /** What {@code device} has too little of for such a queue pair, for people; empty if it has enough of all. */
        Optional<String> lacking(DeviceAttributes device) {
            int work = Math.max(sends + SENDS, receives + RECEIVES);
            int read = Math.min(device.maxElements(), device.maxReadElements());
            return lacking(work, device.maxWork(), "work requests of a queue")
                    .or(() -> lacking(completions(), device.maxCompletions(), "entries of a completion queue"))
                    .or(() -> lacking(elements, read, "scatter/gather elements of a work request"))
                    .map(little -> device.deviceName() + " has " + little);
        }

        private static Optional<String> lacking(int wanted, int offered, String of) {
            return offered < wanted
                    ? Optional.of(offered + " " + of + ", not the " + wanted + " wanted")
                    : Optional.empty();
        }
    }

    /**
     * Where a queue pair's work completes.
     *
     * @param sends what this end posts
     * @param receives what the peer sends
     */
    record Queues(Completions sends, Completions receives) {}

    /** Makes the queue pair of {@code id}, and posts the receives of its handshake. */
    QueuePair(RdmaCmId id, Queues queues, Sizes sizes, Listener listener) throws IOException {
        this.id = id;
        this.queues = queues;
        this.sizes = sizes;
        this.listener = listener;
        reserve(1);
        IbvPd madeDomain = null;
        IbvQP madePair = null;
        try {
            abilities = Abilities.of(id.getVerbs());
            tellsTerminates = id.getVerbs() instanceof DeviceAttributes device && device.tellsTerminates();
            madeDomain = id.getVerbs().allocPd();
            madePair = id.createQP(madeDomain, attributes(queues, sizes));
            this.domain = madeDomain;
            this.pair = madePair;
            this.messageRegistration = register(messages, IbvMr.IBV_ACCESS_LOCAL_WRITE);
            for (int i = 0; i < RECEIVES; i++) {
                receiveOnce(messages.asSlice((long) i * MESSAGE_BYTES, MESSAGE_BYTES));
            }
            receiveAlways(sizes.receives(), messages.asSlice(messages.byteSize() - SHORT_BYTES, SHORT_BYTES));
        } catch (IOException | RuntimeException | OutOfMemoryError failed) {
            free(madeDomain, madePair);
            throw failed;
        }
    }

    /**
     * Lets the peer use {@code memory} as {@code access} says, until the connection ends.
     *
     * @throws IllegalArgumentException for more than 2 GiB less a byte, which is as much as one registration can hold
     */
    public IbvMr register(MemorySegment memory, int access) throws IOException {
        IbvMr registration =
                domain.regMr(memory.address(), length(memory), access).execute().getMr();
        registrations.put(registration, memory);
        return registration;
    }

    /** As an int, which DiSNI takes lengths as. */
    static int length(MemorySegment memory) {
        if (memory.byteSize() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(memory.byteSize() + " bytes are too many for one registration, which"
                    + " holds " + Integer.MAX_VALUE + " at most; register them in parts");
        }
        return Math.toIntExact(memory.byteSize());
    }

    IbvQP pair() {
        return pair;
    }

    /** Where what the peer sends completes. */
    Completions receives() {
        return queues.receives();
    }

    /** An identifier whose events come on {@code channel}, which is destroyed if there is none to be had. */
    static RdmaCmId identifier(RdmaEventChannel channel) throws IOException {
        try {
            return channel.createId(RdmaCm.RDMA_PS_TCP);
        } catch (IOException refused) {
            quietly("destroy the event channel", channel::destroyEventChannel);
            throw refused;
        }
    }

    /** Destroys an identifier that has no queue pair; a request that is not answered yet is refused by that. */
    static void destroy(RdmaCmId id) {
        quietly("destroy an id", id::destroyId);
    }

    /** The device that it is on. */
    public IbvContext device() throws IOException {
        return id.getVerbs();
    }

    /** What that can do. */
    public Abilities abilities() {
        return abilities;
    }

    /** Takes back what {@link #register} gave; after it returns the peer can reach it no more. */
    public void deregister(IbvMr registration) {
        if (registrations.remove(registration) != null) {
            quietly("deregister", () -> registration.deregMr().execute().free());
        }
    }

    /** Sends one of the messages that a side may send: two of a handshake, and a goodbye. */
    void send(ByteBuffer message) throws IOException {
        if (sent >= SENDS) {
            throw new IllegalStateException("a side sends " + SENDS + " messages at most");
        }
        MemorySegment out = messages.asSlice((long) (RECEIVES + sent++) * MESSAGE_BYTES, message.remaining());
        out.copyFrom(MemorySegment.ofBuffer(message));
        IbvSendWR request = request(IbvSendWR.IBV_WR_SEND, out, messageRegistration);
        long workId = queues.sends().nextId();
        request.setWr_id(workId);
        workIds.add(workId);
        queues.sends().expect(workId, (success, _) -> {
            if (!success) {
                listener.broken("a message could not be sent");
            }
        });
        post(List.of(request));
    }

    /** A signalled work request on the pieces of local memory; the caller fills in the rest. */
    @SuppressWarnings("JdkObsolete") // DiSNI asks for a LinkedList
    public static IbvSendWR request(int opcode, List<IbvSge> pieces) {
        IbvSendWR request = new IbvSendWR();
        request.setOpcode(opcode);
        request.setSend_flags(IbvSendWR.IBV_SEND_SIGNALED);
        request.setSg_list(new LinkedList<>(pieces));
        request.setNum_sge(pieces.size());
        return request;
    }

    /** A signalled work request on {@code local} memory; the caller fills in the rest. */
    public static IbvSendWR request(int opcode, MemorySegment local, IbvMr registration) {
        return request(opcode, List.of(element(local, registration)));
    }

    /**
     * Posts {@code requests} in order.
     *
     * @throws IOException if the queue pair takes no more or is over, or its device cannot carry them out
     */
    public void post(List<IbvSendWR> requests) throws IOException {
        pair.postSend(requests, null).execute().free();
    }

    /**
     * Prepares {@code requests} for being posted again and again; what the returned call's {@code getWrMod} changes in
     * between counts. Not for atomics.
     */
    public SVCPostSend prepare(List<IbvSendWR> requests) throws IOException {
        return pair.postSend(requests, null);
    }

    /** Disconnects and frees everything. Idempotent; after it returns the peer can reach nothing of this connection. */
    void destroy() {
        if (destroyed.compareAndSet(false, true)) {
            quietly("disconnect", id::disconnect);
            free(domain, pair);
            quietly("destroy the id", id::destroyId);
        }
    }

    /** Frees what has been made; only then is nothing told of it any more. */
    private void free(@Nullable IbvPd madeDomain, @Nullable IbvQP madePair) {
        if (madePair != null) {
            quietly("destroy the queue pair", id::destroyQP);
        }
        registrations.keySet().forEach(this::deregister);
        if (madeDomain != null) {
            quietly("free the protection domain", madeDomain::deallocPd);
        }
        workIds.forEach(queues.receives()::forget);
        workIds.forEach(queues.sends()::forget);
        reserve(-1);
    }

    /** Keeps room in the queues for one queue pair more, or for one less. */
    private void reserve(int pairs) {
        queues.sends().reserve(pairs * (sizes.sends() + SENDS));
        queues.receives().reserve(pairs * (sizes.receives() + RECEIVES));
    }

    /** Posts a receive of the handshake, which takes one message. */
    private void receiveOnce(MemorySegment into) throws IOException {
        long workId = queues.receives().nextId();
        workIds.add(workId);
        queues.receives().expect(workId, (success, ended) -> told(success, ended, into));
        receive(workId, into).execute().free();
    }

    /** Posts the receives for what follows the handshake, each again when it has taken something. */
    private void receiveAlways(int receives, MemorySegment into) throws IOException {
        long workId = queues.receives().nextId();
        workIds.add(workId);
        SVCPostRecv receive = receive(workId, into);
        queues.receives().expectEach(workId, (success, ended) -> {
            if (success) {
                postAgain(receive);
            }
            told(success, ended, into);
        });
        for (int i = 0; i < receives; i++) {
            receive.execute();
        }
    }

    private void postAgain(SVCPostRecv receive) {
        try {
            receive.execute();
        } catch (IOException failed) {
            listener.broken(String.valueOf(failed.getMessage()));
        }
    }

    private void told(boolean success, IbvWC ended, MemorySegment from) {
        if (!success) {
            listener.heardOut(tellsTerminates ? ended.getVendor_err() : 0);
            listener.broken("the connection broke");
        } else if ((ended.getWc_flags() & WITH_IMMEDIATE) != 0) {
            listener.immediate(ended.getImm_data());
        } else {
            listener.received(from.asSlice(0, ended.getByte_len()).toArray(ValueLayout.JAVA_BYTE));
        }
    }

    @SuppressWarnings("JdkObsolete") // DiSNI asks for a LinkedList
    private SVCPostRecv receive(long workId, MemorySegment into) throws IOException {
        IbvRecvWR request = new IbvRecvWR();
        request.setSg_list(new LinkedList<>(List.of(element(into, messageRegistration))));
        request.setNum_sge(1);
        request.setWr_id(workId);
        return pair.postRecv(List.of(request), null);
    }

    private static IbvQPInitAttr attributes(Queues queues, Sizes sizes) {
        IbvQPInitAttr attributes = new IbvQPInitAttr();
        attributes.cap().setMax_send_wr(sizes.sends() + SENDS);
        attributes.cap().setMax_recv_wr(sizes.receives() + RECEIVES);
        attributes.cap().setMax_send_sge(sizes.elements());
        attributes.cap().setMax_recv_sge(1);
        attributes.setQp_type(IbvQP.IBV_QPT_RC);
        attributes.setSend_cq(queues.sends().queue());
        attributes.setRecv_cq(queues.receives().queue());
        return attributes;
    }

    /** Registered memory, or a piece of it, as a work request names it. */
    public static IbvSge element(MemorySegment memory, IbvMr registration) {
        IbvSge element = new IbvSge();
        element.setAddr(memory.address());
        element.setLength((int) memory.byteSize());
        element.setLkey(registration.getLkey());
        return element;
    }

    /** A part of freeing something. */
    interface Step {
        void run() throws Exception;
    }

    /** Does it; should it fail, the rest must be freed all the same. */
    @SuppressWarnings("CatchingUnchecked") // DiSNI's deallocPd declares Exception
    static void quietly(String what, Step step) {
        try {
            step.run();
        } catch (Exception failed) {
            LOG.debug("could not {}: {}", what, failed.toString());
        }
    }
}
