package dev.retier.fabric;

import dev.retier.fabric.calls.Message;
import dev.retier.fabric.calls.ProtocolError;
import dev.retier.link.NodeId;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/** Calls of a node to itself: no network, the same rules. Thread-safe. */
final class LocalCalls implements Workers.Client {
    private final NodeId self;
    private final Workers workers;
    final CallPort calls;

    LocalCalls(NodeId self, FabricLimits limits, Workers workers, FabricHost.Shared shared) {
        this.self = self;
        this.workers = workers;
        this.calls = new CallPort(limits, shared, this::send, _ -> {});
    }

    @Override
    public NodeId node() {
        return self;
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public Registration register(MemorySegment memory, Set<MemoryAccess> access) throws IOException {
        throw new IOException("calls of a node to itself come on no connection");
    }

    @Override
    public void whenOver(Runnable action) {
        // A node sees its own end in no other way than everything else in it.
    }

    @Override
    public void answer(Message answer) {
        try {
            calls.answered(answer);
        } catch (ProtocolError error) {
            throw new IllegalStateException("a node answers what it did not ask itself", error);
        }
    }

    private void send(Message message) {
        try {
            switch (message.kind()) {
                case CALL, ONE_WAY -> workers.accept(this, message);
                case CANCEL -> workers.cancel(this, message.call());
                case ANSWER, OPEN -> throw new IllegalStateException("a caller sends no " + message.kind());
            }
        } catch (ProtocolError error) {
            throw new IllegalStateException("a node breaks its own rules", error);
        }
    }
}
