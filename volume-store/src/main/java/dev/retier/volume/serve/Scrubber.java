package dev.retier.volume.serve;

import dev.retier.volume.config.Care;
import dev.retier.volume.disk.Pool;
import dev.retier.volume.disk.Scrub;
import dev.retier.volume.pool.Catalogue;
import dev.retier.volume.pool.Geometry;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads all that a pool keeps, from time to time and at its own pace, to prove it. A thread of its own. */
final class Scrubber {
    private static final Logger LOG = LoggerFactory.getLogger(Scrubber.class);
    private static final long NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Pool pool;
    private final Tally tally;
    private final Care care;
    private final LongSupplier clock;
    private final Pause pause;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final AtomicReference<Thread> thread = new AtomicReference<>();

    /** How it waits until it is to go on. */
    interface Pause {
        /** Waits so long, not at all below 0, or until it is to end; whether it is. */
        boolean ends(CountDownLatch closing, long nanos) throws InterruptedException;
    }

    /** Begins, unless it is to read nothing. */
    Scrubber(Pool pool, Tally tally, Care care, Means means) {
        this(pool, tally, care, means, (closing, nanos) -> closing.await(nanos, TimeUnit.NANOSECONDS));
    }

    /** One that waits in that way. */
    Scrubber(Pool pool, Tally tally, Care care, Means means, Pause pause) {
        this.clock = means.clock();
        this.pause = pause;
        this.pool = pool;
        this.tally = tally;
        this.care = care;
        if (care.scrubRate() > 0) {
            Thread made = means.threads().newThread(this::work);
            thread.set(made);
            made.start();
        }
    }

    private void work() {
        Scrub scrub = pool.scrub();
        try {
            boolean isOver = false;
            while (!isOver) {
                long sinceNanos = clock.getAsLong();
                isOver = pass(scrub) || closes(care.scrubEvery().toNanos() - (clock.getAsLong() - sinceNanos));
            }
        } catch (InterruptedException impossible) {
            throw new IllegalStateException("nobody interrupts it, as that would close the pool's files", impossible);
        } catch (RuntimeException | Error fault) {
            LOG.error("from now on nothing is scrubbed until the server is started anew", fault);
        }
    }

    /**
     * Reads all once, those with low numbers first; whether the server ends before that. A volume that is damaged is
     * read as a whole, and so is each behind a block that is not what was written, as it may have that, too.
     */
    private boolean pass(Scrub scrub) throws InterruptedException {
        long bytes = 0;
        long broken = 0;
        long sinceNanos = clock.getAsLong();
        SortedSet<Integer> all = new TreeSet<>(pool.catalogue().entries().keySet());
        scrub.begin();
        for (int volume : all) {
            Damage damage = tally.damage(volume);
            long before = damage.findings();
            boolean isOnce = broken == 0 && !damage.isThere();
            for (long next = 0; next < blocks(volume); ) {
                Scrub.Part part = scrub.part(volume, next, isOnce);
                tally.scrubbed(volume, part.bytes(), part.broken());
                bytes += part.bytes();
                broken += part.broken().size();
                next = part.next();
                if (closes((long) ((double) bytes / care.scrubRate() * NANOS) - (clock.getAsLong() - sinceNanos))) {
                    return true;
                }
            }
            damage.proven(before);
        }
        long seconds = TimeUnit.NANOSECONDS.toSeconds(clock.getAsLong() - sinceNanos);
        if (broken > 0) {
            LOG.error(
                    "scrubbed: {} bytes in {} s, {} blocks are not what was written, or cannot be read",
                    bytes,
                    seconds,
                    broken);
        } else if (bytes > 0) {
            LOG.info("scrubbed: {} bytes of {} volumes and snapshots in {} s, all good", bytes, all.size(), seconds);
        }
        return false;
    }

    /** How many it has now: it may have become smaller, or have been deleted. */
    private long blocks(int volume) {
        Catalogue.Entry entry = pool.catalogue().entries().get(volume);
        return entry == null ? 0 : Geometry.blocks(entry.bytes());
    }

    /** Waits so long; whether the server ends. */
    private boolean closes(long nanos) throws InterruptedException {
        return pause.ends(closing, nanos);
    }

    /** Waits until it reads nothing any more. To be called again if interrupted. */
    void close() throws InterruptedException {
        closing.countDown();
        Thread made = thread.get();
        if (made != null) {
            made.join();
        }
    }
}
