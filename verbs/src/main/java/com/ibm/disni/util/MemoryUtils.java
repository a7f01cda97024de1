package com.ibm.disni.util;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.NullMarked;

/** Stands in for DiSNI's class of this name, which casts to a class that the JDK no longer opens. */
@NullMarked
@SuppressWarnings("checkstyle:namesThatSayNothing") // the name is DiSNI's
public final class MemoryUtils {
    private MemoryUtils() {}

    /** The address of a direct buffer's first byte, whatever its position. */
    public static long getAddress(ByteBuffer buffer) {
        return MemorySegment.ofBuffer(buffer.duplicate().clear()).address();
    }
}
