package dev.retier.link;

import com.ibm.disni.verbs.IbvContext;
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
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/** Both ends of one connection in memory, each with what it was told. Used by one thread. */
final class TwoEnds {
    static final QueuePair.Sizes SIZES = new QueuePair.Sizes(4, 2, 1);
    static final int ENTRIES = 256;

    /** What the clock of {@link #sends} shows. */
    final AtomicLong nanos = new AtomicLong();

    final Completions sends;
    final Completions receives;
    /** Where both of the answering end's queues are. */
    final Completions there;

    final Ear heard = new Ear();
    final Ear heardThere = new Ear();
    final QueuePair asking;
    final QueuePair answering;

    /** Keeps what a queue pair tells, as words. */
    static final class Ear implements QueuePair.Listener {
        final List<String> told = new ArrayList<>();

        @Override
        public void received(byte[] message) {
            told.add("message " + new String(message, StandardCharsets.US_ASCII));
        }

        @Override
        public void immediate(int value) {
            told.add("immediate " + value);
        }

        @Override
        public void broken(String reason) {
            told.add("broken: " + reason);
        }

        @Override
        public void heardOut(int terminateWord) {
            told.add("heard out " + terminateWord);
        }
    }

    /** Connected in {@code world}. */
    TwoEnds(VerbsWorld world) throws IOException {
        this(world, SIZES);
    }

    TwoEnds(VerbsWorld world, QueuePair.Sizes sizes) throws IOException {
        Providers.install(world.provider());
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1001);
        RdmaEventChannel channel = RdmaEventChannel.createEventChannel();
        RdmaCmId listener = channel.createId(RdmaCm.RDMA_PS_TCP);
        listener.bindAddr(address);
        listener.listen(1);
        RdmaCmId id = channel.createId(RdmaCm.RDMA_PS_TCP);
        id.resolveAddr(null, address, 0);
        event(channel);
        IbvContext device = id.getVerbs();
        sends = new Completions(device, ENTRIES, ENTRIES, nanos::get);
        receives = new Completions(device, ENTRIES, ENTRIES);
        there = new Completions(device, ENTRIES, ENTRIES);
        asking = new QueuePair(id, new QueuePair.Queues(sends, receives), sizes, heard);
        PrivateData.pass(new byte[0], id::connect);
        RdmaCmId request = event(channel).getConnIdPriv();
        answering = new QueuePair(request, new QueuePair.Queues(there, there), sizes, heardThere);
        PrivateData.pass(new byte[0], request::accept);
        listener.destroyId();
    }

    /** A device of {@code world}. */
    static IbvContext device(VerbsWorld world) throws IOException {
        Providers.install(world.provider());
        return RdmaEventChannel.createEventChannel()
                .createId(RdmaCm.RDMA_PS_TCP)
                .getVerbs();
    }

    /** The end that asks, as the user of a connection gets it. */
    LinkHost.Ready ready() {
        ByteBuffer digest = ByteBuffer.allocate(Handshake.DIGEST_BYTES);
        Terms terms = new Terms(new Identity(new NodeId(2), 7), Versions.CURRENT, new Right(2, ""), digest, false);
        return new LinkHost.Ready(asking, receives, terms, heard::broken);
    }

    /** A word of the asking end's own. */
    static MemorySegment word() {
        return Arena.ofAuto().allocate(Long.BYTES, Long.BYTES);
    }

    /** A read of {@code remote}, which is registered as {@code theirs}, into new memory. */
    IbvSendWR read(MemorySegment remote, IbvMr theirs) throws IOException {
        return request(IbvSendWR.IBV_WR_RDMA_READ, word(), remote, theirs);
    }

    /** A work request of the asking end on {@code local} and {@code remote} memory. */
    IbvSendWR request(int opcode, MemorySegment local, MemorySegment remote, IbvMr theirs) throws IOException {
        IbvSendWR made = QueuePair.request(opcode, local, asking.register(local, IbvMr.IBV_ACCESS_LOCAL_WRITE));
        made.getRdma().setRemote_addr(remote.address());
        made.getRdma().setRkey(theirs.getRkey());
        return made;
    }

    /** Takes all that has come, at both ends. */
    void drain() throws IOException {
        sends.drain();
        receives.drain();
        there.drain();
    }

    static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static RdmaCmEvent event(RdmaEventChannel channel) throws IOException {
        return Objects.requireNonNull(channel.getCmEvent(0));
    }
}
