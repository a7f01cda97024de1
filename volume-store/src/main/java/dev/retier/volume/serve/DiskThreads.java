package dev.retier.volume.serve;

import dev.retier.volume.config.Care;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads that read and write for all clients, a fixed number. Lines of requests take turns by bytes, so that one
 * with many or long requests keeps none with few waiting: next is always the line for which the least was done. One of
 * priority 2 gets half of what one of priority 1 gets while both have something waiting (start-time fair queueing;
 * Goyal, Vin, Cheng 1996). A turn is some requests while they are done quickly, and what follows from
 * these is done for all of them together; one once they have to wait for the disk, so that the others are at it
 * meanwhile. Changes may have to wait for room in the journal, long where the disk is full: they have all threads but
 * one, and what else a line has overtakes them. Thread-safe.
 */
final class DiskThreads {
    private static final Logger LOG = LoggerFactory.getLogger(DiskThreads.class);

    /** Of one turn. */
    private static final int MOST_TOGETHER = 16;

    /** Of one turn, or a single request. */
    private static final long MOST_BYTES_TOGETHER = 128 << 10;

    /** Whose thread it is. */
    private static final ScopedValue<Worker> CURRENT = ScopedValue.newInstance();

    /** What takes longer has waited for the disk, and what follows from others is not put off for longer. */
    private static final long QUICK_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    private final BlockingQueue<Turn> turns = new PriorityBlockingQueue<>();
    /** How many threads may be at changes. */
    private final int mostChanging;
    /** Of changes, which wait until one of these threads is not any more; guarded by itself, as what follows. */
    private final List<Turn> held = new ArrayList<>();

    private int changing;
    private final AtomicLong lastTurn = new AtomicLong();
    /** Where the last line to have a turn stood: there one begins that had nothing waiting, which saves it nothing. */
    private final AtomicLong reached = new AtomicLong();

    private final int scratchBytes;
    private final LongSupplier clock;
    private final List<Thread> threads;
    /** In the queue it ends the threads, once nothing else is there. */
    private final Turn end = new Turn(Long.MAX_VALUE, Long.MAX_VALUE, new Line(Care.HIGHEST), false);

    /** Whether the last request was done quickly. */
    private volatile boolean isQuick = true;

    /** What is to be done, with memory of the thread's own that nobody else sees. */
    @FunctionalInterface
    interface Task {
        void run(ByteBuffer scratch);
    }

    /**
     * A line's.
     *
     * @param at where the line stands: less is sooner
     * @param number of those that stand at the same the one that came first is first
     * @param isOfChanges whether it is for the line's changes, or for all else that it has
     */
    private record Turn(long at, long number, Line line, boolean isOfChanges) implements Comparable<Turn> {
        @Override
        public int compareTo(Turn other) {
            return at == other.at ? Long.compare(number, other.number) : Long.compare(at, other.at);
        }
    }

    private record Waiting(Task task, long bytes) {}

    /** What one asks for: its changes in one order, and the rest in one. */
    final class Line {
        private final int priority;
        /** Guarded by this, as what follows. */
        private final Queue<Waiting> changes = new ArrayDeque<>();

        private final Queue<Waiting> others = new ArrayDeque<>();
        private long at;

        /** Of a priority from 1, which is the highest. */
        Line(int priority) {
            this.priority = priority;
        }

        /** Has it done. */
        void add(long bytes, Task task) {
            add(false, bytes, task);
        }

        /** Has a change done, which may have to wait for room. */
        void addChange(long bytes, Task task) {
            add(true, bytes, task);
        }

        private void add(boolean isChange, long bytes, Task task) {
            Queue<Waiting> waiting = isChange ? changes : others;
            Turn turn = null;
            synchronized (this) {
                if (waiting.isEmpty()) {
                    at = Math.max(at, reached.get());
                    turn = turn(isChange);
                }
                waiting.add(new Waiting(task, bytes));
            }
            if (turn != null) {
                turns.add(turn);
            }
        }

        private Turn turn(boolean isOfChanges) {
            return new Turn(at, lastTurn.incrementAndGet(), this, isOfChanges);
        }

        /** None if the line has had a turn for the other kind meanwhile, and so has another one for this later. */
        private List<Task> take(Turn turn, int most) {
            Queue<Waiting> waiting = turn.isOfChanges ? changes : others;
            List<Task> taken = new ArrayList<>();
            Turn next = null;
            synchronized (this) {
                if (turn.at < at) {
                    turns.add(new Turn(at, turn.number, this, turn.isOfChanges));
                    return taken;
                }
                reached.accumulateAndGet(at, Math::max);
                long bytes = 0;
                while (taken.size() < most && bytes < MOST_BYTES_TOGETHER && !waiting.isEmpty()) {
                    Waiting first = waiting.remove();
                    taken.add(first.task);
                    bytes += first.bytes;
                }
                at += bytes * priority;
                if (!waiting.isEmpty()) {
                    next = turn(turn.isOfChanges);
                }
            }
            if (next != null) {
                turns.add(next);
            }
            return taken;
        }
    }

    /** So many; a single one may wait for room, too. */
    DiskThreads(int count, int scratchBytes, Means means) {
        this.scratchBytes = scratchBytes;
        this.clock = means.clock();
        this.mostChanging = Math.max(1, count - 1);
        this.threads = IntStream.range(0, count)
                .mapToObj(_ -> means.threads().newThread(this::work))
                .toList();
        this.threads.forEach(Thread::start);
    }

    /** How much memory a task is given. */
    int scratchBytes() {
        return scratchBytes;
    }

    /**
     * Does {@code action} at once; or, asked by a task, when those that the thread has taken with it are done, or have
     * taken a while: once, however often it was asked for.
     */
    static void afterwards(Runnable action) {
        if (CURRENT.isBound()) {
            CURRENT.get().afterwards.add(action);
        } else {
            action.run();
        }
    }

    /** Whether the thread may be at changes now, and is from now on; else the turn comes again when it may. */
    private boolean begins(Turn turn) {
        synchronized (held) {
            if (changing == mostChanging) {
                held.add(turn);
                return false;
            }
            changing++;
            return true;
        }
    }

    private void ended() {
        synchronized (held) {
            changing--;
            turns.addAll(held);
            held.clear();
        }
    }

    private void work() {
        Worker worker = new Worker();
        ScopedValue.where(CURRENT, worker).run(worker);
    }

    private final class Worker implements Runnable {
        /** The thread's own. */
        private final Set<Runnable> afterwards = new LinkedHashSet<>();

        @Override
        public void run() {
            ByteBuffer scratch = ByteBuffer.allocateDirect(scratchBytes);
            try {
                for (Turn turn = turns.take(); !turn.equals(end); turn = turns.take()) {
                    if (!turn.isOfChanges) {
                        work(turn, scratch);
                    } else if (begins(turn)) {
                        try {
                            work(turn, scratch);
                        } finally {
                            ended();
                        }
                    }
                }
                turns.add(end);
            } catch (InterruptedException impossible) {
                throw new IllegalStateException(
                        "nobody interrupts it, as that would close the pool's files", impossible);
            }
        }

        private void work(Turn turn, ByteBuffer scratch) {
            List<Task> tasks = turn.line.take(turn, isQuick ? MOST_TOGETHER : 1);
            long sinceNanos = clock.getAsLong();
            long beganNanos = sinceNanos;
            for (Task task : tasks) {
                guarded(() -> task.run(scratch.clear()));
                long nowNanos = clock.getAsLong();
                isQuick = nowNanos - beganNanos < QUICK_NANOS;
                beganNanos = nowNanos;
                if (nowNanos - sinceNanos > QUICK_NANOS) {
                    doAfterwards();
                    sinceNanos = nowNanos;
                }
            }
            doAfterwards();
        }

        private void doAfterwards() {
            afterwards.forEach(Worker::guarded);
            afterwards.clear();
        }

        private static void guarded(Runnable step) {
            try {
                step.run();
            } catch (RuntimeException | Error fault) {
                LOG.error("a request could not be handled", fault);
            }
        }
    }

    /** Waits until all that was asked for is done. */
    void close() throws InterruptedException {
        turns.add(end);
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
