package dev.retier.agent.real;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.PROXY;
import static dev.retier.agent.real.RealNodes.PATIENCE;
import static dev.retier.agent.real.RealNodes.file;
import static dev.retier.agent.real.RealNodes.install;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.EdgeConfig;
import dev.retier.agent.config.EdgeKind;
import dev.retier.agent.edge.Edge;
import dev.retier.agent.fixture.Clusters;
import dev.retier.agent.real.RealInstance.Options;
import dev.retier.agent.server.InstallerEvents;
import dev.retier.agent.server.ManagedServer;
import dev.retier.config.HostPort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** WebSockets and event streams through real servers, while these change members and roles. */
class StreamsIT {
    private final Installations installed = new Installations();

    /** One client of each kind, which stay. */
    private static final class Held implements WebSocket.Listener, AutoCloseable {
        private final BlockingQueue<String> messages = new LinkedBlockingQueue<>();
        private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
        private final HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        private final WebSocket socket;
        private final StreamApp app;

        Held(HostPort address, StreamApp app) {
            this.app = app;
            this.socket = client.newWebSocketBuilder()
                    .buildAsync(URI.create("ws://" + address + "/live/echo"), this)
                    .join();
            URI stream = URI.create("http://" + address + "/live/events");
            HttpResponse<Stream<String>> answer = client.sendAsync(
                            HttpRequest.newBuilder(stream).build(), HttpResponse.BodyHandlers.ofLines())
                    .join();
            assertThat(answer.statusCode()).isEqualTo(200);
            Thread.ofVirtual().start(() -> hear(answer.body()));
            await().atMost(PATIENCE).until(() -> app.listeners() == 1);
        }

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence text, boolean isLast) {
            messages.add(text.toString());
            return WebSocket.Listener.super.onText(from, text, isLast);
        }

        /** Until it is closed. */
        private void hear(Stream<String> lines) {
            try {
                lines.filter(line -> !line.isEmpty()).forEach(events::add);
            } catch (UncheckedIOException closed) {
                // Awaitility would take it for a fault of whichever test waits just then.
                return;
            }
        }

        /** Both still come through. */
        void lives(String what) throws InterruptedException {
            socket.sendText(what, true).join();
            app.tell(what);
            assertThat(messages.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo("echo of " + what);
            assertThat(events.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo("data:" + what);
        }

        @Override
        public void close() {
            socket.abort();
            client.shutdownNow();
        }
    }

    private void holdsThroughAChangeOfApps(RealInstance proxy) throws InterruptedException {
        try (proxy;
                StreamApp second = StreamApp.start();
                StubApp third = new StubApp("this is node-3")) {
            ClusterConfig config = RealNodes.cluster(proxy.server(), second.server(), third.server());
            RealNodes.writeFirst(config, 1, file(config, 1, PROXY, 2, List.of(2)));
            proxy.start();
            try (ManagedServer managed = installed.open(proxy.server());
                    Held held = new Held(proxy.server().address(), second)) {
                held.lives("before");
                install(managed, file(config, 1, PROXY, 4, List.of(3)));
                assertThat(RealNodes.get(proxy.server().address(), "/dynamic/x").body())
                        .isEqualTo("this is node-3");
                held.lives("after");
            }
        }
    }

    @Test
    void shouldGoOn_whenHttpdSendsToOtherApps(@TempDir Path folder) throws InterruptedException {
        holdsThroughAChangeOfApps(RealInstance.httpd(folder.resolve("node-1"), Options.USUAL));
    }

    @Test
    void shouldGoOn_whenNginxSendsToOtherApps(@TempDir Path folder) throws InterruptedException {
        holdsThroughAChangeOfApps(RealInstance.nginx(folder.resolve("node-1"), "node.conf", Options.USUAL));
    }

    @Test
    void shouldGoOn_whenHaproxySendsToOtherApps(@TempDir Path folder) throws InterruptedException {
        holdsThroughAChangeOfApps(RealInstance.haproxy(folder.resolve("node-1"), "proxy.cfg", Options.USUAL));
    }

    @Test
    void shouldOpen_whenNginxStandsBeforeTheProxies(@TempDir Path folder) throws InterruptedException {
        opensThroughAnEdge(EdgeKind.NGINX, RealInstance.nginx(folder.resolve("edge"), "edge.conf", Options.USUAL));
    }

    @Test
    void shouldOpen_whenHaproxyStandsBeforeTheProxies(@TempDir Path folder) throws InterruptedException {
        opensThroughAnEdge(EdgeKind.HAPROXY, RealInstance.haproxy(folder.resolve("edge"), "edge.cfg", Options.USUAL));
    }

    private static void opensThroughAnEdge(EdgeKind kind, RealInstance server) throws InterruptedException {
        try (server;
                StreamApp proxy = StreamApp.start()) {
            ClusterConfig config = RealNodes.cluster(proxy.server());
            Edge.writeFirstFile(
                    config,
                    new EdgeConfig("front", Clusters.SHOP, kind, server.server().roleFile(), server.server()));
            server.start();
            try (Held held = new Held(server.server().address(), proxy)) {
                held.lives("through the edge");
            }
        }
    }

    @Test
    void shouldGoOn_whenAnHttpdAndItsAppChangeRoles(@TempDir Path folder) throws IOException, InterruptedException {
        try (StreamApp application = StreamApp.start();
                RealInstance first = RealInstance.httpd(folder.resolve("node-1"), Options.USUAL);
                RealInstance second = RealInstance.httpd(folder.resolve("node-2"), Options.USUAL);
                StubApp third = new StubApp("this is node-3")) {
            Files.writeString(
                    second.config(),
                    Files.readString(second.config())
                            .replace(
                                    "  DocumentRoot",
                                    "  ProxyPass \"/live\" \"http://" + application.address()
                                            + "/live\" upgrade=websocket\n  DocumentRoot"));
            ClusterConfig config = RealNodes.cluster(first.server(), second.server(), third.server());
            RealNodes.writeFirst(config, 1, file(config, 1, PROXY, 2, List.of(2)));
            RealNodes.writeFirst(config, 2, file(config, 2, APP, 2, List.of()));
            first.start();
            second.start();
            try (ManagedServer one = installed.open(first.server());
                    ManagedServer two = installed.open(second.server());
                    Held held = new Held(first.server().address(), application)) {
                held.lives("before");
                install(two, file(config, 2, PROXY, 4, List.of(3)));
                held.lives("its app is a proxy");
                install(one, file(config, 1, APP, 4, List.of()));
                held.lives("its proxy is an app");
                assertThat(installed.results()).as("no reload").containsOnly(InstallerEvents.Result.CHANGED);
            }
        }
    }
}
