package dev.retier.load.target.source;

import dev.retier.load.LoadException;
import dev.retier.load.target.TargetList;
import dev.retier.load.target.TargetListJson;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Long polls of one agent: {@code GET} with {@code If-None-Match} and {@code Prefer: wait=N} (RFC 9110 section 13.1.2,
 * RFC 7240 section 4.3). After a failure it waits, twice as long each time up to {@link #LONGEST_PAUSE_MILLIS}.
 */
final class AgentPoll implements Runnable {
    static final long LONGEST_PAUSE_MILLIS = 2_000;

    private static final Logger LOG = LoggerFactory.getLogger(AgentPoll.class);
    private static final long FIRST_PAUSE_MILLIS = 100;

    /** An agent that answers at once though nothing changed is asked no more often than this. */
    private static final long SHORTEST_POLL_MILLIS = 50;

    private static final Duration SLACK = Duration.ofSeconds(5);
    private static final int OK = 200;
    private static final int NOT_MODIFIED = 304;

    private final HttpClient client;
    private final Address address;
    private final CountDownLatch closed;
    private final Consumer<TargetList> listener;
    private @Nullable String etag;
    private int failures;

    record Address(URI uri, Duration pollWait, AgentAccess access) {}

    AgentPoll(HttpClient client, Address address, CountDownLatch closed, Consumer<TargetList> listener) {
        this.client = client;
        this.address = address;
        this.closed = closed;
        this.listener = listener;
    }

    @Override
    public void run() {
        try {
            while (closed.getCount() > 0) {
                long pauseMillis = poll();
                if (closed.await(pauseMillis, TimeUnit.MILLISECONDS)) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** One poll; returns how long to wait before the next. */
    private long poll() throws InterruptedException {
        try {
            HttpResponse<InputStream> response = client.send(request(), HttpResponse.BodyHandlers.ofInputStream());
            try (InputStream body = response.body()) {
                accept(response, body.readNBytes(TargetListJson.MAX_BYTES + 1));
            }
            failures = 0;
            return response.statusCode() == OK ? 0 : SHORTEST_POLL_MILLIS;
        } catch (IOException | LoadException e) {
            failures++;
            if (failures == 1) {
                LOG.debug("agent {} gives no targets: {}", address.uri(), e.toString());
            }
            return Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS << Math.min(failures - 1, 10));
        }
    }

    private HttpRequest request() {
        HttpRequest.Builder builder = address.access()
                .request(address.uri())
                .timeout(address.pollWait().plus(SLACK))
                .header("Accept", "application/json");
        if (etag != null) {
            builder.header("If-None-Match", etag);
            builder.header("Prefer", "wait=" + address.pollWait().toSeconds());
        }
        return builder.build();
    }

    private void accept(HttpResponse<InputStream> response, byte[] body) throws IOException {
        if (response.statusCode() == NOT_MODIFIED) {
            return;
        }
        if (response.statusCode() != OK || body.length > TargetListJson.MAX_BYTES) {
            throw new IOException("status " + response.statusCode() + ", " + body.length + " bytes");
        }
        String json = new String(body, StandardCharsets.UTF_8);
        TargetList list = TargetListJson.parse(address.uri().toString(), json);
        etag = response.headers().firstValue("ETag").orElse(null);
        listener.accept(list);
        if (etag == null) {
            throw new IOException("no ETag, so no long poll");
        }
    }
}
