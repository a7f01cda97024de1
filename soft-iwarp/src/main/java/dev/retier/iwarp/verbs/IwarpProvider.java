package dev.retier.iwarp.verbs;

import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaProvider;
import com.ibm.disni.verbs.RdmaVerbs;
import java.io.IOException;

/** DiSNI's provider interface over software iWARP. Safe for any thread. */
public final class IwarpProvider extends RdmaProvider {
    /** The version of libdisni's interface that this behaves like. */
    private static final int VERSION = 21;

    private final IwarpCm cm;
    private final IwarpVerbs verbs;

    /** A provider of the devices that {@code devices} hands out. */
    public IwarpProvider(Devices devices) {
        this.cm = new IwarpCm(devices);
        this.verbs = new IwarpVerbs();
    }

    @Override
    public RdmaCm openCm() throws IOException {
        return cm;
    }

    @Override
    public RdmaVerbs openVerbs() throws IOException {
        return verbs;
    }

    @Override
    public int getVersion() {
        return VERSION;
    }
}
