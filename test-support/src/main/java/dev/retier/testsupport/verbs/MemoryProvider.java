package dev.retier.testsupport.verbs;

import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaProvider;
import com.ibm.disni.verbs.RdmaVerbs;

/** DiSNI's provider of one world. */
final class MemoryProvider extends RdmaProvider {
    private static final int VERSION = 21;

    private final RdmaCm cm;
    private final RdmaVerbs verbs;

    MemoryProvider(VerbsWorld world) {
        this.cm = new MemoryCm(world);
        this.verbs = new MemoryVerbs(world);
    }

    @Override
    public RdmaCm openCm() {
        return cm;
    }

    @Override
    public RdmaVerbs openVerbs() {
        return verbs;
    }

    @Override
    public int getVersion() {
        return VERSION;
    }
}
