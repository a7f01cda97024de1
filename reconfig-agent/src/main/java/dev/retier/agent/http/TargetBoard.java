package dev.retier.agent.http;

import dev.retier.agent.render.TargetList;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The newest target list of each site, and those who wait for the next. Thread-safe. */
public final class TargetBoard {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<String, TargetList> bySite = new HashMap<>();
    private boolean isClosed;

    /** Puts a list up unless it is the one there, or empty: the edge keeps its last list. Returns whether it did. */
    public boolean post(TargetList list) {
        lock.lock();
        try {
            boolean isNew = !isClosed && !list.targets().isEmpty() && !list.equals(bySite.get(list.site()));
            if (isNew) {
                bySite.put(list.site(), list);
                changed.signalAll();
            }
            return isNew;
        } finally {
            lock.unlock();
        }
    }

    /** The newest list of that site; empty before the first. */
    public Optional<TargetList> newest(String site) {
        lock.lock();
        try {
            return Optional.ofNullable(bySite.get(site));
        } finally {
            lock.unlock();
        }
    }

    /**
     * The newest list of that site once its entity tag is another than {@code knownTag}, or whatever it is after
     * {@code timeout}.
     */
    public Optional<TargetList> await(String site, @Nullable String knownTag, Duration timeout)
            throws InterruptedException {
        long leftNanos = timeout.toNanos();
        lock.lock();
        try {
            while (!isClosed && leftNanos > 0 && isKnown(bySite.get(site), knownTag)) {
                leftNanos = changed.awaitNanos(leftNanos);
            }
            return Optional.ofNullable(bySite.get(site));
        } finally {
            lock.unlock();
        }
    }

    private static boolean isKnown(@Nullable TargetList list, @Nullable String knownTag) {
        return list == null || list.entityTag().equals(knownTag);
    }

    /** Sends all who wait home and takes the lists down: nobody keeps them true any more. */
    public void close() {
        lock.lock();
        try {
            isClosed = true;
            bySite.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
