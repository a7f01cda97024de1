package dev.retier.state.verbs;

import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.atomic.AtomicBoolean;

/** Which provider of DiSNI's verbs API carries the shared state. */
public enum Transport {
    /** retier's own iWARP in user space; needs nothing but TCP. */
    IWARP {
        @Override
        void install() {
            if (INSTALLED.get()) {
                return;
            }
            try {
                Class.forName(SOFT_IWARP).getMethod("install").invoke(null);
                INSTALLED.set(true);
            } catch (ClassNotFoundException | NoSuchMethodException | IllegalAccessException missing) {
                throw new StateException(
                        StateException.Category.FATAL,
                        "transport iwarp: " + SOFT_IWARP + " is not on the class path: add the soft-iwarp module",
                        missing);
            } catch (InvocationTargetException refused) {
                throw new StateException(
                        StateException.Category.FATAL, "transport iwarp: " + refused.getCause(), refused);
            }
        }
    },
    /** DiSNI's own provider for RDMA hardware, Soft-RoCE and siw; needs libdisni on the library path. */
    NATIVE {
        @Override
        void install() {
            // DiSNI takes its native provider by itself when it is first asked.
        }
    };

    private static final AtomicBoolean INSTALLED = new AtomicBoolean();

    private static final String SOFT_IWARP = "dev.retier.iwarp.SoftIwarp";

    /** Makes DiSNI use this provider. Idempotent; called under the lock of {@link VerbsSharedState#open}. */
    abstract void install();
}
