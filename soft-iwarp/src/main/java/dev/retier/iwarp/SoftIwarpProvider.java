package dev.retier.iwarp;

import com.ibm.disni.verbs.RdmaProvider;
import dev.retier.iwarp.verbs.IwarpProvider;
import dev.retier.verbs.VerbsProvider;
import java.io.IOException;

/** Software iWARP as a provider by name, with its defaults as changed by the system properties of the README. */
public final class SoftIwarpProvider implements VerbsProvider {
    /** Its name. */
    public static final String NAME = "iwarp";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String description() {
        return "software iWARP over TCP, on any network interface";
    }

    @Override
    public RdmaProvider open() throws IOException {
        try {
            return SoftIwarp.newDefaultProvider();
        } catch (IllegalStateException wrong) {
            throw new IOException(wrong.getMessage(), wrong);
        }
    }

    @Override
    public boolean isMaker(RdmaProvider provider) {
        return provider instanceof IwarpProvider;
    }
}
