package dev.retier.bench.agent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/** Clients that watch one agent, as pages do, and count what they get. Not thread-safe. */
final class Viewers implements AutoCloseable {
    private final HttpClient client = HttpClient.newHttpClient();
    private final LongAdder statuses = new LongAdder();
    private final LongAdder characters = new LongAdder();
    private final List<Thread> threads = new ArrayList<>();

    private Viewers() {}

    /**
     * Opens so many.
     *
     * @throws IOException when the agent does not let them watch
     */
    static Viewers open(URI agent, int count) throws IOException, InterruptedException {
        Viewers viewers = new Viewers();
        for (int i = 0; i < count; i++) {
            HttpResponse<Stream<String>> answer = viewers.client.send(
                    HttpRequest.newBuilder(agent.resolve("/v1/events")).build(), HttpResponse.BodyHandlers.ofLines());
            if (answer.statusCode() != 200) {
                viewers.close();
                throw new IOException(agent + "/v1/events: status " + answer.statusCode());
            }
            viewers.threads.add(Thread.ofVirtual().name("viewer-" + i).start(() -> viewers.read(answer.body())));
        }
        return viewers;
    }

    private void read(Stream<String> lines) {
        try (lines) {
            lines.forEach(line -> {
                characters.add(line.length());
                if (line.equals("event:status")) {
                    statuses.increment();
                }
            });
        } catch (UncheckedIOException e) {
            // The bench has closed it.
            return;
        }
    }

    /** How often they were told the status since they came, all together. */
    long statuses() {
        return statuses.sum();
    }

    /** How much they got since they came, all together. */
    long characters() {
        return characters.sum();
    }

    /** Whether all of them still watch. */
    boolean areThere() {
        return threads.stream().allMatch(Thread::isAlive);
    }

    @Override
    public void close() {
        client.shutdownNow();
        client.close();
    }
}
