package dev.retier.iwarp.verbs;

import com.ibm.disni.RdmaEndpoint;
import com.ibm.disni.RdmaPassiveEndpointGroup;
import com.ibm.disni.RdmaServerEndpoint;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaVerbs;
import com.ibm.disni.verbs.SVCPollCq;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** One end of a connection made with DiSNI's own endpoint classes, as any DiSNI program makes it. */
@SuppressWarnings({"NonApiType", "JdkObsolete", "EnumOrdinal"}) // DiSNI asks for linked lists and ordinals
final class Peer {
    static final int ALL_RIGHTS = IbvMr.IBV_ACCESS_LOCAL_WRITE
            | IbvMr.IBV_ACCESS_REMOTE_WRITE
            | IbvMr.IBV_ACCESS_REMOTE_READ
            | IbvMr.IBV_ACCESS_REMOTE_ATOMIC;

    private static final int TIMEOUT_MILLIS = 10_000;
    private static final int QUEUE = 64;
    /** An accept that nobody answers must not keep a thread that others share. */
    private static final Executor OWN_THREAD =
            task -> Thread.ofPlatform().daemon().start(task);

    final RdmaPassiveEndpointGroup<Endpoint> group;
    final Endpoint endpoint;
    final ByteBuffer memory;
    final IbvMr region;
    private final IbvWC completion = new IbvWC();
    private final SVCPollCq poll;

    /** Keeps what it was told. */
    static final class Endpoint extends RdmaEndpoint {
        final CompletableFuture<byte[]> requested = new CompletableFuture<>();
        final CompletableFuture<byte[]> established = new CompletableFuture<>();
        final CompletableFuture<String> disconnected = new CompletableFuture<>();

        final RdmaPassiveEndpointGroup<Endpoint> owner;

        Endpoint(RdmaPassiveEndpointGroup<Endpoint> group, RdmaCmId id, boolean serverSide) throws IOException {
            super(group, id, serverSide);
            this.owner = group;
        }

        @Override
        public synchronized void dispatchCmEvent(RdmaCmEvent event) throws IOException {
            IwarpCmEvent ours = (IwarpCmEvent) event;
            switch (RdmaCmEvent.EventType.values()[event.getEvent()]) {
                case RDMA_CM_EVENT_CONNECT_REQUEST -> requested.complete(ours.privateData());
                case RDMA_CM_EVENT_ESTABLISHED -> established.complete(ours.privateData());
                case RDMA_CM_EVENT_DISCONNECTED -> disconnected.complete(ours.detail());
                default -> {}
            }
            super.dispatchCmEvent(event);
        }
    }

    private Peer(RdmaPassiveEndpointGroup<Endpoint> group, Endpoint endpoint) throws IOException {
        this(group, endpoint, 1 << 20);
    }

    /** An end with this much memory. */
    Peer(RdmaPassiveEndpointGroup<Endpoint> group, Endpoint endpoint, int bytes) throws IOException {
        this.memory = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
        this.group = group;
        this.endpoint = endpoint;
        this.region =
                endpoint.getPd().regMr(memory, ALL_RIGHTS).execute().free().getMr();
        this.poll = endpoint.getCqProvider().getCQ().poll(new IbvWC[] {completion}, 1);
    }

    static RdmaPassiveEndpointGroup<Endpoint> newGroup() throws IOException {
        RdmaPassiveEndpointGroup<Endpoint> group = new RdmaPassiveEndpointGroup<>(50, QUEUE, 4, 2 * QUEUE);
        group.init((id, serverSide) -> new Endpoint(group, id, serverSide));
        return group;
    }

    /** Two connected peers, each with a group of its own. The first one connected. */
    static List<Peer> pair() throws Exception {
        return pair(listen(), address -> address);
    }

    /** A server that listens, on the devices installed now. */
    static RdmaServerEndpoint<Endpoint> listen() throws Exception {
        RdmaServerEndpoint<Endpoint> server = newGroup().createServerEndpoint();
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        return server;
    }

    /** The way from a client to the address of its server. */
    @FunctionalInterface
    interface Route {
        InetSocketAddress to(InetSocketAddress server) throws IOException;
    }

    /** A client on the devices installed now, by way of {@code route}, and its peer at the server. */
    static List<Peer> pair(RdmaServerEndpoint<Endpoint> server, Route route) throws Exception {
        return pair(server, route, _ -> {});
    }

    /** The same; {@code before} gets the client's end before it connects. */
    static List<Peer> pair(RdmaServerEndpoint<Endpoint> server, Route route, Consumer<Endpoint> before)
            throws Exception {
        CompletableFuture<Endpoint> accepted = CompletableFuture.supplyAsync(() -> accept(server), OWN_THREAD);
        RdmaPassiveEndpointGroup<Endpoint> clientGroup = newGroup();
        Endpoint client = clientGroup.createEndpoint();
        before.accept(client);
        client.connect(route.to((InetSocketAddress) server.getSrcAddr()), TIMEOUT_MILLIS);
        Endpoint other = accepted.get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
        return List.of(new Peer(clientGroup, client), new Peer(other.owner, other));
    }

    static Endpoint accept(RdmaServerEndpoint<Endpoint> server) {
        try {
            return server.accept();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A list of one buffer: {@code length} bytes of our memory. */
    LinkedList<IbvSge> buffer(int at, int length) {
        IbvSge element = new IbvSge();
        element.setAddr(region.getAddr() + at);
        element.setLength(length);
        element.setLkey(region.getLkey());
        return new LinkedList<>(List.of(element));
    }

    IbvSendWR work(int opcode, LinkedList<IbvSge> buffers) {
        IbvSendWR work = new IwarpSendWr();
        work.setWr_id(opcode);
        work.setOpcode(opcode);
        work.setSend_flags(IbvSendWR.IBV_SEND_SIGNALED);
        work.setSg_list(buffers);
        return work;
    }

    /** Work on the other side's memory. */
    IbvSendWR work(int opcode, LinkedList<IbvSge> buffers, Peer target, int at) {
        IbvSendWR work = work(opcode, buffers);
        work.getRdma().setRemote_addr(target.region.getAddr() + at);
        work.getRdma().setRkey(target.region.getRkey());
        work.getAtomic().setRemote_addr(target.region.getAddr() + at);
        work.getAtomic().setRkey(target.region.getRkey());
        return work;
    }

    void post(IbvSendWR... work) throws IOException {
        endpoint.postSend(List.of(work)).execute().free();
    }

    void postReceive(long id, LinkedList<IbvSge> buffers) throws IOException {
        IbvRecvWR work = new IbvRecvWR();
        work.setWr_id(id);
        work.setSg_list(buffers);
        endpoint.postRecv(List.of(work)).execute().free();
    }

    /** The next completion. */
    IbvWC await() throws IOException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MILLIS);
        while (System.nanoTime() - end < 0) {
            if (poll.execute().getPolls() > 0) {
                return copy();
            }
            Thread.onSpinWait();
        }
        throw new IllegalStateException("no completion in time");
    }

    /** DiSNI's own clone forgets the vendor's error. */
    private IbvWC copy() {
        IbvWC copy = completion.clone();
        copy.setVendor_err(completion.getVendor_err());
        return copy;
    }

    /** Registers the memory once more, for this connection alone. */
    IbvMr registerForConnection() throws IOException {
        IwarpVerbs verbs = (IwarpVerbs) RdmaVerbs.open();
        return verbs.regMrForConnection(endpoint.getQp(), MemorySegment.ofBuffer(memory), ALL_RIGHTS)
                .execute()
                .free()
                .getMr();
    }

    void close() throws IOException, InterruptedException {
        endpoint.close();
        group.close();
    }
}
