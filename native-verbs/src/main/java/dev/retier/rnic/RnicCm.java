package dev.retier.rnic;

import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvQPInitAttr;
import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaConnParam;
import com.ibm.disni.verbs.RdmaEventChannel;
import java.io.IOException;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** DiSNI's connection manager over librdmacm. Safe for any thread. */
final class RnicCm extends RdmaCm {
    private static final int SUCCESS = 0;

    private final Library library;
    private final RnicContexts contexts;

    RnicCm(Library library, RnicContexts contexts) {
        this.library = library;
        this.contexts = contexts;
    }

    @Override
    public RdmaEventChannel createEventChannel() throws IOException {
        return RnicEventChannel.create(library, contexts);
    }

    @Override
    public RdmaCmId createId(RdmaEventChannel channel, short portSpace) throws IOException {
        return RnicCmId.create((RnicEventChannel) channel, portSpace);
    }

    @Override
    public IbvQP createQP(RdmaCmId id, IbvPd pd, IbvQPInitAttr attributes) throws IOException {
        if (attributes.getQp_type() != IbvQP.IBV_QPT_RC) {
            throw new IOException(
                    "queue pair type " + attributes.getQp_type() + "; only reliable connections are made");
        }
        return ((RnicCmId) id).createPair((RnicPd) pd, attributes);
    }

    @Override
    public void bindAddr(RdmaCmId id, SocketAddress address) throws IOException {
        ((RnicCmId) id).bind(address);
    }

    @Override
    public void listen(RdmaCmId id, int backlog) throws IOException {
        ((RnicCmId) id).startListening(backlog);
    }

    @Override
    public void resolveAddr(RdmaCmId id, @Nullable SocketAddress source, SocketAddress destination, int timeout)
            throws IOException {
        ((RnicCmId) id).resolve(source, destination, timeout);
    }

    @Override
    public void resolveRoute(RdmaCmId id, int timeout) throws IOException {
        ((RnicCmId) id).findRoute(timeout);
    }

    @Override
    public @Nullable RdmaCmEvent getCmEvent(RdmaEventChannel channel, int timeoutMillis) throws IOException {
        return ((RnicEventChannel) channel).next(timeoutMillis);
    }

    @Override
    public void connect(RdmaCmId id, @Nullable RdmaConnParam parameters) throws IOException {
        ((RnicCmId) id).connectWith(parameters);
    }

    @Override
    public void accept(RdmaCmId id, @Nullable RdmaConnParam parameters) throws IOException {
        ((RnicCmId) id).acceptWith(parameters);
    }

    /** Events are acknowledged as they are taken. */
    @Override
    public int ackCmEvent(RdmaCmEvent event) {
        return SUCCESS;
    }

    @Override
    public int disconnect(RdmaCmId id) throws IOException {
        ((RnicCmId) id).end();
        return SUCCESS;
    }

    @Override
    public int destroyEventChannel(RdmaEventChannel channel) throws IOException {
        ((RnicEventChannel) channel).destroy();
        return SUCCESS;
    }

    @Override
    public int destroyCmId(RdmaCmId id) throws IOException {
        ((RnicCmId) id).destroy();
        return SUCCESS;
    }

    @Override
    public int destroyQP(RdmaCmId id) throws IOException {
        if (!((RnicCmId) id).destroyPair()) {
            throw new IOException("there is no queue pair to destroy");
        }
        return SUCCESS;
    }

    @Override
    public @Nullable SocketAddress getSrcAddr(RdmaCmId id) throws IOException {
        return ((RnicCmId) id).source();
    }

    @Override
    public @Nullable SocketAddress getDstAddr(RdmaCmId id) throws IOException {
        return ((RnicCmId) id).destination();
    }

    @Override
    public int destroyEp(RdmaCmId id) throws IOException {
        return destroyCmId(id);
    }
}
