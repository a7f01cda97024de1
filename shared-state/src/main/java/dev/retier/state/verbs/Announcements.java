package dev.retier.state.verbs;

import dev.retier.link.NodeId;
import dev.retier.state.slot.AnnouncementWord;
import dev.retier.state.slot.SlotLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What the nodes of a cell have announced to this one: for each a word that it alone writes, and a word in which it
 * reads how many of its bells were answered, so that it never rings more often than this node listens.
 *
 * <p>The words are the truth; a bell only wakes whoever waits. A bell that was left out is made up for by a look at the
 * words now and then. Thread-safe.
 */
final class Announcements {
    /** Bytes per announcing node. */
    static final int ENTRY_BYTES = 2 * Long.BYTES;

    /** Offset of the count of answered bells behind the word. */
    static final int BELLS_OFFSET = Long.BYTES;

    private static final VarHandle WORD = SlotLayout.WORD_LAYOUT.varHandle();
    private static final long GLANCE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final List<NodeId> announcers;
    private final MemorySegment words;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition news = lock.newCondition();
    /** Guarded by lock: the words as last seen. */
    private final long[] seen;

    private final AtomicLong heard = new AtomicLong();

    /**
     * Nothing announced yet.
     *
     * @param words {@value #ENTRY_BYTES} bytes of zeroes per node; lives as long as this is reachable
     */
    Announcements(List<NodeId> announcers, MemorySegment words) {
        this.announcers = announcers;
        this.words = words;
        this.seen = new long[announcers.size()];
    }

    /** The word that {@code announcer} writes. */
    MemorySegment word(NodeId announcer) {
        return words.asSlice(offset(announcer), Long.BYTES);
    }

    /** The word that tells {@code announcer} how many of its bells were answered; a new connection begins at 0. */
    MemorySegment bells(NodeId announcer) {
        answered(announcer, 0);
        return words.asSlice(offset(announcer) + BELLS_OFFSET, Long.BYTES);
    }

    /** So many of the bells of {@code announcer} have been answered. */
    void answered(NodeId announcer, long count) {
        WORD.setVolatile(words, offset(announcer) + BELLS_OFFSET, count);
    }

    /** Announces to this node itself. */
    void announce(NodeId self, long epoch) {
        WORD.setVolatile(words, offset(self), AnnouncementWord.encode(epoch));
        glance();
    }

    /** Looks at all words and wakes whoever waits if one is new. */
    void glance() {
        lock.lock();
        try {
            for (int index = 0; index < seen.length; index++) {
                long word = (long) WORD.getVolatile(words, (long) index * ENTRY_BYTES);
                if (word != seen[index] && AnnouncementWord.decode(word) != 0) {
                    seen[index] = word;
                    heard.incrementAndGet();
                    news.signalAll();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits until more than {@code known} have been heard, {@code nanos} at most; how many have been. */
    long await(long known, long nanos) throws InterruptedException {
        long left = nanos;
        glance();
        lock.lockInterruptibly();
        try {
            while (heard.get() <= known && left > 0) {
                long wait = Math.min(left, GLANCE_NANOS);
                left -= wait - Math.max(0, news.awaitNanos(wait));
                glance();
            }
            return heard.get();
        } finally {
            lock.unlock();
        }
    }

    /** How many have been heard. */
    long heard() {
        return heard.get();
    }

    private long offset(NodeId announcer) {
        int index = announcers.indexOf(announcer);
        if (index < 0) {
            throw new IllegalArgumentException(announcer + " is not in the cell");
        }
        return (long) index * ENTRY_BYTES;
    }
}
