package dev.retier.agent.http;

import dev.retier.agent.http.EventRing.Event;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.sse.ServerSentEventConnection;
import io.undertow.server.handlers.sse.ServerSentEventHandler;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import io.undertow.util.Methods;
import io.undertow.util.StatusCodes;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.xnio.IoUtils;

/**
 * Streams events and the status to those who watch, as server-sent events (WHATWG HTML, section 9.2). One thread of its
 * own writes a status once for all of them, and only while there is one; seldomer where that takes long, as in a large
 * cell or on a busy machine, and nothing moves. Who does not take what is sent gets the next status later, and is left
 * when two rings of events wait for it. A stream ends after ten minutes, so that whoever may watch no more does not:
 * clients come again and go on where they were. Thread-safe.
 */
final class EventStream implements HttpHandler, AutoCloseable {
    static final int MOST_CLIENTS = 16;

    /** From one status to the next; while nothing moves longer, until writing one takes no more than this part. */
    private static final Duration STATUS_EVERY = Duration.ofMillis(200);

    private static final int STATUS_SHARE = 200;
    private static final Duration STATUS_AT_LEAST_EVERY = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofMinutes(10);
    private static final int COMMENT_EVERY_MILLIS = 10_000;
    /** Who resumes gets a ring of them at once. */
    private static final int MOST_UNSENT = 2 * EventRing.MOST;

    private static final HttpString BUFFERING = new HttpString("X-Accel-Buffering");

    private final EventRing ring;
    private final Supplier<String> status;
    private final Keeping keeping;
    private final ServerSentEventHandler handler = new ServerSentEventHandler(this::opened);
    private final List<Client> clients = new CopyOnWriteArrayList<>();
    private final Semaphore places = new Semaphore(MOST_CLIENTS);
    private final Semaphore arrivals = new Semaphore(0);
    private final Thread thread;
    private long looked;
    private long livelyUntilNanos = System.nanoTime();

    /** The listener's connections, of which a stream takes one for long. */
    interface Keeping {
        /** Whether there is one to spare; then it stays for this exchange. */
        boolean take(HttpServerExchange exchange);

        /** Gives one back. */
        void giveBack();
    }

    /** One who watches; sent to by the stream's thread alone. */
    private final class Client implements ServerSentEventConnection.EventCallback {
        private final ServerSentEventConnection connection;
        private final long openedNanos;
        private final AtomicInteger unsent = new AtomicInteger();
        private volatile boolean isStatusUnsent;
        private @Nullable String status;
        private boolean hasMissed;
        private long number;

        private Client(ServerSentEventConnection connection, @Nullable String lastId, long nowNanos) {
            this.connection = connection;
            this.openedNanos = nowNanos;
            long newest = ring.newest();
            this.number = lastId == null || lastId.isEmpty()
                    ? newest
                    : ring.number(lastId).orElse(-1);
            this.hasMissed = number < 0 || ring.hasLost(number);
        }

        private void send(String event, @Nullable String id, String json) {
            if (unsent.incrementAndGet() > MOST_UNSENT) {
                IoUtils.safeClose(connection);
            } else {
                connection.send(json, event, id, this);
            }
        }

        private void sendEvents() {
            if (hasMissed) {
                hasMissed = false;
                send("gap", null, "{}");
            }
            for (Event event : ring.after(number)) {
                number = event.number();
                send(event.kind().name().toLowerCase(Locale.ROOT), ring.id(event), event.json());
            }
        }

        /** To one who has come meanwhile. */
        private void sendFirst(String kept) {
            if (status == null) {
                sendStatus(kept);
            }
        }

        private void sendStatus(String newest) {
            if (!isStatusUnsent && !newest.equals(status)) {
                status = newest;
                isStatusUnsent = true;
                send("status", null, newest);
            }
        }

        @Override
        public void done(ServerSentEventConnection to, String data, String event, String id) {
            sent(event);
        }

        @Override
        public void failed(ServerSentEventConnection to, String data, String event, String id, IOException why) {
            sent(event);
        }

        private void sent(String event) {
            unsent.decrementAndGet();
            if (event.equals("status")) {
                isStatusUnsent = false;
            }
        }
    }

    /**
     * For those who watch an agent.
     *
     * @param node its name, for the thread
     * @param status gives the newest, for any thread
     */
    EventStream(String node, EventRing ring, Supplier<String> status, Keeping keeping) {
        this.ring = ring;
        this.status = status;
        this.keeping = keeping;
        this.thread = Thread.ofVirtual().name("retier-events-" + node).unstarted(this::run);
    }

    /** Sends from now on. */
    void start() {
        thread.start();
    }

    @Override
    public void handleRequest(HttpServerExchange exchange) throws Exception {
        exchange.getResponseHeaders()
                .put(Headers.CACHE_CONTROL, "no-store")
                .put(Headers.CONTENT_TYPE, "text/event-stream; charset=UTF-8")
                .put(BUFFERING, "no");
        if (exchange.getRequestMethod().equals(Methods.HEAD)) {
            exchange.endExchange();
        } else if (!places.tryAcquire()) {
            tooMany(exchange);
        } else if (!keeping.take(exchange)) {
            places.release();
            tooMany(exchange);
        } else {
            exchange.addExchangeCompleteListener((_, next) -> {
                keeping.giveBack();
                places.release();
                next.proceed();
            });
            handler.handleRequest(exchange);
        }
    }

    private static void tooMany(HttpServerExchange exchange) {
        new Problem(
                        StatusCodes.SERVICE_UNAVAILABLE,
                        "as many watch this agent as it takes",
                        "close a page that nobody looks at, or ask another agent of the cell")
                .send(exchange);
    }

    private void opened(ServerSentEventConnection connection, @Nullable String lastId) {
        connection.setKeepAliveTime(COMMENT_EVERY_MILLIS);
        Client client = new Client(connection, lastId, System.nanoTime());
        connection.addCloseTask(_ -> clients.remove(client));
        clients.add(client);
        arrivals.release();
    }

    private void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                if (clients.isEmpty()) {
                    arrivals.acquire();
                } else {
                    send();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What a new client has missed, the status, then events as they come until the next status is due. */
    private void send() throws InterruptedException {
        long beganNanos = System.nanoTime();
        List<Client> present = List.copyOf(clients);
        present.forEach(Client::sendEvents);
        String newest = status.get();
        present.forEach(client -> client.sendStatus(newest));
        long pauseNanos = pauseNanos(System.nanoTime() - beganNanos);
        for (long passedNanos = 0;
                passedNanos < (isLively() ? STATUS_EVERY.toNanos() : pauseNanos);
                passedNanos = System.nanoTime() - beganNanos) {
            long number = ring.newest();
            for (Client client : clients) {
                client.sendEvents();
                client.sendFirst(newest);
            }
            long restNanos = STATUS_EVERY.toNanos() - passedNanos % STATUS_EVERY.toNanos();
            ring.await(number, Duration.ofNanos(restNanos));
        }
        long oldestNanos = System.nanoTime() - LONGEST.toNanos();
        clients.stream()
                .filter(client -> client.openedNanos - oldestNanos < 0)
                .forEach(client -> client.connection.shutdown());
    }

    /** Whether a node has moved a moment ago, or a command ended: who watches wants to see what became of it. */
    private boolean isLively() {
        for (Event event : ring.after(looked)) {
            looked = event.number();
            if (event.kind() != EventRing.Kind.DECISION) {
                livelyUntilNanos = System.nanoTime() + STATUS_AT_LEAST_EVERY.toNanos();
            }
        }
        return livelyUntilNanos - System.nanoTime() > 0;
    }

    /** From one status to the next, when one took so long. */
    private static long pauseNanos(long tookNanos) {
        return Math.clamp(tookNanos * STATUS_SHARE, STATUS_EVERY.toNanos(), STATUS_AT_LEAST_EVERY.toNanos());
    }

    /** Ends all streams. */
    @Override
    public void close() {
        thread.interrupt();
        clients.forEach(client -> client.connection.shutdown());
    }
}
