package dev.retier.iwarp.verbs;

import com.ibm.disni.util.MemoryUtils;
import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvCompChannel;
import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaVerbs;
import com.ibm.disni.verbs.SVCDeregMr;
import com.ibm.disni.verbs.SVCPollCq;
import com.ibm.disni.verbs.SVCPostRecv;
import com.ibm.disni.verbs.SVCPostSend;
import com.ibm.disni.verbs.SVCRegMr;
import com.ibm.disni.verbs.SVCReqNotify;
import dev.retier.iwarp.memory.MemoryRegion;
import dev.retier.iwarp.net.CompletionQueue;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** DiSNI's verbs over software iWARP. Stateless; safe for any thread. */
public final class IwarpVerbs extends RdmaVerbs {
    private static final int SUCCESS = 0;

    @Override
    public IbvPd allocPd(IbvContext context) throws IOException {
        return new IwarpPd((IwarpContext) context);
    }

    @Override
    public IbvCompChannel createCompChannel(IbvContext context) throws IOException {
        return new IwarpCompChannel((IwarpContext) context);
    }

    @Override
    public IbvCQ createCQ(IbvContext context, @Nullable IbvCompChannel channel, int entries, int vector)
            throws IOException {
        if (channel != null && !channel.isOpen()) {
            throw new IOException("the completion channel was destroyed");
        }
        return new IwarpCq((IwarpContext) context, (IwarpCompChannel) channel, entries);
    }

    @Override
    public boolean getCqEvent(IbvCompChannel channel, @Nullable IbvCQ cq, int timeoutMillis) throws IOException {
        IwarpCompChannel ours = (IwarpCompChannel) channel;
        if (!ours.isOpen()) {
            throw new IOException("the completion channel was destroyed");
        }
        if (cq != null) {
            long spin = ((IwarpContext) cq.getContext())
                    .device()
                    .config()
                    .completionSpin()
                    .toNanos();
            ((IwarpCq) cq).queue().spin(spin);
        }
        try {
            return ours.events().await(timeoutMillis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for a completion event", e);
        }
    }

    @Override
    public SVCRegMr regMr(IbvPd pd, ByteBuffer buffer, int access) throws IOException {
        if (!buffer.isDirect()) {
            throw new IOException("only direct buffers can be registered; use ByteBuffer.allocateDirect");
        }
        return new RegMrCall((IwarpPd) pd, buffer, access);
    }

    /**
     * {@inheritDoc}
     *
     * <p>The caller answers for the address; the memory must live until the region is deregistered. Java asks for
     * {@code --enable-native-access}, or warns once.
     */
    @Override
    public SVCRegMr regMr(IbvPd pd, long address, int length, int access) throws IOException {
        return new RegMrCall((IwarpPd) pd, RawMemory.at(address, length), access);
    }

    /**
     * Registers native memory of any size.
     *
     * @param memory a native segment, which must live until the region is deregistered
     * @throws IllegalArgumentException if the segment is on the heap
     */
    public SVCRegMr regMr(IbvPd pd, MemorySegment memory, int access) {
        if (!memory.isNative()) {
            throw new IllegalArgumentException("only native memory can be registered");
        }
        return new RegMrCall((IwarpPd) pd, memory, access);
    }

    /**
     * Registers native memory for one connection alone (RFC 5041 section 5.1): no other stream may use it, and the
     * peer may revoke it with a Send with Invalidate.
     *
     * @param memory a native segment, which must live until the region is deregistered or invalidated
     * @throws IllegalArgumentException if the segment is on the heap
     */
    public SVCRegMr regMrForConnection(IbvQP qp, MemorySegment memory, int access) {
        if (!memory.isNative()) {
            throw new IllegalArgumentException("only native memory can be registered");
        }
        IwarpPd pd = (IwarpPd) qp.getPd();
        return new RegMrCall(pd, memory, new MemoryRegion.Grant(pd.number(), qp.getHandle(), access));
    }

    /** No paging on demand: all memory is the process's own. */
    @Override
    public int queryOdpSupport(IbvContext context) throws IOException {
        return -1;
    }

    @Override
    public int expPrefetchMr(IbvMr region, long address, int length) throws IOException {
        throw new IOException("paging on demand is not supported");
    }

    @Override
    public SVCDeregMr deregMr(IbvMr region) throws IOException {
        return new DeregMrCall((IwarpMr) region);
    }

    @Override
    public SVCPostSend postSend(IbvQP qp, List<IbvSendWR> work, @Nullable List<IbvSendWR> bad) throws IOException {
        return new PostSendCall((IwarpQp) qp, work);
    }

    @Override
    public SVCPostRecv postRecv(IbvQP qp, List<IbvRecvWR> work, @Nullable List<IbvRecvWR> bad) throws IOException {
        return new PostRecvCall((IwarpQp) qp, work);
    }

    @Override
    public SVCPollCq pollCQ(IbvCQ cq, IbvWC[] completions, int max) throws IOException {
        return new PollCqCall((IwarpCq) cq, completions, max);
    }

    @Override
    public SVCReqNotify reqNotifyCQ(IbvCQ cq, boolean solicitedOnly) throws IOException {
        return new ReqNotifyCall((IwarpCq) cq, solicitedOnly);
    }

    @Override
    public int ackCqEvents(IbvCQ cq, int events) throws IOException {
        ((IwarpCq) cq).requireOpen();
        return SUCCESS;
    }

    @Override
    public int destroyCompChannel(IbvCompChannel channel) throws IOException {
        channel.close();
        ((IwarpCompChannel) channel).events().close();
        return SUCCESS;
    }

    @Override
    public int deallocPd(IbvPd pd) throws IOException {
        pd.close();
        return SUCCESS;
    }

    @Override
    public int destroyCQ(IbvCQ cq) throws IOException {
        cq.close();
        return SUCCESS;
    }

    /** The address of a direct buffer's first byte. */
    public static long address(ByteBuffer buffer) {
        return MemoryUtils.getAddress(buffer);
    }

    static CompletionQueue queue(IbvCQ cq) throws IOException {
        return ((IwarpCq) cq).requireOpen();
    }
}
