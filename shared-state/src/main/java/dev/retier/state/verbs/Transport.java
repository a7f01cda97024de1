package dev.retier.state.verbs;

import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Which provider of DiSNI's verbs API carries the shared state. */
public enum Transport {
    /** retier's own iWARP in user space; needs nothing but TCP. */
    IWARP {
        @Override
        void install() {
            try {
                Class.forName(SOFT_IWARP).getMethod("install").invoke(null);
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

    private static final String SOFT_IWARP = "dev.retier.iwarp.SoftIwarp";
    private static final ReentrantLock INSTALLING = new ReentrantLock();

    /** Guarded by INSTALLING: what this process uses; DiSNI has room for one provider. */
    private static @Nullable Transport installed;

    /**
     * Makes DiSNI use this provider, for the whole process.
     *
     * @throws StateException if the provider is not there, or the process already uses another one
     */
    public final void installOnce() {
        INSTALLING.lock();
        try {
            if (installed == null) {
                install();
                installed = this;
            } else if (installed != this) {
                throw new StateException(
                        StateException.Category.FATAL,
                        "transport " + this + ": this process already uses " + installed + "; use one for all nodes");
            }
        } finally {
            INSTALLING.unlock();
        }
    }

    abstract void install();
}
