package dev.retier.volume.disk;

import dev.retier.volume.NoSpaceException;
import dev.retier.volume.pool.JournalCodec;
import dev.retier.volume.pool.JournalRecord;
import dev.retier.volume.pool.JournalRoom;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** Appends to the journal, one record after the other, and waits for room. Thread-safe. */
final class Appender {
    /** So long after a checkpoint that found no room none is tried that has nothing more to bring. */
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition isMore = lock.newCondition();
    private final Journal journal;
    private final Known known;
    /** Guarded by the lock, as what follows. */
    private final JournalRoom room;

    private long failures;
    /** How many checkpoints have ended, well or not. */
    private long ended;
    /** Which record was to come when a checkpoint found no room: none since then might find more. */
    private long failedAtNumber = -1;
    /** When that was. */
    private long failedAtNanos;

    private final Keeper keeper;
    private final Runnable checkpoint;

    /** What is appended, as of the moment in which it is; it may refuse. */
    interface Source {
        JournalRecord next() throws IOException;
    }

    /** With what a checkpoint begins. */
    interface Begin<T> {
        T run() throws IOException;
    }

    /** What is done with it, with the lock held. */
    interface Sink {
        void take(JournalRecord record) throws IOException;
    }

    /**
     * Before a journal of at most {@code most} bytes.
     *
     * @param checkpoint makes room; run by {@code keeper}, with no lock held
     */
    Appender(Journal journal, Known known, long most, Keeper keeper, Runnable checkpoint) {
        this.journal = journal;
        this.known = known;
        this.room = new JournalRoom(most);
        this.keeper = keeper;
        this.checkpoint = checkpoint;
    }

    /**
     * Hands what {@code source} says to {@code sink} once there is room for it, or {@code isOver}.
     *
     * @throws NoSpaceException if a checkpoint should have made room, and has found none on the disk, or found none
     *     less than a second ago
     */
    void append(Source source, Sink sink, BooleanSupplier isOver) throws IOException {
        boolean isAppended = false;
        long endedBefore = -1;
        long failuresBefore = -1;
        while (!isAppended) {
            boolean isDue;
            lock.lock();
            try {
                JournalRecord record = source.next();
                int length = JournalCodec.lengthBytes(record);
                journal.require(length);
                failuresBefore = failuresBefore < 0 ? failures : failuresBefore;
                endedBefore = endedBefore < 0 ? ended : endedBefore;
                long more = Math.max(length, room.ofRows(known.rowsOf(record)));
                boolean hasRoom = isOver.getAsBoolean()
                        || room.hasRoom(used(), more)
                        || (record.isSmall() && room.hasReserve(used(), more));
                isAppended = hasRoom && isTaken(record, sink, ended > endedBefore);
                if (!isAppended && room.isUnderWay()) {
                    isMore.awaitUninterruptibly();
                    isDue = false; // else each that waits would begin the next one when this one has found no room
                } else if (!isAppended && (failures > failuresBefore || isTooSoon())) {
                    throw new NoSpaceException(
                            "the disk is full, and so is the journal: what it has cannot be brought to its place");
                } else {
                    isDue = begins(!isAppended);
                }
            } finally {
                lock.unlock();
            }
            if (isDue) {
                keeper.execute(checkpoint);
            }
        }
    }

    /**
     * With the lock held. The disk may be full long before the journal is: a checkpoint makes room then, where it needs
     * less than it gives back.
     *
     * @param isLast whether no checkpoint helps any more, as one has ended meanwhile
     */
    private boolean isTaken(JournalRecord record, Sink sink, boolean isLast) throws IOException {
        try {
            sink.take(record);
            return true;
        } catch (NoSpaceException full) {
            if (isLast || journal.nextNumber() == failedAtNumber) {
                throw full;
            }
            return false;
        }
    }

    private boolean isTooSoon() {
        return journal.nextNumber() == failedAtNumber && keeper.nanos() - failedAtNanos < PAUSE_NANOS;
    }

    /** With the lock held: whether a checkpoint is to begin, which counts as begun then. */
    private boolean begins(boolean isWanted) {
        boolean isDue = isWanted || room.isDue(used());
        if (isDue) {
            room.begun(used());
        }
        return isDue;
    }

    /** With the lock held: how full it is, or its index if that is fuller. */
    private long used() {
        return Math.max(journal.bytes(), room.ofRows(known.rows()));
    }

    /** How much of the journal is in use. */
    long bytes() {
        lock.lock();
        try {
            return journal.bytes();
        } finally {
            lock.unlock();
        }
    }

    /** A checkpoint begins: nothing is appended meanwhile. */
    <T> T begin(Begin<T> work) throws IOException {
        lock.lock();
        try {
            T begun = work.run();
            room.begun(used());
            return begun;
        } finally {
            lock.unlock();
        }
    }

    /** It has copied that share of what there is. */
    void copied(double share) {
        lock.lock();
        try {
            room.copied(share);
            isMore.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** It has ended, well or not. */
    void ended(boolean isDone) {
        lock.lock();
        try {
            ended++;
            if (isDone) {
                room.ended();
                failedAtNumber = -1;
            } else {
                failures++;
                failedAtNumber = journal.nextNumber();
                failedAtNanos = keeper.nanos();
                room.failed(used());
            }
            isMore.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
