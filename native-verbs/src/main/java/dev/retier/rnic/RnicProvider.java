package dev.retier.rnic;

import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaProvider;
import com.ibm.disni.verbs.RdmaVerbs;

/** DiSNI's verbs over rdma-core. Safe for any thread. */
final class RnicProvider extends RdmaProvider {
    private final Library library;
    private final RnicContexts contexts;

    RnicProvider(Library library) {
        this.library = library;
        this.contexts = new RnicContexts(library);
    }

    @Override
    public RdmaCm openCm() {
        return new RnicCm(library, contexts);
    }

    @Override
    public RdmaVerbs openVerbs() {
        return new RnicVerbs();
    }

    /** Of DiSNI's interface to its own library, which this does not use. */
    @Override
    public int getVersion() {
        return 0;
    }
}
