package dev.retier.iwarp.verbs;

import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvQPCap;
import com.ibm.disni.verbs.IbvQPInitAttr;
import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaConnParam;
import com.ibm.disni.verbs.RdmaEventChannel;
import dev.retier.iwarp.net.SocketQueuePair;
import dev.retier.iwarp.verbs.IwarpCmEvent.Outcome;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** DiSNI's connection manager over software iWARP. Safe for any thread. */
public final class IwarpCm extends RdmaCm {
    private static final int SUCCESS = 0;
    /** Scatter/gather elements that every queue pair has: what DiSNI's native provider gives, whatever is asked. */
    private static final int LEAST_ELEMENTS = 4;

    private final Devices devices;

    /** A connection manager of the devices that {@code devices} hands out. */
    public IwarpCm(Devices devices) {
        this.devices = devices;
    }

    @Override
    public RdmaEventChannel createEventChannel() throws IOException {
        return new IwarpEventChannel(devices.forNewChannel());
    }

    @Override
    public RdmaCmId createId(RdmaEventChannel channel, short portSpace) throws IOException {
        IwarpEventChannel ours = (IwarpEventChannel) channel;
        ours.ensureOpen();
        return new IwarpCmId(ours, portSpace, null);
    }

    @Override
    public IbvQP createQP(RdmaCmId id, IbvPd pd, IbvQPInitAttr attributes) throws IOException {
        IwarpCmId ours = open(id);
        IwarpPd domain = (IwarpPd) pd;
        if (!domain.isOpen()) {
            throw new IOException("the protection domain was deallocated");
        }
        if (attributes.getQp_type() != IbvQP.IBV_QPT_RC) {
            throw new IOException(
                    "queue pair type " + attributes.getQp_type() + "; iWARP has reliable connections only");
        }
        SocketQueuePair pair = createPair(ours, domain, attributes);
        if (attributes.getSq_sig_all() != 0) {
            pair.signalAll();
        }
        IwarpQp qp = new IwarpQp(pair, domain, attributes);
        ours.use(qp);
        return qp;
    }

    private static SocketQueuePair createPair(IwarpCmId id, IwarpPd domain, IbvQPInitAttr attributes)
            throws IOException {
        IbvQPCap cap = attributes.cap();
        int elements = Math.max(LEAST_ELEMENTS, Math.max(cap.getMax_send_sge(), cap.getMax_recv_sge()));
        var sizes = new SocketQueuePair.Sizes(
                domain.number(), Math.max(1, cap.getMax_send_wr()), Math.max(1, cap.getMax_recv_wr()), elements);
        try {
            return new SocketQueuePair(
                    id.device(),
                    sizes,
                    IwarpVerbs.queue(attributes.getSend_cq()),
                    IwarpVerbs.queue(attributes.getRecv_cq()),
                    id);
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    @Override
    public void bindAddr(RdmaCmId id, SocketAddress address) throws IOException {
        open(id).bind(resolved(address));
    }

    @Override
    public void listen(RdmaCmId id, int backlog) throws IOException {
        open(id).startListening(backlog);
    }

    @Override
    public void resolveAddr(RdmaCmId id, @Nullable SocketAddress source, SocketAddress destination, int timeout)
            throws IOException {
        open(id).resolve(resolved(destination));
    }

    @Override
    public void resolveRoute(RdmaCmId id, int timeout) throws IOException {
        open(id).raise(RdmaCmEvent.EventType.RDMA_CM_EVENT_ROUTE_RESOLVED, Outcome.success());
    }

    @Override
    public @Nullable RdmaCmEvent getCmEvent(RdmaEventChannel channel, int timeoutMillis) throws IOException {
        return ((IwarpEventChannel) channel).next(timeoutMillis);
    }

    @Override
    public void connect(RdmaCmId id, @Nullable RdmaConnParam parameters) throws IOException {
        try {
            open(id).connect(IwarpConnParam.privateData(parameters));
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    @Override
    public void accept(RdmaCmId id, @Nullable RdmaConnParam parameters) throws IOException {
        IwarpCmId ours = open(id);
        if (!(ours.getQp() instanceof IwarpQp qp)) {
            throw new IOException("create a queue pair before accepting");
        }
        try {
            ours.requireRequest().accept(qp.pair(), IwarpConnParam.privateData(parameters));
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    @Override
    public int ackCmEvent(RdmaCmEvent event) {
        return SUCCESS;
    }

    @Override
    public int disconnect(RdmaCmId id) throws IOException {
        if (open(id).getQp() instanceof IwarpQp qp) {
            qp.pair().disconnect();
        }
        return SUCCESS;
    }

    @Override
    public int destroyEventChannel(RdmaEventChannel channel) throws IOException {
        ((IwarpEventChannel) channel).destroy();
        return SUCCESS;
    }

    @Override
    public int destroyCmId(RdmaCmId id) throws IOException {
        IwarpCmId ours = open(id);
        ours.close();
        ours.destroy();
        return SUCCESS;
    }

    @Override
    public int destroyQP(RdmaCmId id) throws IOException {
        if (!(open(id).getQp() instanceof IwarpQp qp) || !qp.isOpen()) {
            throw new IOException("there is no queue pair to destroy");
        }
        qp.close();
        qp.pair().destroy();
        return SUCCESS;
    }

    @Override
    public @Nullable SocketAddress getSrcAddr(RdmaCmId id) throws IOException {
        return ((IwarpCmId) id).source();
    }

    @Override
    public @Nullable SocketAddress getDstAddr(RdmaCmId id) throws IOException {
        return ((IwarpCmId) id).destination();
    }

    @Override
    public int destroyEp(RdmaCmId id) throws IOException {
        if (open(id).getQp() instanceof IwarpQp qp && qp.isOpen()) {
            destroyQP(id);
        }
        return destroyCmId(id);
    }

    private static IwarpCmId open(RdmaCmId id) throws IOException {
        if (!id.isOpen()) {
            throw new IOException("the identifier was destroyed");
        }
        return (IwarpCmId) id;
    }

    private static InetSocketAddress resolved(SocketAddress address) throws IOException {
        if (!(address instanceof InetSocketAddress inet) || inet.isUnresolved()) {
            throw new IOException("address " + address + " is no IP address that resolves");
        }
        return inet;
    }
}
