package dev.retier.webnode;

import dev.retier.config.HostPort;
import dev.retier.webnode.config.Costs;
import dev.retier.webnode.config.Limits;
import dev.retier.webnode.config.WebNodeSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Map;

/** Web-nodes of one JVM on loopback, their role files in one folder, and a client for them. */
final class Loopback implements AutoCloseable {
    private static final HostPort ANY = new HostPort("127.0.0.1", 0);

    private final Path folder;
    private final WebNodeRuntime runtime = WebNodeRuntime.create(2);
    private final Map<String, WebNode> nodes = new LinkedHashMap<>();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    Loopback(Path folder) {
        this.folder = folder;
    }

    /** Starts an app of one million units per second, unless {@code capacity} says otherwise. */
    WebNode start(String name, double capacity, Limits limits) {
        writeRole(name, "{\"epoch\": 1, \"role\": \"app\", \"site\": \"shop\"}");
        WebNodeSettings settings = WebNodeSettings.of(name, ANY, ANY, roleFile(name), capacity)
                .withCosts(new Costs(3, 6, 1, 10, 1e6))
                .withLimits(limits);
        WebNode node = WebNode.start(settings, runtime);
        nodes.put(name, node);
        return node;
    }

    WebNode start(String name) {
        return start(name, 1e6, Limits.DEFAULTS);
    }

    void makeApp(String name, long epoch) {
        writeRole(name, "{\"epoch\": " + epoch + ", \"role\": \"app\", \"site\": \"shop\"}");
    }

    void makeProxy(String name, long epoch, String... apps) {
        makeProxyLettingGo(name, epoch, "", apps);
    }

    /** With {@code letGo} between the site and the apps. */
    void makeProxyLettingGo(String name, long epoch, String letGo, String... apps) {
        StringBuilder list = new StringBuilder();
        for (String app : apps) {
            list.append(list.isEmpty() ? "" : ",")
                    .append("{\"node\": \"" + app + "\", \"address\": \"127.0.0.1:"
                            + node(app).address().getPort() + "\"}");
        }
        writeRole(
                name,
                "{\"epoch\": " + epoch + ", \"role\": \"proxy\", \"site\": \"shop\", " + letGo + "\"apps\": [" + list
                        + "]}");
    }

    void writeRole(String name, String content) {
        try {
            Path staged = folder.resolve(name + ".staged");
            Files.writeString(staged, content);
            Files.move(staged, roleFile(name), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path roleFile(String name) {
        return folder.resolve(name + ".json");
    }

    WebNode node(String name) {
        WebNode node = nodes.get(name);
        if (node == null) {
            throw new IllegalArgumentException("no node " + name);
        }
        return node;
    }

    HttpResponse<String> get(String name, String path, String... headers) {
        return send("GET", node(name).address().getPort(), path, headers);
    }

    HttpResponse<String> admin(String name, String path, String... headers) {
        return send("GET", node(name).adminAddress().getPort(), path, headers);
    }

    HttpResponse<String> send(String method, int port, String path, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .method(method, HttpRequest.BodyPublishers.noBody());
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
        nodes.values().forEach(WebNode::close);
        runtime.close();
    }
}
