package dev.retier.volume.serve;

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
 * meanwhile. Thread-safe.
 */
final class DiskThreads {
    private static final Logger LOG = LoggerFactory.getLogger(DiskThreads.class);

    /** The highest priority. */
    static final int HIGHEST = 1;

    /** Of one turn. */
    private static final int MOST_TOGETHER = 16;

    /** Of one turn, or a single request. */
    private static final long MOST_BYTES_TOGETHER = 128 << 10;

    /** Whose thread it is. */
    private static final ScopedValue<Worker> CURRENT = ScopedValue.newInstance();

    /** What takes longer has waited for the disk, and what follows from others is not put off for longer. */
    private static final long QUICK_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    private final BlockingQueue<Turn> turns = new PriorityBlockingQueue<>();
    private final AtomicLong lastTurn = new AtomicLong();
    /** Where the last line to have a turn stood: there one begins that had nothing waiting, which saves it nothing. */
    private final AtomicLong reached = new AtomicLong();

    private final int scratchBytes;
    private final LongSupplier clock;
    private final List<Thread> threads;
    /** In the queue it ends the threads, once nothing else is there. */
    private final Turn end = new Turn(Long.MAX_VALUE, Long.MAX_VALUE, new Line(HIGHEST));

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
     */
    private record Turn(long at, long number, Line line) implements Comparable<Turn> {
        @Override
        public int compareTo(Turn other) {
            return at == other.at ? Long.compare(number, other.number) : Long.compare(at, other.at);
        }
    }

    private record Waiting(Task task, long bytes) {}

    /** What is asked for in one order. */
    final class Line {
        private final int priority;
        /** Guarded by this, as what follows. */
        private final Queue<Waiting> waiting = new ArrayDeque<>();

        private long at;

        /** Of a priority from 1, which is the highest. */
        Line(int priority) {
            this.priority = priority;
        }

        /** Has it done. */
        void add(long bytes, Task task) {
            Turn turn = null;
            synchronized (this) {
                if (waiting.isEmpty()) {
                    at = Math.max(at, reached.get());
                    turn = turn();
                }
                waiting.add(new Waiting(task, bytes));
            }
            if (turn != null) {
                turns.add(turn);
            }
        }

        private Turn turn() {
            return new Turn(at, lastTurn.incrementAndGet(), this);
        }

        private List<Task> take(int most) {
            List<Task> taken = new ArrayList<>();
            Turn next = null;
            synchronized (this) {
                reached.accumulateAndGet(at, Math::max);
                long bytes = 0;
                while (taken.size() < most && bytes < MOST_BYTES_TOGETHER && !waiting.isEmpty()) {
                    Waiting first = waiting.remove();
                    taken.add(first.task);
                    bytes += first.bytes;
                }
                at += bytes * priority;
                if (!waiting.isEmpty()) {
                    next = turn();
                }
            }
            if (next != null) {
                turns.add(next);
            }
            return taken;
        }
    }

    DiskThreads(int count, int scratchBytes, Means means) {
        this.scratchBytes = scratchBytes;
        this.clock = means.clock();
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
                    work(turn.line.take(isQuick ? MOST_TOGETHER : 1), scratch);
                }
                turns.add(end);
            } catch (InterruptedException impossible) {
                throw new IllegalStateException(
                        "nobody interrupts it, as that would close the pool's files", impossible);
            }
        }

        private void work(List<Task> tasks, ByteBuffer scratch) {
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
