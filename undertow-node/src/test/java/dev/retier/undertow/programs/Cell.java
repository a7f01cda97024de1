package dev.retier.undertow.programs;

import static org.awaitility.Awaitility.await;

import dev.retier.undertow.UndertowNode;
import dev.retier.undertow.upstream.UpstreamLimits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** Programs of one kind as nodes on loopback, their role files in one folder, and a client for them. */
final class Cell implements AutoCloseable {
    static final Duration OFTEN = Duration.ofMillis(5);

    private final Path folder;
    private final Program.Kind kind;
    private final String context;
    private final Map<String, Program> programs = new LinkedHashMap<>();
    private final Map<String, UndertowNode> nodes = new LinkedHashMap<>();
    private final Map<String, Long> epochs = new LinkedHashMap<>();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /** Programs whose paths begin with {@code context}. */
    Cell(Path folder, Program.Kind kind, String context) {
        this.folder = folder;
        this.kind = kind;
        this.context = context;
    }

    void start(String... names) throws Exception {
        for (String name : names) {
            start(name, UpstreamLimits.DEFAULTS);
        }
    }

    void start(String name, UpstreamLimits limits) throws Exception {
        write(name, "\"role\": \"app\", \"site\": \"shop\"");
        UndertowNode node = UndertowNode.builder(name, roleFile(name))
                .upstreamLimits(limits)
                .start();
        nodes.put(name, node);
        programs.put(name, kind.start(name, node));
    }

    void makeApp(String name) {
        write(name, "\"role\": \"app\", \"site\": \"shop\"");
        awaitNewest(name);
    }

    void makeProxy(String name, String... apps) {
        makeProxyWith(name, "", apps);
    }

    /** With {@code more} keys in the file. */
    void makeProxyWith(String name, String more, String... apps) {
        makeProxyOf(
                name,
                more,
                Arrays.stream(apps).map(app -> app(app, port(app), 100)).toArray(String[]::new));
    }

    /** An item of the list of apps. */
    static String app(String name, int port, int weight) {
        return "{\"node\": \"%s\", \"address\": \"127.0.0.1:%d\", \"weight\": %d}".formatted(name, port, weight);
    }

    void makeProxyOf(String name, String more, String... items) {
        String list = String.join(", ", items);
        write(name, "\"role\": \"proxy\", \"site\": \"shop\", " + more + "\"apps\": [" + list + "]");
        awaitNewest(name);
    }

    UndertowNode node(String name) {
        return nodes.computeIfAbsent(name, unknown -> {
            throw new IllegalArgumentException("no node " + unknown);
        });
    }

    Program program(String name) {
        return programs.computeIfAbsent(name, unknown -> {
            throw new IllegalArgumentException("no program " + unknown);
        });
    }

    int port(String name) {
        return program(name).port();
    }

    String path(String path) {
        return context + path;
    }

    HttpResponse<String> get(String name, String path, String... headers) {
        HttpRequest.Builder request = request(port(name), context + path);
        return send(headers.length > 0 ? request.headers(headers) : request);
    }

    HttpResponse<String> post(String name, String path, BodyPublisher body) {
        return send(request(port(name), context + path).POST(body));
    }

    HttpResponse<String> admin(String name, String path) {
        return send(request(program(name).adminPort(), path));
    }

    private static HttpRequest.Builder request(int port, String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    long epoch(String name) {
        return epochs.getOrDefault(name, 0L);
    }

    private void awaitNewest(String name) {
        await().pollInterval(OFTEN).until(() -> node(name).status().appliedEpoch() == epoch(name));
    }

    private Path roleFile(String name) {
        return folder.resolve(name + ".json");
    }

    private void write(String name, String content) {
        long epoch = epochs.merge(name, 1L, Long::sum);
        try {
            Path staged = folder.resolve(name + ".staged");
            Files.writeString(staged, "{\"epoch\": " + epoch + ", " + content + "}");
            Files.move(staged, roleFile(name), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        Gate.open();
        client.shutdownNow();
        nodes.values().forEach(UndertowNode::close);
        programs.values().forEach(Program::close);
    }
}
