package dev.retier.rnic;

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
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** DiSNI's verbs over libibverbs. Stateless; safe for any thread. */
final class RnicVerbs extends RdmaVerbs {
    private static final int SUCCESS = 0;

    @Override
    public IbvPd allocPd(IbvContext context) throws IOException {
        return new RnicPd((RnicContext) context);
    }

    @Override
    public IbvCompChannel createCompChannel(IbvContext context) throws IOException {
        return RnicCompChannel.create((RnicContext) context);
    }

    @Override
    public IbvCQ createCQ(IbvContext context, @Nullable IbvCompChannel channel, int entries, int vector)
            throws IOException {
        return RnicCq.create((RnicContext) context, (RnicCompChannel) channel, entries, vector);
    }

    @Override
    public boolean getCqEvent(IbvCompChannel channel, @Nullable IbvCQ cq, int timeoutMillis) throws IOException {
        return ((RnicCompChannel) channel).await(timeoutMillis);
    }

    @Override
    public SVCRegMr regMr(IbvPd pd, ByteBuffer buffer, int access) throws IOException {
        if (!buffer.isDirect()) {
            throw new IOException("only direct buffers can be registered; use ByteBuffer.allocateDirect");
        }
        return new RegMrCall((RnicPd) pd, MemoryUtils.getAddress(buffer), buffer.capacity(), access, buffer);
    }

    /**
     * {@inheritDoc}
     *
     * <p>The caller answers for the address; the memory must live until the region is deregistered.
     */
    @Override
    public SVCRegMr regMr(IbvPd pd, long address, int length, int access) throws IOException {
        return new RegMrCall((RnicPd) pd, address, length, access, null);
    }

    /** Paging on demand is not asked for. */
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
        return new DeregMrCall((RnicMr) region);
    }

    @Override
    public SVCPostSend postSend(IbvQP qp, List<IbvSendWR> work, @Nullable List<IbvSendWR> bad) throws IOException {
        return new PostSendCall((RnicQp) qp, work);
    }

    @Override
    public SVCPostRecv postRecv(IbvQP qp, List<IbvRecvWR> work, @Nullable List<IbvRecvWR> bad) throws IOException {
        return new PostRecvCall((RnicQp) qp, work);
    }

    @Override
    public SVCPollCq pollCQ(IbvCQ cq, IbvWC[] completions, int max) throws IOException {
        return new PollCqCall((RnicCq) cq, completions, max);
    }

    @Override
    public SVCReqNotify reqNotifyCQ(IbvCQ cq, boolean solicitedOnly) throws IOException {
        return new ReqNotifyCall((RnicCq) cq, solicitedOnly);
    }

    /** Events are acknowledged as they are taken. */
    @Override
    public int ackCqEvents(IbvCQ cq, int events) throws IOException {
        return SUCCESS;
    }

    @Override
    public int destroyCompChannel(IbvCompChannel channel) throws IOException {
        ((RnicCompChannel) channel).destroy();
        return SUCCESS;
    }

    @Override
    public int deallocPd(IbvPd pd) throws IOException {
        ((RnicPd) pd).free();
        return SUCCESS;
    }

    @Override
    public int destroyCQ(IbvCQ cq) throws IOException {
        ((RnicCq) cq).destroy();
        return SUCCESS;
    }
}
