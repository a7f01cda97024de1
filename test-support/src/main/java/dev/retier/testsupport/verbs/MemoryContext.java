package dev.retier.testsupport.verbs;

import com.ibm.disni.verbs.IbvContext;
import java.io.IOException;

/** The device of one event channel. */
final class MemoryContext extends IbvContext {
    MemoryContext(VerbsWorld world) throws IOException {
        super(world.nextNumber(), 1);
    }
}
