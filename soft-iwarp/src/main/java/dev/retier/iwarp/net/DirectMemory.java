package dev.retier.iwarp.net;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import org.jspecify.annotations.Nullable;

/** How much direct memory this JVM gives in all. */
final class DirectMemory {
    private static final long LIMIT_BYTES = limit();

    private DirectMemory() {}

    /** {@code -XX:MaxDirectMemorySize}, or what the JVM takes where that is not set: as much as its heap may have. */
    static long limitBytes() {
        return LIMIT_BYTES;
    }

    private static long limit() {
        HotSpotDiagnosticMXBean virtualMachine = bean();
        long set = 0;
        if (virtualMachine != null) {
            try {
                set = Long.parseLong(
                        virtualMachine.getVMOption("MaxDirectMemorySize").getValue());
            } catch (IllegalArgumentException _) {
                set = 0; // a JVM without this option
            }
        }
        return set > 0 ? set : Runtime.getRuntime().maxMemory();
    }

    private static @Nullable HotSpotDiagnosticMXBean bean() {
        return ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    }
}
