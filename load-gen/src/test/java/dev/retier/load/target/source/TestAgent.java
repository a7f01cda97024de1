package dev.retier.load.target.source;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;

/** An agent that serves one target list, with long poll. */
final class TestAgent implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final BlockingQueue<String> polls = new LinkedBlockingQueue<>();
    private final String site;
    private long epoch;
    private String target;
    private boolean endPolls;

    private TestAgent(HttpServer server, String site, long epoch, String target) {
        this.server = server;
        this.site = site;
        this.epoch = epoch;
        this.target = target;
    }

    static TestAgent start(String site, long epoch, String target) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        TestAgent agent = new TestAgent(server, site, epoch, target);
        server.createContext("/v1/targets/" + site, agent::handle);
        server.setExecutor(agent.threads);
        server.start();
        return agent;
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    synchronized void publish(long newEpoch, String newTarget) {
        epoch = newEpoch;
        target = newTarget;
        notifyAll();
    }

    synchronized void endPollWithoutNews() {
        endPolls = true;
        notifyAll();
    }

    /** If-None-Match and Prefer of the next long poll that reached this agent. */
    String awaitPoll() throws InterruptedException {
        return polls.take();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String known = exchange.getRequestHeaders().getFirst("If-None-Match");
            if (known != null) {
                polls.add(known + " " + exchange.getRequestHeaders().getFirst("Prefer"));
            }
            answer(exchange, known == null || awaitChange(known));
        }
    }

    private synchronized boolean awaitChange(String known) {
        try {
            while (known.equals("\"" + epoch + "\"") && !endPolls) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        boolean changed = !endPolls;
        endPolls = false;
        return changed;
    }

    private void answer(HttpExchange exchange, boolean changed) throws IOException {
        if (!changed) {
            exchange.sendResponseHeaders(304, -1);
            return;
        }
        byte[] body;
        synchronized (this) {
            exchange.getResponseHeaders().set("ETag", "\"" + epoch + "\"");
            body = "{\"epoch\": %d, \"site\": \"%s\", \"targets\": [\"%s\"]}"
                    .formatted(epoch, site, target)
                    .getBytes(StandardCharsets.UTF_8);
        }
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
    }
}
