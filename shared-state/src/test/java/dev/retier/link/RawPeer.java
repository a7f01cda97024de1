package dev.retier.link;

import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmEvent.EventType;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaEventChannel;
import dev.retier.link.auth.BadMessage;
import dev.retier.link.auth.ClusterSecret;
import dev.retier.link.auth.Handshake;
import dev.retier.link.auth.Identity;
import dev.retier.link.auth.Initiator;
import dev.retier.link.auth.Offer;
import dev.retier.link.auth.Right;
import dev.retier.link.auth.Secrets;
import dev.retier.link.auth.Versions;
import dev.retier.state.slot.SlotGrant;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Somebody who speaks verbs to a node and keeps to no rule. Used by one thread. */
public final class RawPeer implements AutoCloseable, QueuePair.Listener {
    private static final int WAIT_MILLIS = 30_000;
    private static final int TURN_MILLIS = 50;

    private final RdmaEventChannel channel = RdmaEventChannel.createEventChannel();
    private final RdmaCmId id = channel.createId(RdmaCm.RDMA_PS_TCP);
    private final List<byte[]> received = new ArrayList<>();
    private final MemorySegment memory = Arena.ofAuto().allocate(Long.BYTES, Long.BYTES);
    private final Completions source;
    private final QueuePair pair;
    private boolean broken;

    public RawPeer(InetSocketAddress address) throws IOException {
        id.resolveAddr(null, address, WAIT_MILLIS);
        event();
        id.resolveRoute(WAIT_MILLIS);
        event();
        source = new Completions(id.getVerbs(), 64, 64);
        pair = new QueuePair(id, new QueuePair.Queues(source, source), new QueuePair.Sizes(8, 4, 1), this);
    }

    /** Connects with that greeting; the challenge, or null if it was turned away. */
    public byte @Nullable [] greet(byte[] hello) throws IOException {
        PrivateData.pass(hello, id::connect);
        RdmaCmEvent answer = event();
        return EventTypes.of(answer) == EventType.RDMA_CM_EVENT_ESTABLISHED ? PrivateData.of(answer) : null;
    }

    /** As a member that speaks the present handshake begins one. */
    public static Initiator initiator(ClusterSecret secret, NodeId node, NodeId called) {
        Offer offer = new Offer(
                new Identity(node, 77),
                Secrets.only(secret),
                Versions.spoken(false),
                List.of(new Right(2, "")),
                ByteBuffer.allocate(Handshake.DIGEST_BYTES));
        return new Initiator(offer, new Initiator.Try(Versions.CURRENT, secret), called);
    }

    /** Goes through the whole handshake as {@code node}. */
    public SlotGrant prove(ClusterSecret secret, NodeId node, NodeId called) throws IOException {
        Initiator initiator = initiator(secret, node, called);
        byte[] challenge = Objects.requireNonNull(greet(initiator.hello(nonce())));
        try {
            send(ByteBuffer.wrap(initiator.challenged(challenge)));
            return SlotGrant.decode(
                    initiator.welcomed(Objects.requireNonNull(message())).grant());
        } catch (BadMessage refusal) {
            throw new IOException(refusal);
        }
    }

    public void send(ByteBuffer message) throws IOException {
        pair.send(message);
    }

    /** The next message; null if the connection ends first. */
    public byte @Nullable [] message() throws IOException {
        while (received.isEmpty() && !broken) {
            source.arm();
            source.drain();
            if (received.isEmpty() && !broken) {
                source.await(TURN_MILLIS);
            }
        }
        return received.isEmpty() ? null : received.removeFirst();
    }

    /** Writes eight bytes of zeroes; whether the node let that happen. */
    public boolean write(long address, int key) throws IOException {
        IbvSendWR write = request(IbvSendWR.IBV_WR_RDMA_WRITE);
        write.getRdma().setRemote_addr(address);
        write.getRdma().setRkey(key);
        IbvSendWR read = request(IbvSendWR.IBV_WR_RDMA_READ);
        write.setSend_flags(0);
        read.getRdma().setRemote_addr(address);
        read.getRdma().setRkey(key);
        return carriesOut(List.of(write, read));
    }

    /** Swaps {@code expected} for zero; whether the node let that happen. */
    public boolean swap(long address, int key, long expected) throws IOException {
        IbvSendWR swap = request(IbvSendWR.IBV_WR_ATOMIC_CMP_AND_SWP);
        swap.getAtomic().setRemote_addr(address);
        swap.getAtomic().setRkey(key);
        swap.getAtomic().setCompare_add(expected);
        return carriesOut(List.of(swap));
    }

    private IbvSendWR request(int opcode) throws IOException {
        IbvMr registration = pair.register(memory, IbvMr.IBV_ACCESS_LOCAL_WRITE);
        return QueuePair.request(opcode, memory, registration);
    }

    private boolean carriesOut(List<IbvSendWR> requests) throws IOException {
        AtomicReference<@Nullable Boolean> ending = new AtomicReference<>();
        long workId = source.nextId();
        source.expect(workId, (success, _) -> ending.set(success));
        requests.forEach(request -> request.setWr_id(workId));
        pair.post(requests);
        while (ending.get() == null) {
            source.arm();
            source.drain();
            if (ending.get() == null) {
                source.await(TURN_MILLIS);
            }
        }
        return Objects.requireNonNull(ending.get());
    }

    private RdmaCmEvent event() throws IOException {
        return Objects.requireNonNull(channel.getCmEvent(WAIT_MILLIS));
    }

    @Override
    public void received(byte[] message) {
        received.add(message);
    }

    @Override
    public void immediate(int value) {
        throw new AssertionError("a node announces nothing to those that see it");
    }

    @Override
    public void broken(String reason) {
        broken = true;
    }

    @Override
    public void close() throws IOException {
        pair.destroy();
        source.destroy();
        channel.destroyEventChannel();
    }

    /** Never the same. */
    private static byte[] nonce() {
        byte[] nonce = new byte[16];
        ThreadLocalRandom.current().nextBytes(nonce);
        return nonce;
    }
}
