package dev.retier.link;

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
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;

/** Somebody without a keeper, who connects to a node and goes through the handshake message by message. */
final class Stranger implements QueuePair.Listener {
    private final RdmaEventChannel channel = RdmaEventChannel.createEventChannel();
    private final RdmaCmId id = channel.createId(RdmaCm.RDMA_PS_TCP);
    private final Initiator initiator;
    private final byte[] hello;
    private final Completions queue;
    private final QueuePair pair;
    final List<byte[]> received = new ArrayList<>();
    boolean broken;

    /** Says to be {@code self} and calls {@code called} at {@code address} in {@code version}. */
    Stranger(Identity self, int version, ClusterSecret secret, NodeId called, InetSocketAddress address)
            throws IOException {
        Offer offer = new Offer(
                self,
                Secrets.only(secret),
                new Versions(version, version),
                List.of(new Right(2, "")),
                ByteBuffer.allocate(Handshake.DIGEST_BYTES));
        initiator = new Initiator(offer, new Initiator.Try(version, secret), called);
        hello = initiator.hello(nonce());
        id.resolveAddr(null, address, 0);
        event();
        queue = new Completions(id.getVerbs(), 64, 64);
        pair = new QueuePair(id, new QueuePair.Queues(queue, queue), TwoEnds.SIZES, this);
    }

    /** Connects with its first message; with nothing if {@code silent}. */
    void greet(boolean silent) throws IOException {
        PrivateData.pass(silent ? new byte[0] : hello, id::connect);
    }

    /** Answers the challenge, which must have come. */
    void prove() throws IOException {
        RdmaCmEvent answer = event();
        if (EventTypes.of(answer) != EventType.RDMA_CM_EVENT_ESTABLISHED) {
            throw new IOException("it was not let in");
        }
        try {
            pair.send(ByteBuffer.wrap(initiator.challenged(PrivateData.of(answer))));
        } catch (BadMessage refusal) {
            throw new IOException(refusal);
        }
    }

    /** Ends the connection. */
    void leave() {
        pair.destroy();
    }

    /** Takes what has come. */
    void listen() throws IOException {
        queue.drain();
    }

    private RdmaCmEvent event() throws IOException {
        return Objects.requireNonNull(channel.getCmEvent(0));
    }

    @Override
    public void received(byte[] message) {
        received.add(message);
    }

    @Override
    public void immediate(int value) {
        throw new AssertionError("a node announces nothing to a stranger");
    }

    @Override
    public void broken(String reason) {
        broken = true;
    }

    /** Never the same. */
    private static byte[] nonce() {
        byte[] nonce = new byte[16];
        ThreadLocalRandom.current().nextBytes(nonce);
        return nonce;
    }
}
