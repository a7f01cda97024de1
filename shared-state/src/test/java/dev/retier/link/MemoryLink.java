package dev.retier.link;

import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaEventChannel;
import dev.retier.link.auth.Handshake;
import dev.retier.link.auth.Identity;
import dev.retier.link.auth.Right;
import dev.retier.link.auth.Terms;
import dev.retier.link.auth.Versions;
import dev.retier.testsupport.verbs.VerbsWorld;
import dev.retier.verbs.Providers;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Both ends of one connection in memory, as if each had proven the secret. Used by one thread. */
public final class MemoryLink {
    private static final int ENTRIES = 4096;
    private static final QueuePair.Sizes SIZES = new QueuePair.Sizes(32, 8, 1);

    private final List<String> broken = new ArrayList<>();
    private final Operations operations;
    private final Completions receives;
    private final QueuePair asking;
    private final QueuePair answering;
    private final Identity peer;

    /** Connects a new pair in {@code world}, whose answering end is {@code peer}. */
    public MemoryLink(VerbsWorld world, Identity peer) throws IOException {
        this(operations(world, LinkConfig.Pace.byHand(() -> 0)), peer);
    }

    /** The same; what the asking end posts completes in {@code operations}, of which a node has one. */
    public MemoryLink(Operations operations, Identity peer) throws IOException {
        this.operations = operations;
        this.peer = peer;
        InetSocketAddress address = new InetSocketAddress(
                InetAddress.getLoopbackAddress(), 1000 + peer.node().value());
        RdmaEventChannel channel = RdmaEventChannel.createEventChannel();
        RdmaCmId listener = channel.createId(RdmaCm.RDMA_PS_TCP);
        listener.bindAddr(address);
        listener.listen(1);
        RdmaCmId id = channel.createId(RdmaCm.RDMA_PS_TCP);
        id.resolveAddr(null, address, 0);
        event(channel);
        receives = new Completions(id.getVerbs(), ENTRIES, ENTRIES);
        asking = new QueuePair(id, new QueuePair.Queues(operations.completions(), receives), SIZES, new Ear());
        PrivateData.pass(new byte[0], id::connect);
        RdmaCmId request = event(channel).getConnIdPriv();
        answering = new QueuePair(request, new QueuePair.Queues(receives, receives), SIZES, new Ear());
        PrivateData.pass(new byte[0], request::accept);
        listener.destroyId();
    }

    /** The queue of one node in {@code world}, by whose clock it is awaited. */
    public static Operations operations(VerbsWorld world, LinkConfig.Pace pace) throws IOException {
        Providers.install(world.provider());
        RdmaCmId id = RdmaEventChannel.createEventChannel().createId(RdmaCm.RDMA_PS_TCP);
        return new Operations(new Completions(id.getVerbs(), ENTRIES, ENTRIES), pace);
    }

    /** The end that asks, as the user of a connection gets it. */
    public LinkHost.Ready ready() {
        return ready(Versions.CURRENT);
    }

    /** The same; the peer speaks {@code version}. */
    public LinkHost.Ready ready(int version) {
        ByteBuffer digest = ByteBuffer.allocate(Handshake.DIGEST_BYTES);
        Terms terms = new Terms(peer, version, new Right(2, ""), digest, false);
        return new LinkHost.Ready(asking, receives, terms, broken::add);
    }

    /** The end at whose memory something is done. */
    public QueuePair answering() {
        return answering;
    }

    /** Why the connection was given up, each time that somebody wanted that. */
    public List<String> broken() {
        return broken;
    }

    /** Writes eight bytes of zeroes at the answering end; whether that was let happen. */
    public boolean write(long address, int key) throws IOException {
        MemorySegment memory = Arena.ofAuto().allocate(Long.BYTES, Long.BYTES);
        IbvMr registration = asking.register(memory, IbvMr.IBV_ACCESS_LOCAL_WRITE);
        IbvSendWR write = QueuePair.request(IbvSendWR.IBV_WR_RDMA_WRITE, memory, registration);
        write.getRdma().setRemote_addr(address);
        write.getRdma().setRkey(key);
        write.setWr_id(operations.completions().nextId());
        List<Boolean> endings = new ArrayList<>();
        operations.completions().expect(write.getWr_id(), (success, _) -> endings.add(success));
        asking.post(List.of(write));
        operations.completions().drain();
        return endings.equals(List.of(true));
    }

    private static RdmaCmEvent event(RdmaEventChannel channel) throws IOException {
        RdmaCmEvent event = Objects.requireNonNull(channel.getCmEvent(0));
        while (EventTypes.of(event) == RdmaCmEvent.EventType.RDMA_CM_EVENT_ROUTE_RESOLVED) {
            event = Objects.requireNonNull(channel.getCmEvent(0));
        }
        return event;
    }

    private final class Ear implements QueuePair.Listener {
        @Override
        public void received(byte[] message) {
            broken.add("an unexpected message");
        }

        @Override
        public void immediate(int value) {
            broken.add("an unexpected immediate");
        }

        @Override
        public void broken(String reason) {
            broken.add(reason);
        }
    }
}
