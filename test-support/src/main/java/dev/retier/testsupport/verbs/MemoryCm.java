package dev.retier.testsupport.verbs;

import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvQPInitAttr;
import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmEvent.EventType;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaConnParam;
import com.ibm.disni.verbs.RdmaEventChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** DiSNI's connection manager in one world. */
final class MemoryCm extends RdmaCm {
    private final VerbsWorld world;

    MemoryCm(VerbsWorld world) {
        this.world = world;
    }

    private interface Call<T extends @Nullable Object> {
        T run() throws IOException;
    }

    private <T extends @Nullable Object> T call(String name, Call<T> body) throws IOException {
        world.lock.lock();
        try {
            world.check(name);
            return body.run();
        } finally {
            world.lock.unlock();
        }
    }

    private static MemoryCmId open(RdmaCmId id) throws IOException {
        if (!id.isOpen()) {
            throw new IOException("the identifier was destroyed");
        }
        return (MemoryCmId) id;
    }

    @Override
    public RdmaEventChannel createEventChannel() throws IOException {
        return call("createEventChannel", () -> {
            world.opened("createEventChannel");
            return new MemoryChannel(world);
        });
    }

    @Override
    public RdmaCmId createId(RdmaEventChannel channel, short portSpace) throws IOException {
        return call("createId", () -> {
            world.opened("createId");
            return new MemoryCmId(world, (MemoryChannel) channel, world.nextSource());
        });
    }

    @Override
    public IbvQP createQP(RdmaCmId id, IbvPd pd, IbvQPInitAttr attributes) throws IOException {
        return call("createQP", () -> {
            world.opened("createQP");
            MemoryQp pair = new MemoryQp(world, open(id), (MemoryPd) pd, attributes);
            open(id).use(pair);
            world.pairs().add(pair);
            return pair;
        });
    }

    @Override
    public void bindAddr(RdmaCmId id, SocketAddress address) throws IOException {
        call("bindAddr", () -> {
            if (world.listeners().containsKey((InetSocketAddress) address)) {
                throw new IOException("address already in use");
            }
            open(id).bind((InetSocketAddress) address);
            return id;
        });
    }

    @Override
    public void listen(RdmaCmId id, int backlog) throws IOException {
        call("listen", () -> world.listeners().put(open(id).source(), open(id)));
    }

    @Override
    public void resolveAddr(RdmaCmId id, @Nullable SocketAddress source, SocketAddress destination, int timeoutMillis)
            throws IOException {
        call("resolveAddr", () -> {
            world.asked(source);
            if (!open(id).isAnswered("resolveAddr")) {
                open(id).resolve((InetSocketAddress) destination);
            }
            return id;
        });
    }

    @Override
    public void resolveRoute(RdmaCmId id, int timeoutMillis) throws IOException {
        call("resolveRoute", () -> {
            if (!open(id).isAnswered("resolveRoute")) {
                open(id).raise(EventType.RDMA_CM_EVENT_ROUTE_RESOLVED, new byte[0]);
            }
            return id;
        });
    }

    @Override
    public @Nullable RdmaCmEvent getCmEvent(RdmaEventChannel channel, int timeoutMillis) throws IOException {
        return this.<@Nullable RdmaCmEvent>call("getCmEvent", () -> ((MemoryChannel) channel).next(timeoutMillis));
    }

    @Override
    public void connect(RdmaCmId id, @Nullable RdmaConnParam parameters) throws IOException {
        call("connect", () -> {
            if (!open(id).isAnswered("connect")) {
                open(id).connect(MemoryEvent.bytes(parameters));
            }
            return id;
        });
    }

    @Override
    public void accept(RdmaCmId id, @Nullable RdmaConnParam parameters) throws IOException {
        call("accept", () -> {
            open(id).accept(MemoryEvent.bytes(parameters));
            return id;
        });
    }

    @Override
    public int ackCmEvent(RdmaCmEvent event) {
        world.lock.lock();
        try {
            world.closed("getCmEvent");
            return 0;
        } finally {
            world.lock.unlock();
        }
    }

    @Override
    public int disconnect(RdmaCmId id) throws IOException {
        return call("disconnect", () -> {
            MemoryQp pair = open(id).pair();
            if (pair != null) {
                pair.end(0, true);
            }
            return 0;
        });
    }

    @Override
    public int destroyEventChannel(RdmaEventChannel channel) throws IOException {
        return call("destroyEventChannel", () -> {
            world.closed("createEventChannel");
            channel.close();
            return 0;
        });
    }

    @Override
    public int destroyCmId(RdmaCmId id) throws IOException {
        return call("destroyId", () -> {
            open(id).destroy();
            world.closed("createId");
            return 0;
        });
    }

    @Override
    public int destroyQP(RdmaCmId id) throws IOException {
        return call("destroyQP", () -> {
            MemoryQp pair = open(id).pair();
            if (pair == null || !pair.isOpen()) {
                throw new IOException("there is no queue pair to destroy");
            }
            pair.end(0, true);
            pair.close();
            world.pairs().remove(pair);
            world.closed("createQP");
            return 0;
        });
    }

    @Override
    public SocketAddress getSrcAddr(RdmaCmId id) throws IOException {
        return call("getSrcAddr", () -> ((MemoryCmId) id).source());
    }

    @Override
    public @Nullable SocketAddress getDstAddr(RdmaCmId id) throws IOException {
        return this.<@Nullable SocketAddress>call("getDstAddr", () -> ((MemoryCmId) id).destination());
    }

    @Override
    public int destroyEp(RdmaCmId id) throws IOException {
        if (((MemoryCmId) id).pair() != null) {
            destroyQP(id);
        }
        return destroyCmId(id);
    }
}
