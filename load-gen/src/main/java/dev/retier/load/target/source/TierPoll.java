package dev.retier.load.target.source;

import dev.retier.load.target.TierHistory;
import dev.retier.load.target.TierWatch;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks agents for a site's tiers during a run, by {@code GET /v1/status}: one of them, and the next when it does not
 * answer. Thread-safe.
 */
public final class TierPoll implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TierPoll.class);
    private static final long LOOK_EVERY_MILLIS = 250;
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final int MAX_BYTES = 1 << 22;
    private static final int OK = 200;
    private static final double NANOS_PER_SECOND = 1e9;

    private final List<URI> agents;
    private final TierWatch watch;
    private final long startNanos = System.nanoTime();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final AgentAccess access;
    private final HttpClient client;
    private final Thread thread;
    private int asked;

    private TierPoll(List<URI> agents, AgentAccess access, String site) {
        this.agents = List.copyOf(agents);
        this.access = access;
        this.client = access.client().connectTimeout(TIMEOUT).build();
        this.watch = new TierWatch(site);
        this.thread = Thread.ofVirtual().name("load-tiers").unstarted(this::poll);
    }

    /** Begins to ask {@code agents} (at least one), which are shown {@code access}, for the tiers of {@code site}. */
    public static TierPoll start(List<URI> agents, AgentAccess access, String site) {
        TierPoll poll = new TierPoll(agents, access, site);
        poll.thread.start();
        return poll;
    }

    /** What has been seen so far; times count from {@link #start}. */
    public TierHistory history() {
        synchronized (watch) {
            return watch.history();
        }
    }

    @Override
    public void close() {
        closed.countDown();
        thread.interrupt();
        client.shutdownNow();
    }

    private void poll() {
        try {
            do {
                ask(agents.get(asked % agents.size()));
            } while (!closed.await(LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void ask(URI agent) throws InterruptedException {
        try {
            URI uri = URI.create(agent.toString().replaceAll("/+$", "") + "/v1/status");
            HttpRequest request = access.request(uri).timeout(TIMEOUT).build();
            HttpResponse<InputStream> response = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
            try (InputStream body = response.body()) {
                String json = new String(body.readNBytes(MAX_BYTES), StandardCharsets.UTF_8);
                take(response.statusCode() == OK, json);
            }
        } catch (IOException e) {
            LOG.debug("agent {} tells no tiers: {}", agent, e.toString());
            asked++;
        }
    }

    private void take(boolean good, String json) {
        synchronized (watch) {
            boolean taken = good && watch.offer((System.nanoTime() - startNanos) / NANOS_PER_SECOND, json);
            asked += taken ? 0 : 1;
        }
    }
}
