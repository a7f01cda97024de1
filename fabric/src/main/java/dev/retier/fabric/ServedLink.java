package dev.retier.fabric;

import dev.retier.fabric.calls.Message;
import dev.retier.fabric.calls.ProtocolError;
import dev.retier.link.Connection;
import dev.retier.link.LinkHost;
import dev.retier.link.NodeId;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/** A connection on which a peer calls this node. Thread-safe. */
final class ServedLink implements Connection, Workers.Client {
    private final LinkHost.Ready ready;
    private final Workers workers;
    private final RingPort port;
    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by lock. */
    private final List<Runnable> whenOver = new ArrayList<>();
    /** Guarded by lock. */
    private boolean over;

    ServedLink(LinkHost.Ready ready, FabricLimits limits, Workers workers) throws IOException {
        this.ready = ready;
        this.workers = workers;
        this.port = new RingPort(ready, limits, this::received);
    }

    RemotePlace ring() {
        return port.place();
    }

    @Override
    public NodeId node() {
        return ready.peer().node();
    }

    @Override
    public boolean isOpen() {
        lock.lock();
        try {
            return !over;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Registration register(MemorySegment memory, Set<MemoryAccess> access) throws IOException {
        if (!isOpen()) {
            throw new IOException("the connection of " + node() + " is over");
        }
        return new Registration(ready.pair(), memory, ready.pair().register(memory, MemoryAccess.flags(access)));
    }

    @Override
    public void whenOver(Runnable action) {
        lock.lock();
        try {
            if (!over) {
                whenOver.add(action);
                return;
            }
        } finally {
            lock.unlock();
        }
        action.run();
    }

    @Override
    public void answer(Message answer) {
        port.send(answer);
    }

    @Override
    public long oldestNanos(long nowNanos) {
        return port.oldestNanos(nowNanos);
    }

    @Override
    public void immediate(int value) {
        port.immediate(value);
    }

    @Override
    public void abort(String reason) {
        List<Runnable> actions;
        lock.lock();
        try {
            over = true;
            actions = List.copyOf(whenOver);
            whenOver.clear();
        } finally {
            lock.unlock();
        }
        port.close();
        workers.gone(this);
        actions.forEach(Runnable::run);
    }

    private void received(Message message) {
        try {
            switch (message.kind()) {
                case OPEN -> opened(message.body());
                case CALL, ONE_WAY -> workers.arrived(this, message);
                case CANCEL -> workers.cancel(this, message.call());
                case ANSWER -> ready.onBroken().accept("it answers, but was not asked");
            }
        } catch (ProtocolError error) {
            ready.onBroken().accept("it breaks the protocol: " + error.getMessage());
        }
    }

    private void opened(byte[] place) {
        if (place.length == RingGrant.PLACE_BYTES) {
            port.connect(RingGrant.decodePlace(ByteBuffer.wrap(place)));
        } else {
            ready.onBroken().accept("it names no place for its answers");
        }
    }
}
