package dev.retier.webnode;

import io.undertow.connector.ByteBufferPool;
import io.undertow.server.DefaultByteBufferPool;
import java.io.IOException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.xnio.OptionMap;
import org.xnio.Options;
import org.xnio.Xnio;
import org.xnio.XnioWorker;

/**
 * The threads and buffers that any number of web-nodes in one JVM share: I/O threads, a few task threads, one timer
 * thread and one thread that looks at role files. All are daemons. Close it after its nodes. Thread-safe.
 */
public final class WebNodeRuntime implements AutoCloseable {
    private static final int BUFFER_BYTES = 16 << 10;
    private static final int BUFFERS_PER_THREAD = 8;
    private static final int TASK_THREADS = 2;
    private static final int CLOSE_SECONDS = 5;

    private final XnioWorker worker;
    private final ByteBufferPool buffers = new DefaultByteBufferPool(true, BUFFER_BYTES, -1, BUFFERS_PER_THREAD);
    private final ScheduledExecutorService timer = singleThread("web-node timer");
    private final ScheduledExecutorService files = singleThread("web-node role files");

    private WebNodeRuntime(XnioWorker worker) {
        this.worker = worker;
    }

    /**
     * Starts the threads.
     *
     * @param ioThreads 1..64; one serves several thousand requests per second
     * @throws WebNodeException when the system refuses
     */
    public static WebNodeRuntime create(int ioThreads) {
        try {
            return new WebNodeRuntime(Xnio.getInstance(WebNodeRuntime.class.getClassLoader())
                    .createWorker(OptionMap.builder()
                            .set(Options.WORKER_NAME, "web-node")
                            .set(Options.WORKER_IO_THREADS, ioThreads)
                            .set(Options.WORKER_TASK_CORE_THREADS, 1)
                            .set(Options.WORKER_TASK_MAX_THREADS, TASK_THREADS)
                            .set(Options.THREAD_DAEMON, true)
                            .getMap()));
        } catch (IOException e) {
            throw new WebNodeException("cannot start I/O threads: " + e + "; check the limit of open files", e);
        }
    }

    XnioWorker worker() {
        return worker;
    }

    ByteBufferPool buffers() {
        return buffers;
    }

    ScheduledExecutorService timer() {
        return timer;
    }

    ScheduledExecutorService files() {
        return files;
    }

    @Override
    public void close() {
        files.shutdownNow();
        timer.shutdownNow();
        worker.shutdownNow();
        try {
            worker.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static ScheduledExecutorService singleThread(String name) {
        ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().name(name).daemon(true).factory());
        executor.setRemoveOnCancelPolicy(true);
        return executor;
    }
}
