package dev.retier.testsupport.verbs;

import com.ibm.disni.verbs.IbvCompChannel;
import java.io.IOException;

/** A completion channel. Guarded by the world's lock. */
final class MemoryCompChannel extends IbvCompChannel {
    private final VerbsWorld world;
    private int raised;

    MemoryCompChannel(VerbsWorld world, MemoryContext context) throws IOException {
        super(world.nextNumber(), context);
        this.world = world;
    }

    void raise() {
        raised++;
        world.wake();
    }

    boolean take(int timeoutMillis) throws IOException {
        if (!isOpen()) {
            throw new IOException("the completion channel was destroyed");
        }
        boolean there = world.await(() -> raised > 0, timeoutMillis);
        raised -= there ? 1 : 0;
        return there;
    }
}
