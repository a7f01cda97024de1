package com.ibm.disni.util;

import dev.retier.verbs.NativeProvider;
import dev.retier.verbs.Providers;
import org.jspecify.annotations.NullMarked;

/**
 * Stands in for DiSNI's class of this name, which cannot be loaded without libdisni. With the {@code native} provider
 * it is the same; otherwise threads run where the system puts them.
 */
@NullMarked
@SuppressWarnings("restricted") // loads libdisni, as DiSNI does
public final class NativeAffinity {
    private static final boolean NATIVE = Providers.chosen().equals(NativeProvider.NAME);

    static {
        if (NATIVE) {
            System.loadLibrary("disni");
        }
    }

    private NativeAffinity() {}

    /** Binds the calling thread to the processors of a mask; 0 and less leave it alone, as does software iWARP. */
    public static void setAffinity(long affinity) {
        if (NATIVE && affinity > 0) {
            _setAffinity(affinity);
        }
    }

    /** The calling thread's mask; 0, for none, on software iWARP. */
    public static long getAffinity() {
        return NATIVE ? _getAffinity() : 0;
    }

    @SuppressWarnings("checkstyle:MethodName") // the name that libdisni exports
    private static native void _setAffinity(long affinity);

    @SuppressWarnings("checkstyle:MethodName") // the name that libdisni exports
    private static native long _getAffinity();
}
