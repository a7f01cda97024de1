package dev.retier.load.drive;

import dev.retier.load.target.Target;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/** A small HTTP server on a port of its own, one virtual thread per connection, that behaves as it is told. */
final class TestServer implements AutoCloseable {
    private final ServerSocket listener;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicLong requests = new AtomicLong();
    private final AtomicLong cutInFlight = new AtomicLong();
    private final AtomicLong accepted = new AtomicLong();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile Behaviour behaviour = TestServer::answerOk;

    /** Writes the answer to one request; returns whether the connection goes on. */
    @FunctionalInterface
    interface Behaviour {
        boolean answer(String requestLine, Socket socket) throws IOException, InterruptedException;
    }

    private TestServer(ServerSocket listener) {
        this.listener = listener;
    }

    static TestServer start() {
        return start(0);
    }

    static TestServer start(int port) {
        try {
            TestServer server = new TestServer(new ServerSocket(port, 1024, InetAddress.getLoopbackAddress()));
            Thread.ofVirtual().start(server::accept);
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    TestServer behaving(Behaviour wanted) {
        behaviour = wanted;
        return this;
    }

    Target target() {
        return new Target("127.0.0.1", listener.getLocalPort());
    }

    long requests() {
        return requests.get();
    }

    long accepted() {
        return accepted.get();
    }

    int connections() {
        return open.size();
    }

    /** Connections that the client ended between sending a request and getting its answer. */
    long cutInFlight() {
        return cutInFlight.get();
    }

    static boolean answerOk(String requestLine, Socket socket) throws IOException {
        return send(socket, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    }

    static boolean send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        return true;
    }

    /** Never answers, until this server is closed. */
    boolean silence(String requestLine, Socket socket) throws InterruptedException {
        closed.await();
        return false;
    }

    @Override
    public void close() {
        die();
    }

    /** Stops listening and cuts all connections. */
    void die() {
        try {
            listener.close();
            closed.countDown();
            for (Socket socket : open) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listener.accept();
                accepted.incrementAndGet();
                open.add(socket);
                Thread.ofVirtual().start(() -> serve(socket));
            }
        } catch (IOException e) {
            closed.countDown();
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(socket.getInputStream());
            boolean goOn = true;
            for (String line = head(in); goOn && !line.isEmpty(); line = goOn ? head(in) : "") {
                requests.incrementAndGet();
                goOn = answer(line, socket);
            }
        } catch (IOException e) {
            // The other side, or close(), ended the connection: what the tests look at is counted elsewhere.
            open.remove(socket);
        } finally {
            open.remove(socket);
        }
    }

    private boolean answer(String line, Socket socket) throws IOException {
        try {
            return behaviour.answer(line, socket);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (IOException e) {
            cutInFlight.incrementAndGet();
            throw e;
        }
    }

    /** The request line of the next head; empty at the end of the connection. */
    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.length() < 4 || !head.substring(head.length() - 4).equals("\r\n\r\n")) {
            int c = in.read();
            if (c < 0) {
                return "";
            }
            head.append((char) c);
        }
        return head.substring(0, head.indexOf("\r\n"));
    }
}
