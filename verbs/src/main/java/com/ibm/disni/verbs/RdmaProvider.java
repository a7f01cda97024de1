package com.ibm.disni.verbs;

import dev.retier.verbs.Providers;
import java.io.IOException;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Stands in for DiSNI's class of this name when our jar comes first on the class path, and adds the choice that DiSNI
 * lacks: the system property {@code retier.rdma.provider} names any {@link dev.retier.verbs.VerbsProvider} on the class
 * path, as {@code iwarp} (the default) or {@code native}.
 */
@NullMarked
public abstract class RdmaProvider {
    /** The name is DiSNI's: {@link Providers#install} sets it whichever of the two classes is loaded. */
    private static volatile @Nullable RdmaProvider provider;

    /** For providers. */
    protected RdmaProvider() {}

    /**
     * The provider of this process, made on the first call.
     *
     * @throws IOException if the property names none that is there, or what it needs is missing
     */
    public static RdmaProvider provider() throws IOException {
        RdmaProvider used = provider;
        return used == null ? Providers.provider() : used;
    }

    /**
     * The connection manager.
     *
     * @throws IOException if there is none
     */
    public abstract RdmaCm openCm() throws IOException;

    /**
     * The verbs.
     *
     * @throws IOException if there are none
     */
    public abstract RdmaVerbs openVerbs() throws IOException;

    /** The version of the interface to libdisni. */
    public abstract int getVersion();
}
