package dev.retier.iwarp.net;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One thread that serves all connections of one or more devices. It sleeps in the selector when nothing happens.
 *
 * <p>A queue pair that somebody polls is <em>parked</em>: its poller reads the socket, and this thread looks only now
 * and then whether the poller is still there.
 */
public final class ProgressLoop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ProgressLoop.class);
    /** Connections served at most before those are woken whom an earlier one of the round has news for. */
    private static final int WAKE_AFTER_SERVED = 32;

    /** A poller that has been away between two checks is gone. They get rarer while all stay, up to the second. */
    private static final long FIRST_CHECK_MILLIS = 2;

    private static final long LAST_CHECK_MILLIS = 8;
    private static final long TIMER_MILLIS = 50;
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final Selector selector;
    private final Thread thread;
    private final Consumer<SelectionKey> dispatcher = this::dispatch;
    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    // Owned by the thread.
    private final Set<Timed> timers = new LinkedHashSet<>();
    private final List<QueuePair> parked = new ArrayList<>();
    private final List<CompletionChannel> toWake = new ArrayList<>();
    private int servedSinceRaised;
    private long checkMillis = FIRST_CHECK_MILLIS;
    private long checkedNanos;
    private volatile boolean closed;

    /**
     * Starts the thread, a daemon.
     *
     * @throws IwarpException if the system gives no selector
     */
    public ProgressLoop(String name) throws IwarpException {
        try {
            selector = Selector.open();
        } catch (IOException e) {
            throw new IwarpException("cannot open a selector for " + name, e);
        }
        thread = new Thread(this::run, name);
        thread.setDaemon(true);
        thread.start();
    }

    /** Runs {@code task} on the loop's thread, soon. Safe for any thread. */
    void execute(Runnable task) {
        tasks.add(task);
        selector.wakeup();
    }

    /** Makes changes to a key's interest take effect now. Safe for any thread. */
    void wakeup() {
        if (!onThread()) {
            selector.wakeup();
        }
    }

    /** Whether the caller is the loop's thread. */
    boolean onThread() {
        return Thread.currentThread().equals(thread);
    }

    /** The selector to register with, on the loop's thread. */
    Selector selector() {
        return selector;
    }

    /** Watches a deadline, on the loop's thread. */
    void watch(Timed timed) {
        timers.add(timed);
    }

    /** Forgets a deadline, on the loop's thread. */
    void unwatch(Timed timed) {
        timers.remove(timed);
    }

    /** Looks after a parked queue pair, on the loop's thread. */
    void park(QueuePair pair) {
        if (!parked.contains(pair)) {
            parked.add(pair);
            checkMillis = FIRST_CHECK_MILLIS;
            checkedNanos = System.nanoTime();
        }
    }

    /**
     * Wakes who waits for a channel that has an event. On the loop's thread that happens at the end of the round, so
     * that answers which came together wake their waiter once. Safe for any thread.
     */
    void wakeSoon(CompletionChannel channel) {
        if (!onThread()) {
            channel.wake();
        } else if (!toWake.contains(channel)) {
            toWake.add(channel);
        }
    }

    /** Ends the thread and every connection it serves. Waits up to 5 s. Not on the loop's own thread. */
    @Override
    public void close() {
        closed = true;
        selector.wakeup();
        try {
            thread.join(CLOSE_TIMEOUT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        while (!closed) {
            try {
                selector.select(dispatcher, timeoutMillis());
                runTasks();
                long now = System.nanoTime();
                expire(now);
                unpark(now);
                wakeWaiters();
            } catch (IOException e) {
                LOG.error("{}: the selector failed; its connections end", thread.getName(), e);
                closed = true;
            }
        }
        shutDown();
    }

    private long timeoutMillis() {
        if (!parked.isEmpty()) {
            return checkMillis;
        }
        return timers.isEmpty() ? 0 : TIMER_MILLIS;
    }

    private void dispatch(SelectionKey key) {
        Ready target = (Ready) key.attachment();
        try {
            target.ready(key);
        } catch (RuntimeException | OutOfMemoryError e) { // direct buffers: the connection that asked for them ends
            LOG.error("{}: serving a connection failed; it ends", thread.getName(), e);
            target.abort("internal error: " + e);
        }
        if (!toWake.isEmpty() && ++servedSinceRaised >= WAKE_AFTER_SERVED) {
            wakeWaiters();
        }
    }

    private void wakeWaiters() {
        for (int i = 0; i < toWake.size(); i++) {
            toWake.get(i).wake();
        }
        toWake.clear();
        servedSinceRaised = 0;
    }

    private void runTasks() {
        if (tasks.isEmpty()) {
            return;
        }
        ArrayDeque<Runnable> batch = new ArrayDeque<>();
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            batch.add(task);
        }
        for (Runnable task : batch) {
            try {
                task.run();
            } catch (RuntimeException e) {
                LOG.error("{}: a task failed", thread.getName(), e);
            }
        }
    }

    private void expire(long now) {
        if (timers.isEmpty()) {
            return;
        }
        List<Timed> due = new ArrayList<>();
        for (Timed timed : timers) {
            if (timed.deadlineNanos() - now <= 0) {
                due.add(timed);
            }
        }
        for (Timed timed : due) {
            timers.remove(timed);
            timed.expired();
        }
    }

    private void unpark(long now) {
        if (parked.isEmpty()) {
            return;
        }
        boolean check = now - checkedNanos >= TimeUnit.MILLISECONDS.toNanos(checkMillis);
        if (check) {
            checkedNanos = now;
            checkMillis = Math.min(LAST_CHECK_MILLIS, 2 * checkMillis);
        }
        for (int i = parked.size() - 1; i >= 0; i--) {
            if (parked.get(i).unpark(check)) {
                parked.remove(i);
            }
        }
    }

    private void shutDown() {
        for (SelectionKey key : List.copyOf(selector.keys())) {
            if (key.attachment() instanceof Ready target) {
                target.abort("the device is closed");
            }
        }
        runTasks();
        wakeWaiters();
        try {
            selector.close();
        } catch (IOException e) {
            LOG.warn("{}: closing the selector failed", thread.getName(), e);
        }
    }
}
