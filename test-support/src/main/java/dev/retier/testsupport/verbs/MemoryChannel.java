package dev.retier.testsupport.verbs;

import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaEventChannel;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Events of the connection manager. Guarded by the world's lock. */
final class MemoryChannel extends RdmaEventChannel {
    private final VerbsWorld world;
    private final MemoryContext context;
    private final Deque<RdmaCmEvent> events = new ArrayDeque<>();

    MemoryChannel(VerbsWorld world) throws IOException {
        super(world.nextNumber());
        this.world = world;
        this.context = new MemoryContext(world);
    }

    MemoryContext context() {
        return context;
    }

    void add(RdmaCmEvent event) {
        events.add(event);
        world.wake();
    }

    @Nullable
    RdmaCmEvent next(int timeoutMillis) throws IOException {
        if (!isOpen()) {
            throw new IOException("the event channel was destroyed");
        }
        world.waits(timeoutMillis);
        if (world.await(() -> !events.isEmpty(), timeoutMillis)) {
            world.opened("getCmEvent");
        }
        return events.poll();
    }
}
