package dev.retier.testsupport.verbs;

import com.ibm.disni.verbs.RdmaCmEvent.EventType;
import com.ibm.disni.verbs.RdmaCmId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** A listener, or one end of a connection. Guarded by the world's lock. */
final class MemoryCmId extends RdmaCmId {
    private final VerbsWorld world;
    private final MemoryChannel channel;
    private InetSocketAddress source;
    private @Nullable InetSocketAddress destination;
    private @Nullable MemoryQp pair;
    /** Of a request that came here: who asks. */
    private @Nullable MemoryCmId asking;

    private boolean answered;

    MemoryCmId(VerbsWorld world, MemoryChannel channel, InetSocketAddress source) throws IOException {
        super(channel, channel.context());
        this.world = world;
        this.channel = channel;
        this.source = source;
    }

    /** Whether the test has said what comes of {@code call}; then that has come. */
    boolean isAnswered(String call) {
        EventType answer = world.takeAnswer(call);
        if (answer != null) {
            raise(answer, new byte[0]);
        }
        return answer != null;
    }

    void bind(InetSocketAddress address) {
        source = address;
    }

    void resolve(InetSocketAddress address) {
        destination = address;
        raise(EventType.RDMA_CM_EVENT_ADDR_RESOLVED, new byte[0]);
    }

    InetSocketAddress source() {
        return source;
    }

    boolean isBetween(MemoryCmId listener, InetSocketAddress address) {
        return asking == null && channel.equals(listener.channel) && address.equals(destination);
    }

    @Nullable
    InetSocketAddress destination() {
        return destination;
    }

    @Nullable
    MemoryQp pair() {
        return pair;
    }

    void use(MemoryQp made) {
        pair = made;
        setQp(made);
    }

    void raise(EventType type, byte[] data) {
        raise(type, null, this, data);
    }

    private void raise(EventType type, @Nullable RdmaCmId listener, RdmaCmId id, byte[] data) {
        try {
            channel.add(new MemoryEvent(type, listener, id, data));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    void connect(byte[] data) throws IOException {
        if (pair == null || destination == null) {
            throw new IOException("resolve the address and create a queue pair before connecting");
        }
        world.deliver(Kind.CONNECT, () -> request(data));
    }

    private void request(byte[] data) {
        MemoryCmId listener = world.listeners().get(destination);
        if (!isOpen()) {
            return;
        }
        if (listener == null || !listener.isOpen()) {
            rejected();
            return;
        }
        try {
            MemoryCmId request = new MemoryCmId(world, listener.channel, listener.source);
            world.opened("createId");
            request.destination = source;
            request.asking = this;
            listener.raise(EventType.RDMA_CM_EVENT_CONNECT_REQUEST, listener, request, data);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    void accept(byte[] data) throws IOException {
        MemoryCmId other = asking;
        MemoryQp mine = pair;
        if (other == null || mine == null || answered) {
            throw new IOException("nothing to accept, or no queue pair");
        }
        answered = true;
        MemoryQp theirs = other.pair;
        if (theirs != null && other.isOpen()) {
            MemoryQp.connect(mine, theirs);
            raise(EventType.RDMA_CM_EVENT_ESTABLISHED, new byte[0]);
            world.deliver(Kind.ANSWER, () -> other.raise(EventType.RDMA_CM_EVENT_ESTABLISHED, data));
        } else {
            raise(EventType.RDMA_CM_EVENT_DISCONNECTED, new byte[0]);
        }
    }

    private void rejected() {
        world.deliver(Kind.ANSWER, () -> {
            raise(EventType.RDMA_CM_EVENT_REJECTED, new byte[0]);
            raise(EventType.RDMA_CM_EVENT_DISCONNECTED, new byte[0]);
        });
    }

    void destroy() {
        close();
        world.listeners().remove(source, this);
        MemoryCmId other = asking;
        if (other != null && !answered && other.isOpen()) {
            answered = true;
            other.rejected();
        }
        MemoryQp mine = pair;
        if (mine != null) {
            mine.end(0, true);
        }
    }
}
