package dev.retier.volume.serve;

import dev.retier.volume.config.Care;
import dev.retier.volume.config.Limits;
import dev.retier.volume.config.Times;
import dev.retier.volume.disk.Pool;
import java.io.IOException;

/** What does what clients of a pool ask for, however they are connected. Thread-safe. */
final class Workings implements AutoCloseable {
    private final Pool pool;
    final Tally tally;
    final DiskThreads threads;
    final Uses uses;
    final Management management;
    final Service service;
    private final Flusher flusher;

    /** How it does it. */
    record Settings(Limits limits, Times times, Care care) {}

    /** Of a pool that is the caller's, to be closed afterwards. */
    Workings(Pool pool, Settings settings, Tally tally, Means means) {
        this.pool = pool;
        this.tally = tally;
        this.threads = new DiskThreads(settings.limits.diskThreads(), settings.limits.slotBytes(), means);
        this.flusher = new Flusher(pool::flush, tally, means.threads());
        this.uses = new Uses(pool, settings.times, tally, new Opener(pool, threads, settings.care), means.clock());
        this.management = new Management(pool, uses, tally, means.clock());
        Service.Flushes flushes = new Service.Flushes(flusher, settings.care.forcesAll());
        this.service = new Service(management, uses, threads, flushes, tally);
    }

    /**
     * With no client any more: returns when nothing of theirs is under way, whoever interrupts. What was answered is on
     * the disk then.
     */
    @Override
    public void close() throws IOException {
        boolean isInterrupted = Thread.interrupted();
        isInterrupted |= ended(management::close);
        isInterrupted |= ended(threads::close);
        isInterrupted |= ended(flusher::close);
        try {
            pool.flush(); // never by a thread that is interrupted, as that closes the files
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** What is waited for, as often as it is interrupted. */
    interface Wait {
        void run() throws InterruptedException;
    }

    /** Waits for it; whether somebody interrupted. */
    static boolean ended(Wait wait) {
        boolean isInterrupted = false;
        while (true) {
            try {
                wait.run();
                return isInterrupted;
            } catch (InterruptedException interrupted) {
                isInterrupted = true;
            }
        }
    }
}
