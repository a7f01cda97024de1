package dev.retier.volume.disk;

import dev.retier.volume.NoSpaceException;
import dev.retier.volume.pool.Places;
import dev.retier.volume.pool.Superblock;
import java.io.IOException;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings what the journal tells to the clusters, one time after the other. Thread-safe. */
final class Checkpoints {
    private static final Logger LOG = LoggerFactory.getLogger(Checkpoints.class);

    private final PoolFiles files;
    private final Journal journal;
    private final Appender appender;
    private final Known known;
    private final Health health;
    /** For one who makes a checkpoint. */
    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by the lock, as all that follows. */
    private final Places places;

    /** Whether the log says that there is no room; what comes of it is told once. */
    private volatile boolean isShortTold;

    private final SpareRoom spare;
    private Superblock superblock;
    /** Whose clusters are written, and for the rest of which there was no room; it goes on where it ended. */
    private @Nullable Checkpoint unfinished;
    /** Whether the last one found no room. */
    private boolean isShort;

    private volatile long used;
    /** As the superblock has it, or will have it when what a failed process has left is written anew. */
    private volatile int losses;

    /** What they are made of. */
    record Parts(PoolFiles files, Journal journal, Appender appender, Known known, Health health) {}

    Checkpoints(Parts parts, Superblock newest, Places places) {
        this.files = parts.files;
        this.journal = parts.journal;
        this.appender = parts.appender;
        this.known = parts.known;
        this.health = parts.health;
        this.superblock = newest;
        this.losses = newest.losses();
        this.places = places;
        this.spare = new SpareRoom(files.clusters, newest.geometry(), newest.mapsSum() != 0);
        this.used = places.used();
    }

    /**
     * What was left to be done before the pool takes changes: by a process that failed, or by a program of before. If
     * there is no room for that now, or it fails, it takes none, and can be read.
     *
     * @param begin comes first; what it fails by but for room the caller is told
     */
    void settle(Health.Change begin) throws IOException {
        boolean isSuspect = files.isSuspect();
        if (isSuspect) {
            LOG.warn("the pool failed when it was open last: what its journal has is written anew");
            superblock = superblock.afterLoss();
            losses = superblock.losses();
        }
        try {
            begin.make();
        } catch (NoSpaceException full) {
            refuseForRoom("there is no room for what is written whenever it is opened: make some in its file system");
            return;
        }
        try {
            settle(isSuspect);
        } catch (NoSpaceException full) {
            refuseForRoom("what an earlier process has left must be brought to the disk first, and that is full:"
                    + " make room in its file system, for the " + journal.bytes() + " bytes that the journal has and"
                    + " for whole clusters where these are blocks of new ones");
        }
    }

    private void settle(boolean isSuspect) throws NoSpaceException {
        try {
            health.make(files::clearUnread);
            if (isSuspect) {
                health.make(journal::writeAnew); // before clusters are written over that have the same
                run();
                files.trust();
            }
            // No program of before may find a superblock that it can read, as the journal will have what it cannot.
            while (files.isOlder()) {
                LOG.info("the pool is brought to format {}", Superblock.FORMAT);
                run();
                var _ = files.newest();
            }
        } catch (NoSpaceException full) {
            throw full;
        } catch (IOException failed) {
            refuse(failed);
            LOG.error("the pool takes no changes, and can be read: {}", health.failure());
        } catch (RuntimeException fault) {
            refuse(fault);
            LOG.error("the pool takes no changes, and can be read", fault);
        }
    }

    private void refuseForRoom(String why) {
        health.refuseForRoom(why);
        LOG.error("the pool takes no changes, and can be read: {}", why);
    }

    private void refuse(Exception failed) {
        if (!health.isFailed()) {
            health.refuse(failed.toString());
        }
    }

    /** When one is due. */
    void keep() {
        try {
            run();
            if (isShortTold) {
                LOG.info("there is room on the disk again: what the journal had is in its place");
            }
            isShortTold = false;
        } catch (NoSpaceException full) {
            if (!isShortTold) { // a log that grows would take the room that is missing
                LOG.error(
                        "{}: what the journal has stays there, and changes are refused once it is full",
                        full.getMessage());
            }
            isShortTold = true;
        } catch (IOException | RuntimeException | Error failed) {
            LOG.error("the checkpoint failed: from now on the pool takes no changes", failed);
        }
    }

    /** All that was appended before is in the clusters when it returns. */
    void run() throws IOException {
        lock.lock();
        boolean isDone = false;
        try {
            if (unfinished != null) {
                health.make(this::bring);
            }
            health.make(this::bringAll);
            isDone = true;
        } finally {
            appender.ended(isDone);
            lock.unlock();
        }
    }

    /** The first that finds no room is tried again, as the second one frees first what nobody needs. */
    private void bringAll() throws IOException {
        boolean wasShort = isShort;
        try {
            bring();
        } catch (NoSpaceException full) {
            if (wasShort || unfinished != null) {
                throw full;
            }
            bring();
        }
    }

    private Checkpoint begin() throws IOException {
        Checkpoint earlier = unfinished;
        try {
            return appender.begin(() -> earlier == null ? begun() : earlier);
        } catch (NoSpaceException full) {
            isShort = true;
            throw full;
        }
    }

    private void bring() throws IOException {
        Checkpoint now = begin();
        unfinished = now;
        try {
            now.run(appender::copied);
        } catch (NoSpaceException full) {
            isShort = true;
            if (!now.isBrought()) {
                unfinished = null;
                known.thaw(); // what comes until the next one may need less room, or make some
            }
            throw full;
        } finally {
            spare.giveBack(now.unused(), places);
        }
        unfinished = null;
        isShort = false;
        superblock = now.next();
        used = places.used();
        journal.free(superblock.firstSegment());
        for (int volume : now.gone()) {
            files.deleteMap(volume);
        }
    }

    private Checkpoint begun() throws IOException {
        long segment = journal.roll();
        Superblock next = superblock.after(segment, journal.nextNumber());
        Checkpoint now = new Checkpoint(files, journal, places, known, next);
        if (isShort) {
            now.makeRoom(spare);
        }
        return now;
    }

    /** How many clusters hold something, as of the newest checkpoint. */
    long usedClusters() {
        return used;
    }

    /** See {@link Superblock#pool}. */
    UUID pool() {
        return superblock.pool();
    }

    /** See {@link Superblock#losses}. */
    int losses() {
        return losses;
    }

    /** Does something while none is under way. */
    void between(Health.Change change) throws IOException {
        lock.lock();
        try {
            change.make();
        } finally {
            lock.unlock();
        }
    }
}
