package dev.retier.iwarp.verbs;

import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.RdmaCmEvent.EventType;
import com.ibm.disni.verbs.RdmaCmId;
import dev.retier.iwarp.net.AcceptListener;
import dev.retier.iwarp.net.ConnectListener;
import dev.retier.iwarp.net.Device;
import dev.retier.iwarp.net.Initiating;
import dev.retier.iwarp.net.Listening;
import dev.retier.iwarp.net.QueuePairListener;
import dev.retier.iwarp.net.Responding;
import dev.retier.iwarp.verbs.IwarpCmEvent.Outcome;
import dev.retier.verbs.AdmissionControl;
import dev.retier.verbs.KnownPeer;
import dev.retier.verbs.TlsControl;
import dev.retier.verbs.TlsKeys;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An identifier of the connection manager: a listening socket, or one connection on its way.
 *
 * <p>A connect that fails raises REJECTED, UNREACHABLE or CONNECT_ERROR, and DISCONNECTED after it: DiSNI's endpoints
 * wait for nothing else and would wait for ever. Fields are volatile: the owner and the progress thread use them.
 */
public final class IwarpCmId extends RdmaCmId
        implements ConnectListener, QueuePairListener, AcceptListener, AdmissionControl, KnownPeer, TlsControl {
    private static final int ECONNREFUSED = 111;
    private static final int ETIMEDOUT = 110;
    private static final int EPROTO = 71;
    private static final byte[] NOTHING = {};

    private final IwarpEventChannel events;
    private final @Nullable Responding request;
    private volatile @Nullable InetSocketAddress boundTo;
    private volatile @Nullable InetSocketAddress peer;
    private volatile @Nullable Listening listening;
    private volatile @Nullable Initiating initiating;
    private volatile byte[] privateData = NOTHING;
    private volatile Set<InetAddress> expected = Set.of();
    private volatile boolean isPeerKnown;
    private volatile @Nullable TlsKeys keys;

    /** A new identifier; {@code request} is the connection request that it stands for, if any. */
    IwarpCmId(IwarpEventChannel events, short portSpace, @Nullable Responding request) throws IOException {
        super(events, request == null ? null : events.context());
        this.events = events;
        this.request = request;
        this.ps = portSpace;
        this.peer = request == null ? null : request.remote();
    }

    /**
     * Refuses the connection request that this stands for.
     *
     * @param reason private data for the initiator, at most 508 bytes
     * @throws IOException if this stands for none, or it was accepted or rejected before
     */
    public void reject(byte[] reason) throws IOException {
        requireRequest().reject(reason);
    }

    @Override
    public void expected(Set<InetAddress> peers) {
        expected = Set.copyOf(peers);
        Listening open = listening;
        if (open != null) {
            open.expect(expected);
        }
    }

    @Override
    public void peerIsKnown() {
        isPeerKnown = true;
    }

    @Override
    public void secure(TlsKeys own) {
        keys = own;
    }

    @Override
    public List<X509Certificate> peerCertificates() {
        Initiating connecting = initiating;
        if (request != null) {
            return request.certificates();
        }
        return connecting == null ? List.of() : connecting.certificates();
    }

    Responding requireRequest() throws IOException {
        if (request == null) {
            throw new IOException("no connection request: only what came with CONNECT_REQUEST can be answered");
        }
        return request;
    }

    @Nullable
    Responding request() {
        return request;
    }

    Device device() {
        return ((IwarpContext) events.context()).device();
    }

    void bind(InetSocketAddress address) {
        boundTo = address;
        useDevice();
    }

    void startListening(int backlog) throws IOException {
        InetSocketAddress address = boundTo;
        if (address == null) {
            throw new IOException("bind an address before listening");
        }
        Listening opened = Listening.open(device(), address, new Listening.Terms(backlog, keys), this);
        listening = opened;
        opened.expect(expected);
    }

    void resolve(InetSocketAddress destination) {
        peer = destination;
        useDevice();
        raise(EventType.RDMA_CM_EVENT_ADDR_RESOLVED, Outcome.success());
    }

    void connect(byte[] data) throws IOException {
        InetSocketAddress destination = peer;
        if (destination == null || !(getQp() instanceof IwarpQp ours)) {
            throw new IOException("resolve the address and create a queue pair before connecting");
        }
        var target = new Initiating.Target(destination, isPeerKnown, keys);
        initiating = Initiating.start(ours.pair(), target, data, this);
    }

    private void useDevice() {
        IbvContext context = events.context();
        setVerbs(context);
    }

    void use(IbvQP qp) {
        setQp(qp);
    }

    /** Ends whatever this stands for. */
    void destroy() throws IOException {
        Listening open = listening;
        if (open != null) {
            open.close();
            events.forget(this);
        }
        if (request != null && !request.isDecided()) {
            request.reject(NOTHING);
        }
        if (getQp() instanceof IwarpQp ours && ours.isOpen()) {
            ours.pair().disconnect();
        }
    }

    @Nullable
    InetSocketAddress source() {
        Listening open = listening;
        Initiating connecting = initiating;
        if (open != null) {
            return open.local();
        }
        if (request != null) {
            return request.local();
        }
        return connecting == null ? boundTo : connecting.local();
    }

    @Nullable
    InetSocketAddress destination() {
        return peer;
    }

    void raise(EventType type, Outcome outcome) {
        raise(type, null, this, outcome);
    }

    private boolean raise(EventType type, @Nullable RdmaCmId listenId, RdmaCmId id, Outcome outcome) {
        try {
            return events.add(new IwarpCmEvent(type, listenId, id, outcome));
        } catch (IOException e) {
            throw new UncheckedIOException("the provider was replaced while connections were open", e);
        }
    }

    @Override
    public boolean requested(Responding asked) {
        try {
            IwarpCmId child = new IwarpCmId(events, (short) ps, asked);
            Outcome outcome = Outcome.success(asked.privateData());
            boolean isTaken = raise(EventType.RDMA_CM_EVENT_CONNECT_REQUEST, this, child, outcome);
            if (!isOpen()) {
                events.forget(this); // destroyed before it was there to be forgotten
            }
            return isTaken;
        } catch (IOException e) {
            throw new UncheckedIOException("the provider was replaced while a socket was listening", e);
        }
    }

    @Override
    public void accepted(byte[] data) {
        privateData = data;
    }

    @Override
    public void established() {
        raise(EventType.RDMA_CM_EVENT_ESTABLISHED, Outcome.success(privateData));
    }

    @Override
    public void disconnected(String why) {
        raise(EventType.RDMA_CM_EVENT_DISCONNECTED, Outcome.failure(0, why));
    }

    @Override
    public void rejected(byte[] data) {
        Outcome outcome = new Outcome(-ECONNREFUSED, "the peer rejected the connection", data);
        raise(EventType.RDMA_CM_EVENT_REJECTED, outcome);
        disconnected(outcome.detail());
    }

    @Override
    public void failed(Failure failure, String why) {
        switch (failure) {
            case REFUSED -> raise(EventType.RDMA_CM_EVENT_REJECTED, Outcome.failure(-ECONNREFUSED, why));
            case UNREACHABLE -> raise(EventType.RDMA_CM_EVENT_UNREACHABLE, Outcome.failure(-ETIMEDOUT, why));
            case PROTOCOL -> raise(EventType.RDMA_CM_EVENT_CONNECT_ERROR, Outcome.failure(-EPROTO, why));
        }
        disconnected(why);
    }
}
