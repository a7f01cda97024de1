package com.ibm.disni.util;

import org.jspecify.annotations.NullMarked;

/**
 * Stands in for DiSNI's class of this name, which cannot be loaded without a library of DiSNI's own. Threads run where
 * the system puts them.
 */
@NullMarked
public final class NativeAffinity {
    private NativeAffinity() {}

    /** Leaves the calling thread where it is. */
    public static void setAffinity(long affinity) {
        // nobody's threads are bound here
    }

    /** No mask. */
    public static long getAffinity() {
        return 0;
    }
}
