package dev.retier.testsupport.verbs;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvQPInitAttr;
import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.RdmaCmEvent.EventType;
import dev.retier.testsupport.verbs.MemoryCq.Ending;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A queue pair. Guarded by the world's lock. */
final class MemoryQp extends IbvQP {
    private static final int SUCCESS = 0;
    private static final int FLUSHED = 5;
    private static final int REMOTE_ACCESS = 10;

    /** RDMAP, Remote Protection Error, Invalid STag (RFC 5040 section 4.8). */
    private static final int PROTECTION_WORD = 0x0100;

    /** DDP, Untagged Buffer Error, no buffer available. */
    private static final int NO_RECEIVE_WORD = 0x1202;

    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED;

    private final VerbsWorld world;
    private final MemoryCmId id;
    private final int maxSends;
    private final int maxReceives;
    private final int maxSendElements;
    private final int maxReceiveElements;
    private final Deque<IbvRecvWR> receives = new ArrayDeque<>();
    /** Posted and not yet carried out. */
    private final List<IbvSendWR> underWay = new ArrayList<>();

    private @Nullable MemoryQp other;
    private boolean over;
    private boolean isCut;

    MemoryQp(VerbsWorld world, MemoryCmId id, MemoryPd domain, IbvQPInitAttr attributes) throws IOException {
        super(world.nextNumber());
        this.world = world;
        this.id = id;
        this.pd = domain;
        this.context = domain.getContext();
        this.send_cq = attributes.getSend_cq();
        this.recv_cq = attributes.getRecv_cq();
        this.maxSends = attributes.cap().getMax_send_wr();
        this.maxReceives = attributes.cap().getMax_recv_wr();
        this.maxSendElements = attributes.cap().getMax_send_sge();
        this.maxReceiveElements = attributes.cap().getMax_recv_sge();
        if (attributes.getQp_type() != IBV_QPT_RC) {
            throw new IOException("a reliable connection was to be asked for");
        }
    }

    static void connect(MemoryQp one, MemoryQp two) {
        one.other = two;
        two.other = one;
    }

    boolean isConnected() {
        return other != null && !over;
    }

    boolean uses(IbvCQ queue) {
        return queue.equals(send_cq) || queue.equals(recv_cq);
    }

    /** Whether the one who has {@code listener} made it, to who listens at {@code address}. */
    boolean isBetween(MemoryCmId listener, InetSocketAddress address) {
        return id.isBetween(listener, address);
    }

    void cut() {
        isCut = true;
        if (other != null) {
            other.isCut = true;
        }
    }

    void receive(IbvRecvWR request) throws IOException {
        if (receives.size() >= maxReceives) {
            throw new IOException("the receive queue is full with " + maxReceives + " work requests");
        }
        check(request.getSg_list(), request.getNum_sge(), maxReceiveElements);
        receives.add(request);
        if (over) {
            flushReceives(0);
        }
    }

    void send(IbvSendWR request) throws IOException {
        if (other == null && !over) {
            throw new IOException("the queue pair is not connected");
        }
        if (underWay.size() >= maxSends) {
            throw new IOException("the send queue is full with " + maxSends + " work requests");
        }
        check(request.getSg_list(), request.getNum_sge(), maxSendElements);
        if (over) {
            complete(send_cq, request.getWr_id(), new Ending(FLUSHED, 0, 0, null));
            return;
        }
        underWay.add(request);
        if (!isCut) {
            world.deliver(kind(request), () -> carryOut(request));
        }
    }

    /** Refuses local memory that a device could not use. */
    private void check(List<IbvSge> elements, int said, int most) throws IOException {
        if (elements.size() != said || said > most) {
            throw new IOException(said + " elements were said, there are " + elements.size() + " and room for " + most);
        }
        for (IbvSge element : elements) {
            MemoryMr region = world.regions().get(element.getLkey());
            if (region == null || !region.holds((MemoryPd) pd, element.getAddr(), element.getLength())) {
                throw new IOException("an element is not in the memory that its key is of");
            }
        }
    }

    private static Kind kind(IbvSendWR request) {
        return switch (request.getOpcode()) {
            case IbvSendWR.IBV_WR_RDMA_WRITE, IbvSendWR.IBV_WR_RDMA_WRITE_WITH_IMM -> Kind.WRITE;
            case IbvSendWR.IBV_WR_RDMA_READ -> Kind.READ;
            case IbvSendWR.IBV_WR_SEND -> Kind.SEND;
            case IbvSendWR.IBV_WR_ATOMIC_CMP_AND_SWP, IbvSendWR.IBV_WR_ATOMIC_FETCH_AND_ADD -> Kind.ATOMIC;
            default -> throw new IllegalArgumentException("opcode " + request.getOpcode());
        };
    }

    private void carryOut(IbvSendWR request) {
        MemoryQp peer = other;
        boolean present = underWay.contains(request);
        if (!present || peer == null || isCut) {
            return;
        }
        int refusal = perform(request, peer);
        underWay.remove(request);
        if (refusal != SUCCESS) {
            complete(send_cq, request.getWr_id(), new Ending(REMOTE_ACCESS, refusal, 0, null));
            end(refusal, true);
        } else if ((request.getSend_flags() & IbvSendWR.IBV_SEND_SIGNALED) != 0) {
            complete(send_cq, request.getWr_id(), new Ending(SUCCESS, 0, length(request), null));
        }
    }

    /** The word of the Terminate that answers it, or 0. */
    private int perform(IbvSendWR request, MemoryQp peer) {
        return switch (request.getOpcode()) {
            case IbvSendWR.IBV_WR_SEND -> peer.take(gather(request), null);
            case IbvSendWR.IBV_WR_RDMA_READ -> {
                MemorySegment from = there(request, peer, IbvMr.IBV_ACCESS_REMOTE_READ);
                yield from == null ? PROTECTION_WORD : scatter(request, from.toArray(ValueLayout.JAVA_BYTE));
            }
            case IbvSendWR.IBV_WR_RDMA_WRITE, IbvSendWR.IBV_WR_RDMA_WRITE_WITH_IMM -> {
                MemorySegment to = there(request, peer, IbvMr.IBV_ACCESS_REMOTE_WRITE);
                if (to == null) {
                    yield PROTECTION_WORD;
                }
                to.copyFrom(MemorySegment.ofArray(gather(request)));
                yield request.getOpcode() == IbvSendWR.IBV_WR_RDMA_WRITE
                        ? SUCCESS
                        : peer.take(new byte[0], request.getImm_data());
            }
            default -> swap(request, peer);
        };
    }

    private int swap(IbvSendWR request, MemoryQp peer) {
        IbvSendWR.Atomic atomic = request.getAtomic();
        MemorySegment word =
                reach(peer, atomic.getRkey(), atomic.getRemote_addr(), Long.BYTES, IbvMr.IBV_ACCESS_REMOTE_ATOMIC);
        if (word == null) {
            return PROTECTION_WORD;
        }
        long found = word.get(WORD, 0);
        if (request.getOpcode() == IbvSendWR.IBV_WR_ATOMIC_FETCH_AND_ADD) {
            word.set(WORD, 0, found + atomic.getCompare_add());
        } else if (found == atomic.getCompare_add()) {
            word.set(WORD, 0, atomic.getSwap());
        }
        byte[] answer = new byte[Long.BYTES];
        MemorySegment.ofArray(answer).set(WORD, 0, found);
        return scatter(request, answer);
    }

    /** A message or an immediate comes in. */
    private int take(byte[] message, @Nullable Integer immediate) {
        IbvRecvWR receive = receives.poll();
        if (receive == null) {
            return NO_RECEIVE_WORD;
        }
        int at = 0;
        for (IbvSge element : receive.getSg_list()) {
            int bytes = Math.min(element.getLength(), message.length - at);
            local(element.getAddr(), bytes)
                    .copyFrom(MemorySegment.ofArray(message).asSlice(at, bytes));
            at += bytes;
        }
        if (at < message.length) {
            return NO_RECEIVE_WORD;
        }
        complete(recv_cq, receive.getWr_id(), new Ending(SUCCESS, 0, message.length, immediate));
        return SUCCESS;
    }

    private @Nullable MemorySegment there(IbvSendWR request, MemoryQp peer, int right) {
        return reach(peer, request.getRdma().getRkey(), request.getRdma().getRemote_addr(), length(request), right);
    }

    private @Nullable MemorySegment reach(MemoryQp peer, int key, long address, int bytes, int right) {
        MemoryMr region = world.regions().get(key);
        return region == null || !(peer.pd instanceof MemoryPd domain)
                ? null
                : region.reach(domain, address, bytes, right);
    }

    private static int length(IbvSendWR request) {
        return request.getSg_list().stream().mapToInt(IbvSge::getLength).sum();
    }

    private static byte[] gather(IbvSendWR request) {
        byte[] all = new byte[length(request)];
        int at = 0;
        for (IbvSge element : request.getSg_list()) {
            MemorySegment.copy(
                    local(element.getAddr(), element.getLength()),
                    0,
                    MemorySegment.ofArray(all),
                    at,
                    element.getLength());
            at += element.getLength();
        }
        return all;
    }

    private static int scatter(IbvSendWR request, byte[] bytes) {
        int at = 0;
        for (IbvSge element : request.getSg_list()) {
            local(element.getAddr(), element.getLength())
                    .copyFrom(MemorySegment.ofArray(bytes).asSlice(at, element.getLength()));
            at += element.getLength();
        }
        return SUCCESS;
    }

    @SuppressWarnings("restricted") // the caller answers for the address, as with any provider
    private static MemorySegment local(long address, int bytes) {
        return MemorySegment.ofAddress(address).reinterpret(bytes);
    }

    /**
     * Ends the connection: all that is under way is flushed, at the other end, too, if {@code both}. That end then has
     * sent the Terminate, if there is a word.
     */
    void end(int terminateWord, boolean both) {
        if (over || other == null) {
            return;
        }
        over = true;
        List.copyOf(underWay)
                .forEach(request -> complete(send_cq, request.getWr_id(), new Ending(FLUSHED, 0, 0, null)));
        underWay.clear();
        flushReceives(both ? 0 : terminateWord);
        id.raise(EventType.RDMA_CM_EVENT_DISCONNECTED, new byte[0]);
        MemoryQp peer = other;
        if (both && peer != null && !isCut) {
            peer.end(terminateWord, false);
        }
    }

    private void flushReceives(int terminateWord) {
        while (!receives.isEmpty()) {
            complete(recv_cq, receives.remove().getWr_id(), new Ending(FLUSHED, terminateWord, 0, null));
        }
    }

    private void complete(IbvCQ queue, long workId, Ending ending) {
        world.complete(new MemoryCq.Entry((MemoryCq) queue, workId, ending));
    }
}
