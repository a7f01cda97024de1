package dev.retier.iwarp.net;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One thread that serves all connections of one or more devices. It sleeps in the selector when nothing happens.
 *
 * <p>A queue pair that somebody polls, or waits for alone, is <em>parked</em>: that thread reads the socket, and this
 * one looks only now and then whether it is still there.
 */
public final class ProgressLoop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ProgressLoop.class);
    /** Connections served at most before those are woken whom an earlier one of the round has news for. */
    private static final int WAKE_AFTER_SERVED = 32;

    /** Who has been away between two checks is gone. They get rarer while all stay, up to the second, if none waits. */
    private static final long FIRST_CHECK_MILLIS = 2;

    private static final long LAST_CHECK_MILLIS = 8;
    private static final long TIMER_MILLIS = 50;
    /** As long as may pass before a stranger is answered. */
    private static final long LATER_MILLIS = 5;
    /** How late a sum of refusals may be told. */
    private static final long REFUSALS_MILLIS = 5_000;

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final Selector selector;
    private final Thread thread;
    private final Consumer<SelectionKey> dispatcher = this::dispatch;
    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    // Owned by the thread.
    private final ArrayDeque<Runnable> batch = new ArrayDeque<>();
    private final Set<Timed> timers = new LinkedHashSet<>();
    private final ArrayDeque<Timed> due = new ArrayDeque<>();
    private final RefusalLog refusals = new RefusalLog(LOG::warn);
    private long expiredNanos = System.nanoTime();
    private final SpareSocket spareSocket = new SpareSocket(SocketChannel::open);
    private final HandshakeTasks handshakes;
    private final List<Runnable> later = new ArrayList<>();
    private long laterNanos;
    private final List<SocketQueuePair> parked = new ArrayList<>();
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
        handshakes = new HandshakeTasks(name + "-tls");
        thread = new Thread(this::run, name);
        thread.setDaemon(true);
        thread.start();
    }

    /** Whether the thread serves its connections. Safe for any thread. */
    public boolean isRunning() {
        return !closed;
    }

    /** Refuses what would wait for the thread for ever. Safe for any thread. */
    void requireRunning() throws IwarpException {
        if (closed) {
            throw new IwarpException(thread.getName() + " has ended, and with it its devices; the log says why");
        }
    }

    /** Tells, if it is news, that a connection from {@code who} was refused. On the loop's thread. */
    void refused(InetSocketAddress who, String why) {
        refusals.refused(who, why, System.nanoTime());
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

    /**
     * Waits, up to 5 s, until the selector has let go of what was closed before; only then is its port free. At once on
     * the loop's thread. Safe for any thread.
     */
    void awaitSelection() {
        if (onThread()) {
            return;
        }
        CountDownLatch selected = new CountDownLatch(1);
        execute(() -> execute(selected::countDown)); // a task of the first round may run before it selects again
        long deadlineNanos = System.nanoTime() + CLOSE_TIMEOUT.toNanos();
        try {
            boolean isDone = false;
            while (!isDone && thread.isAlive() && System.nanoTime() - deadlineNanos < 0) {
                isDone = selected.await(TIMER_MILLIS, TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
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

    /** Where sockets for connects come from, on the loop's thread. */
    SpareSocket spareSocket() {
        return spareSocket;
    }

    /** What takes long in TLS handshakes is done there. */
    HandshakeTasks handshakes() {
        return handshakes;
    }

    /** Watches a deadline, on the loop's thread. */
    void watch(Timed timed) {
        timers.add(timed);
    }

    /** Forgets a deadline, on the loop's thread. */
    void unwatch(Timed timed) {
        timers.remove(timed);
    }

    /** Runs {@code task} in {@value #LATER_MILLIS} ms or a little more, on the loop's thread and from it. */
    void later(Runnable task) {
        if (later.isEmpty()) {
            laterNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LATER_MILLIS);
        }
        later.add(task);
    }

    /** Looks after a parked queue pair, on the loop's thread. */
    void park(SocketQueuePair pair) {
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
        try {
            while (!closed) {
                selector.select(dispatcher, timeoutMillis());
                runTasks();
                long now = System.nanoTime();
                expire(now);
                runLater(now);
                unpark(now);
                wakeWaiters();
            }
        } catch (IOException | RuntimeException | OutOfMemoryError e) { // what one connection does is caught below
            LOG.error("{} failed; all its connections end", thread.getName(), e);
        } finally {
            closed = true;
            shutDown();
        }
    }

    private long timeoutMillis() {
        if (!later.isEmpty()) {
            return parked.isEmpty() ? LATER_MILLIS : Math.min(LATER_MILLIS, checkMillis);
        }
        if (!parked.isEmpty()) {
            return checkMillis;
        }
        if (!timers.isEmpty()) {
            return TIMER_MILLIS;
        }
        return refusals.owesLine() ? REFUSALS_MILLIS : 0;
    }

    /** Direct buffers may be out, and without descriptors no class is loaded: the connection that wants them ends. */
    private void dispatch(SelectionKey key) {
        Ready target = (Ready) key.attachment();
        try {
            target.ready(key);
        } catch (RuntimeException | OutOfMemoryError | LinkageError e) {
            failed(target, e);
        }
        if (!toWake.isEmpty() && ++servedSinceRaised >= WAKE_AFTER_SERVED) {
            wakeWaiters();
        }
    }

    /** Serving {@code target} failed for a reason of ours: it ends. Safe for any thread. */
    void failed(Ready target, Throwable why) {
        LOG.error("{}: serving a connection failed; it ends", thread.getName(), why);
        guarded(() -> target.abort("internal error: " + why));
    }

    /** Runs what one connection wants; that it fails must not hurt the others. */
    private void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | OutOfMemoryError | LinkageError e) {
            LOG.error("{}: a task failed", thread.getName(), e);
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
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            batch.add(task); // first: what they add in turn belongs to the next round
        }
        for (Runnable task = batch.poll(); task != null; task = batch.poll()) {
            guarded(task);
        }
    }

    private void expire(long now) {
        if (now - expiredNanos < TimeUnit.MILLISECONDS.toNanos(TIMER_MILLIS)) {
            return;
        }
        expiredNanos = now;
        refusals.tick(now);
        for (Timed timed : timers) {
            if (timed.deadlineNanos() - now <= 0) {
                due.add(timed);
            }
        }
        for (Timed timed = due.poll(); timed != null; timed = due.poll()) {
            timers.remove(timed);
            guarded(timed::expired);
        }
    }

    private void runLater(long nowNanos) {
        if (!later.isEmpty() && nowNanos - laterNanos >= 0) {
            List<Runnable> now = List.copyOf(later);
            later.clear(); // first: what they add in turn belongs to the next time
            now.forEach(this::guarded);
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
            SocketQueuePair pair = parked.get(i);
            if (unpark(pair, check)) {
                parked.remove(i);
            } else if (pair.polls().isLeftToWaiter()) {
                checkMillis = FIRST_CHECK_MILLIS; // who waits may take long over an event, while the peer goes on
            }
        }
    }

    private boolean unpark(SocketQueuePair pair, boolean check) {
        try {
            return pair.unpark(check);
        } catch (RuntimeException | OutOfMemoryError | LinkageError e) {
            failed(pair, e);
            return true;
        }
    }

    private void shutDown() {
        runTasks();
        for (SelectionKey key : List.copyOf(selector.keys())) {
            if (key.attachment() instanceof Ready target) {
                guarded(() -> target.abort("the device is closed"));
            }
        }
        runTasks();
        wakeWaiters();
        spareSocket.close();
        handshakes.close();
        try {
            selector.close();
        } catch (IOException e) {
            LOG.warn("{}: closing the selector failed", thread.getName(), e);
        }
    }
}
