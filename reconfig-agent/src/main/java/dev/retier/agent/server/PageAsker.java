package dev.retier.agent.server;

import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.status.PageWatch;
import dev.retier.agent.status.ServerPage;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Asks for the status page, and waits for it no longer than who publishes the load may: a page of a busy server is late
 * by hundreds of milliseconds. A page that comes at once on a connection that stands needs no other thread. All that
 * may take longer has a thread of its own: pages that are late, connections to be opened, and after a page that failed
 * the question that a client asks, whether the server answers at all.
 */
final class PageAsker implements AutoCloseable {
    private static final Duration PAGE_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration CLIENT_TIMEOUT = Duration.ofMillis(500);
    /** Uptime counts in whole seconds. */
    private static final Duration STILL_BOUND = Duration.ofSeconds(3);

    private static final Duration JOIN_TIMEOUT = Duration.ofSeconds(3);

    private final ServerConfig server;
    private final ServerDialect dialect;
    private final PageWatch watch = new PageWatch(STILL_BOUND);
    private final Thread thread;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    private long asked; // guarded by lock
    private long answered; // guarded by lock
    private long taken; // guarded by lock, the answer that was given to the asker last
    private Answer newest = new Answer(null, "not asked yet", false, System.nanoTime(), 0); // guarded by lock
    private boolean isClosing; // guarded by lock
    /** Connections that were opened, at most, since the server answered last. */
    private final AtomicInteger unanswered = new AtomicInteger();
    /** When a page that is late was asked for, 0 for none: who asks hands it over to the thread with its ticket. */
    private long begunNanos;

    /**
     * How asking went.
     *
     * @param page null when it failed
     * @param why what is the matter, empty when nothing is
     * @param answersClients whether the server answers a client's request; true with a page
     * @param askedAtNanos when it was asked, monotonic
     * @param tookNanos until it was known
     */
    record Answer(@Nullable ServerPage page, String why, boolean answersClients, long askedAtNanos, long tookNanos) {}

    PageAsker(String name, ServerConfig server, ServerDialect dialect) {
        this.server = server;
        this.dialect = dialect;
        this.thread = Thread.ofPlatform().name("retier-page-" + name).daemon().unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /**
     * Asks, and waits so long for an answer to it, else gives one that an earlier asking did not wait for: under load
     * every answer may be late, and is still one. Null when there is neither; {@link #newest} was given before then.
     * For one thread.
     */
    @Nullable
    Answer ask(Duration patience) throws InterruptedException {
        long endNanos = System.nanoTime() + patience.toNanos();
        if (isThreadIdle() && dialect.isPrompt()) {
            Answer prompt = promptly(patience);
            if (prompt != null) {
                return prompt;
            }
        }
        return askThread(endNanos - System.nanoTime());
    }

    /** Until it gets a ticket, the dialect is for who asks. */
    private boolean isThreadIdle() {
        lock.lock();
        try {
            return asked == answered;
        } finally {
            lock.unlock();
        }
    }

    /** Null when that is for the thread to know. */
    private @Nullable Answer promptly(Duration patience) {
        long askedAtNanos = System.nanoTime();
        ServerPage page;
        try {
            page = dialect.promptly(patience);
        } catch (IOException e) {
            // A kept connection was closed meanwhile, or worse: the thread finds out on one of its own.
            return null;
        }
        if (page == null) {
            begunNanos = askedAtNanos;
            return null;
        }
        long nowNanos = System.nanoTime();
        if (watch.isStill(page, nowNanos)) {
            return null;
        }
        return keep(new Answer(page, "", true, askedAtNanos, nowNanos - askedAtNanos));
    }

    private Answer keep(Answer answer) {
        lock.lock();
        try {
            newest = answer;
            taken = answered;
            return answer;
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Answer askThread(long patienceNanos) throws InterruptedException {
        long leftNanos = patienceNanos;
        lock.lock();
        try {
            long ticket = ++asked;
            changed.signalAll();
            while (answered < ticket && leftNanos > 0) {
                leftNanos = changed.awaitNanos(leftNanos);
            }
            if (answered == taken) {
                return null;
            }
            taken = answered;
            return newest;
        } finally {
            lock.unlock();
        }
    }

    /** How many connections of its own may still wait in the server's accept queue, at most; any thread. */
    int unanswered() {
        return unanswered.get();
    }

    /** Whether an answer is still to come. */
    boolean isAsking() {
        return !isThreadIdle();
    }

    /** How asking went when it last ended. */
    Answer newest() {
        lock.lock();
        try {
            return newest;
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        try {
            for (long ticket = next(); ticket > 0; ticket = next()) {
                Answer answer = fetch();
                lock.lock();
                try {
                    newest = answer;
                    answered = ticket;
                    changed.signalAll();
                } finally {
                    lock.unlock();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private long next() throws InterruptedException {
        lock.lock();
        try {
            while (asked == answered && !isClosing) {
                changed.await();
            }
            return isClosing ? 0 : asked;
        } finally {
            lock.unlock();
        }
    }

    private Answer fetch() {
        long askedAtNanos = begunNanos == 0 ? System.nanoTime() : begunNanos;
        begunNanos = 0;
        unanswered.incrementAndGet();
        try {
            ServerPage page = dialect.page(PAGE_TIMEOUT.minusNanos(System.nanoTime() - askedAtNanos));
            unanswered.set(0);
            long nowNanos = System.nanoTime();
            return watch.isStill(page, nowNanos)
                    ? failed("the status page stands still", askedAtNanos)
                    : new Answer(page, "", true, askedAtNanos, nowNanos - askedAtNanos);
        } catch (IOException e) {
            return failed(e.toString(), askedAtNanos);
        }
    }

    private Answer failed(String why, long askedAtNanos) {
        boolean answersClients = answersClients();
        return new Answer(null, why, answersClients, askedAtNanos, System.nanoTime() - askedAtNanos);
    }

    private boolean answersClients() {
        dialect.countOwnRequest();
        unanswered.incrementAndGet();
        try (HttpFetch fetch = new HttpFetch(server.address(), dialect.clientHost(server))) {
            boolean isAnswered = dialect.isAnswer(
                    fetch.probe(server.provePath(), CLIENT_TIMEOUT).status());
            unanswered.set(0);
            return isAnswered;
        } catch (IOException e) {
            // That is the answer to the question.
            return false;
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            isClosing = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        try {
            if (thread.isAlive()) {
                thread.join(JOIN_TIMEOUT);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
