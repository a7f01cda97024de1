package dev.retier.rnic;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.StampedLock;
import java.util.function.BooleanSupplier;

/**
 * Keeps a C object from being freed while another thread uses it. Entering takes some nanoseconds and allocates
 * nothing. Safe for any thread; not reentrant.
 */
final class Usable {
    private final StampedLock lock = new StampedLock();
    private final AtomicBoolean isEnding = new AtomicBoolean();
    private final String name;
    /** Of the write lock, once it has ended. */
    private volatile long ended;

    /** Whether what the object belongs to is still there. */
    private final BooleanSupplier isThere;

    /** Of an object that is called {@code name}. */
    Usable(String name) {
        this(name, () -> true);
    }

    /** Of an object of a device: once the machine has that no more, C may have closed it, and nobody is let in. */
    Usable(String name, RnicContext device) {
        this(name, () -> !device.isGone());
    }

    private Usable(String name, BooleanSupplier isThere) {
        this.name = name;
        this.isThere = isThere;
    }

    /**
     * Begins a use.
     *
     * @return what {@link #leave} needs
     * @throws IOException if the object was destroyed, or is being, or its device was taken away
     */
    long enter() throws IOException {
        if (!isThere.getAsBoolean()) {
            throw new IOException("the device of the " + name + " was taken away");
        }
        // Readers pass a writer that waits: without that, one who enters again and again would keep it waiting.
        long stamp = isEnding.get() ? 0 : lock.tryReadLock();
        if (stamp == 0) {
            throw new IOException("the " + name + " was destroyed");
        }
        return stamp;
    }

    /** Whether it was not destroyed yet, and nobody is about to. */
    boolean isOpen() {
        return !isEnding.get();
    }

    void leave(long stamp) {
        lock.unlockRead(stamp);
    }

    /**
     * Waits until nobody uses it, and lets nobody use it again. Whoever gets true destroys it.
     *
     * @return whether this was the first call
     */
    boolean end() {
        if (!isEnding.compareAndSet(false, true)) {
            return false;
        }
        ended = lock.writeLock();
        return true;
    }

    /** Takes the first {@link #end} back, by the caller that got true: the object could not be destroyed. */
    void resume() {
        isEnding.set(false);
        lock.unlockWrite(ended);
    }

    /** What is done while the object stays. */
    @FunctionalInterface
    interface Use<T> {
        /** Does it. */
        T run() throws IOException;
    }

    /**
     * Uses it once, for what is not done at each message.
     *
     * @throws IOException as {@link #enter} and {@code use} do
     */
    <T> T during(Use<T> use) throws IOException {
        long stamp = enter();
        try {
            return use.run();
        } finally {
            leave(stamp);
        }
    }
}
