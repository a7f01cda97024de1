package dev.retier.cli.lab;

import dev.retier.cli.TerminationSignal;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Removes the lab that a command makes when that ends, in whatever way, so it is for a command that found none: a
 * request to end the process interrupts the thread that made the guard and waits until it has closed it. Used by that
 * thread alone.
 */
final class LabGuard implements AutoCloseable {
    private static final long CLOSE_SECONDS = 40;

    private final Lab lab;
    private final CountDownLatch closed = new CountDownLatch(1);
    private boolean isKept;

    private LabGuard(Lab lab) {
        this.lab = lab;
    }

    static LabGuard of(Lab lab) {
        LabGuard guard = new LabGuard(lab);
        Thread owner = Thread.currentThread();
        TerminationSignal.onTermination(() -> guard.awaitClosed(owner));
        return guard;
    }

    /** The lab is to outlive the command. */
    void keep() {
        isKept = true;
    }

    @Override
    public void close() {
        try {
            if (!isKept) {
                lab.down();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LabException("interrupted: parts of the lab are left; remove them with ./retier lab down");
        } finally {
            closed.countDown();
        }
    }

    private void awaitClosed(Thread owner) {
        if (closed.getCount() == 0) {
            return;
        }
        owner.interrupt();
        try {
            if (!closed.await(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                System.err.println("retier: parts of the lab are left; remove them with ./retier lab down");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
