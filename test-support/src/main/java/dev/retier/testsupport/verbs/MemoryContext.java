package dev.retier.testsupport.verbs;

import com.ibm.disni.verbs.IbvContext;
import dev.retier.verbs.DeviceAttributes;
import java.io.IOException;

/** The device of one event channel. */
final class MemoryContext extends IbvContext implements DeviceAttributes {
    private final VerbsWorld world;

    MemoryContext(VerbsWorld world) throws IOException {
        super(world.nextNumber(), 1);
        this.world = world;
    }

    @Override
    public String deviceName() {
        return "memory";
    }

    @Override
    public int maxCompletions() {
        return world.completionQueueLimit();
    }

    @Override
    public int maxWork() {
        return Integer.MAX_VALUE;
    }

    @Override
    public int maxElements() {
        return world.elementLimit();
    }

    @Override
    public int maxReadElements() {
        return world.readElementLimit();
    }

    @Override
    public boolean hasAtomics() {
        return world.hasAtomics();
    }

    @Override
    public boolean hasImmediates() {
        return world.hasImmediates();
    }

    @Override
    public boolean excludesProcessors() {
        return world.excludesProcessors();
    }

    @Override
    public boolean tellsTerminates() {
        return true;
    }
}
