package dev.retier.volume.serve;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads that read and write for all clients, a fixed number. Clients take turns, one request each, so that one
 * with many keeps none with few waiting. Thread-safe.
 */
final class DiskThreads {
    private static final Logger LOG = LoggerFactory.getLogger(DiskThreads.class);

    private final BlockingQueue<Line> turns = new LinkedBlockingQueue<>();
    private final int scratchBytes;
    private final Iterable<Thread> threads;
    /** In the queue it ends the threads. */
    private final Line end = new Line();

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

        private Task take() {
            Task task;
            boolean isMore;
            synchronized (this) {
                task = waiting.remove();
                isMore = !waiting.isEmpty();
            }
            if (isMore) {
                turns.add(this);
            }
            return task;
        }
    }

    DiskThreads(int count, int scratchBytes) {
        this.scratchBytes = scratchBytes;
        this.threads = IntStream.rangeClosed(1, count)
                .mapToObj(i ->
                        Thread.ofPlatform().name("volume-disk-" + i).daemon().start(this::work))
                .toList();
    }

    private void work() {
        ByteBuffer scratch = ByteBuffer.allocateDirect(scratchBytes);
        try {
            for (Line line = turns.take(); line != end; line = turns.take()) {
                Task task = line.take();
                try {
                    task.run(scratch.clear());
                } catch (RuntimeException | Error fault) {
                    LOG.error("a request could not be handled", fault);
                }
            }
            turns.add(end);
        } catch (InterruptedException impossible) {
            throw new IllegalStateException("nobody interrupts it, as that would close the pool's files", impossible);
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
