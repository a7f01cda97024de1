package dev.retier.volume.serve;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads that read and write for all clients, a fixed number. Clients take turns, so that one with many requests
 * keeps none with few waiting: some requests each while they are done quickly, and what follows from these is done for
 * all of them together; one each once they have to wait for the disk, so that the others are at it meanwhile.
 * Thread-safe.
 */
final class DiskThreads {
    private static final Logger LOG = LoggerFactory.getLogger(DiskThreads.class);

    /** Of one client's turn. */
    private static final int MOST_TOGETHER = 16;

    /** Whose thread it is. */
    private static final ScopedValue<Worker> CURRENT = ScopedValue.newInstance();

    /** What takes longer has waited for the disk, and what follows from others is not put off for longer. */
    private static final long QUICK_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    private final BlockingQueue<Line> turns = new LinkedBlockingQueue<>();
    private final int scratchBytes;
    private final LongSupplier clock;
    private final List<Thread> threads;
    /** In the queue it ends the threads. */
    private final Line end = new Line();

    /** Whether the last request was done quickly. */
    private volatile boolean isQuick = true;

    /** What is to be done, with memory of the thread's own that nobody else sees. */
    @FunctionalInterface
    interface Task {
        void run(ByteBuffer scratch);
    }

    /** What one client asks for, in its order. */
    final class Line {
        /** Guarded by this. */
        private final Queue<Task> waiting = new ArrayDeque<>();

        /** Has it done. */
        void add(Task task) {
            boolean isFirst;
            synchronized (this) {
                isFirst = waiting.isEmpty();
                waiting.add(task);
            }
            if (isFirst) {
                turns.add(this);
            }
        }

        private List<Task> take(int most) {
            List<Task> taken = new ArrayList<>();
            boolean isMore;
            synchronized (this) {
                while (taken.size() < most && !waiting.isEmpty()) {
                    taken.add(waiting.remove());
                }
                isMore = !waiting.isEmpty();
            }
            if (isMore) {
                turns.add(this);
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
                for (Line line = turns.take(); line != end; line = turns.take()) {
                    work(line.take(isQuick ? MOST_TOGETHER : 1), scratch);
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
