package dev.retier.volume.serve;

import dev.retier.volume.disk.Scrub;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Whether a volume has a block that is not what was written, or cannot be read, as far as is known: one was found, and
 * the volume was not read as a whole since without finding one. Thread-safe.
 */
final class Damage {
    /** A disk that is gone makes all blocks bad. */
    static final int MOST_TOLD = 256;

    private final ReentrantLock lock = new ReentrantLock();
    /** How often one was found; guarded by the lock, as what follows. */
    private long findings;
    /** How many of these came before a look at the whole volume that found none. */
    private long over;
    /** The client that looks at one part after the other: since how many findings, and where it goes on. */
    private long client;

    private long since;
    private long next;
    /** Blocks of which was said that they were found, until the volume is good again. */
    private final Set<Long> told = new HashSet<>();

    /** That one was found. Returns whether to say so: each once, and no more than so many. */
    boolean found(long block) {
        lock.lock();
        try {
            findings++;
            return told.size() < MOST_TOLD && told.add(block);
        } finally {
            lock.unlock();
        }
    }

    boolean isThere() {
        lock.lock();
        try {
            return findings > over;
        } finally {
            lock.unlock();
        }
    }

    /** How often one was found so far. */
    long findings() {
        lock.lock();
        try {
            return findings;
        } finally {
            lock.unlock();
        }
    }

    /** The whole volume was read since there were so many findings: if there are no more it is good. */
    void proven(long before) {
        lock.lock();
        try {
            isOver(before);
        } finally {
            lock.unlock();
        }
    }

    private void isOver(long before) {
        over = Math.max(over, before);
        if (over >= findings) {
            told.clear();
        }
    }

    /**
     * A client has had a part of the volume read.
     *
     * @param before how many findings there were before that
     * @param first block of the part
     * @param end block behind the volume's last one
     */
    void looked(long by, long before, long first, Scrub.Part part, long end) {
        lock.lock();
        try {
            if (first == 0) {
                client = by;
                since = before;
            } else if (client != by || next != first) {
                return;
            }
            next = part.isWhole() ? part.next() : -1;
            if (next >= end) {
                isOver(since);
            }
        } finally {
            lock.unlock();
        }
    }
}
