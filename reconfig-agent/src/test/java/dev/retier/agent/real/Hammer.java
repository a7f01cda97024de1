package dev.retier.agent.real;

import dev.retier.config.HostPort;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Clients that ask again and again and never retry, so that every request that is lost counts. With kept connections
 * they leave a target that is no longer listed before their next request.
 */
public final class Hammer implements AutoCloseable {
    private static final int TIMEOUT_MS = 10_000;

    private final Supplier<List<HostPort>> targets;
    private final List<String> paths;
    private final boolean keepsConnections;
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicLong done = new AtomicLong();
    private final List<String> failures = new CopyOnWriteArrayList<>();
    private final AtomicLong lastAnswerNanos = new AtomicLong(System.nanoTime());
    private final AtomicLong longestGapNanos = new AtomicLong();
    private volatile boolean isStopping;

    private Hammer(Supplier<List<HostPort>> targets, List<String> paths, boolean keepsConnections) {
        this.targets = targets;
        this.paths = paths;
        this.keepsConnections = keepsConnections;
    }

    /** Starts so many clients, which ask for these paths in turn. */
    public static Hammer start(
            int clients, boolean keepsConnections, List<String> paths, Supplier<List<HostPort>> targets) {
        Hammer hammer = new Hammer(targets, paths, keepsConnections);
        for (int i = 0; i < clients; i++) {
            int first = i;
            hammer.threads.add(Thread.ofPlatform().daemon().name("hammer-" + i).start(() -> hammer.run(first)));
        }
        return hammer;
    }

    private void run(int first) {
        int turn = first;
        Connection kept = null;
        while (!isStopping) {
            List<HostPort> now = targets.get();
            int number = turn++;
            HostPort target = now.get(number % now.size());
            if (kept != null && !now.contains(kept.target)) {
                kept.close();
                kept = null;
            }
            kept = ask(kept, target, paths.get(number % paths.size()));
        }
        if (kept != null) {
            kept.close();
        }
    }

    private @Nullable Connection ask(@Nullable Connection kept, HostPort target, String path) {
        Connection connection = kept;
        try {
            if (connection == null) {
                connection = new Connection(target);
            }
            String answer = connection.get(path, keepsConnections);
            if (answer.startsWith("200 ")) {
                answered();
            } else {
                failures.add(LocalTime.now(ZoneId.systemDefault()) + " " + path + " at " + connection.target + ": "
                        + answer);
            }
            if (!keepsConnections || connection.isEnded) {
                connection.close();
                return null;
            }
            return connection;
        } catch (IOException e) {
            failures.add(path + " at " + (connection == null ? target : connection.target) + ": " + e);
            if (connection != null) {
                connection.close();
            }
            return null;
        }
    }

    private void answered() {
        done.incrementAndGet();
        long nowNanos = System.nanoTime();
        long gap = nowNanos - lastAnswerNanos.getAndSet(nowNanos);
        longestGapNanos.accumulateAndGet(gap, Math::max);
    }

    /** Requests answered with 200. */
    public long done() {
        return done.get();
    }

    /** What was lost, and how. */
    public List<String> failures() {
        return failures;
    }

    /** The longest time in which no client had an answer. */
    public long longestGapMillis() {
        return longestGapNanos.get() / 1_000_000;
    }

    /** Forgets the longest gap until now. */
    public void forgetGap() {
        longestGapNanos.set(0);
    }

    @Override
    public void close() {
        isStopping = true;
        for (Thread thread : threads) {
            try {
                thread.join(TIMEOUT_MS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** One connection of one client. */
    private static final class Connection {
        private final HostPort target;
        private final Socket socket;
        private boolean isEnded;

        Connection(HostPort target) throws IOException {
            this.target = target;
            this.socket = new Socket();
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(TIMEOUT_MS);
            socket.connect(new InetSocketAddress(target.host(), target.port()), TIMEOUT_MS);
        }

        /** The whole answer in one line, the status first: who gave it and why shows there. */
        String get(String path, boolean isKept) throws IOException {
            String request = "GET " + path + " HTTP/1.1\r\nHost: shop.example\r\n"
                    + (isKept ? "" : "Connection: close\r\n") + "\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            InputStream in = socket.getInputStream();
            StringBuilder head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
                int next = in.read();
                if (next < 0) {
                    throw new EOFException("closed after " + head.length() + " bytes of an answer");
                }
                head.append((char) next);
            }
            String lower = head.toString().toLowerCase(java.util.Locale.ROOT);
            isEnded = lower.contains("\r\nconnection: close");
            int at = lower.indexOf("\r\ncontent-length:");
            int length = at < 0
                    ? 0
                    : Integer.parseInt(lower.substring(at + 17, lower.indexOf('\r', at + 2))
                            .strip());
            byte[] body = in.readNBytes(length);
            if (body.length < length) {
                throw new EOFException("closed in the body of an answer");
            }
            return (head.substring(9) + new String(body, StandardCharsets.UTF_8)).replaceAll("\\s+", " ");
        }

        void close() {
            try {
                socket.close();
            } catch (IOException e) {
                // It is given up either way.
                return;
            }
        }
    }
}
