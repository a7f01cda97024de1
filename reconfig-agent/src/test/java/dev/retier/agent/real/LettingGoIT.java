package dev.retier.agent.real;

import static dev.retier.agent.fixture.Clusters.PROXY;
import static dev.retier.agent.real.RealNodes.PATIENCE;
import static dev.retier.agent.real.RealNodes.cluster;
import static dev.retier.agent.real.RealNodes.file;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.real.RealInstance.Options;
import dev.retier.agent.render.LetGo;
import dev.retier.agent.render.Rendering;
import dev.retier.agent.server.InstallerEvents;
import dev.retier.agent.server.ManagedServer;
import dev.retier.testsupport.KeptConnection;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kept connections that HAProxy and httpd let go at run time, each after a whole answer that says so. */
class LettingGoIT {
    private static final int CONNECTIONS = 200;

    private final Installations installed = new Installations();

    /** By a digit of the client's port, so a part of those that are asked again is in the share again. */
    @Test
    void shouldLetTheShareGo_whenHttpdIsTheProxy(@TempDir Path folder) throws IOException {
        try (RealInstance proxy = RealInstance.httpd(folder.resolve("node-1"), Options.USUAL);
                StubApp app = new StubApp("this is node-2")) {
            ClusterConfig config = cluster(proxy.server(), app.server());
            Rendering even = file(config, 1, PROXY, 2, List.of(2));
            RealNodes.writeFirst(config, 1, even);
            proxy.start();
            List<KeptConnection> kept =
                    KeptConnection.open(proxy.server().address().port(), CONNECTIONS);
            try (ManagedServer managed = installed.open(proxy.server())) {
                install(managed, even);
                assertThat(ask(kept)).isZero();

                install(managed, even.lettingGo(new LetGo(1, 30)));
                assertThat(ask(kept)).as("of 200, four standard deviations").isBetween(34, 86);
                assertThat(ask(kept)).as("the others stay in this round").isZero();

                install(managed, even.lettingGo(new LetGo(2, 100)));
                int left = kept.size();
                assertThat(ask(kept)).isEqualTo(left);
                kept.addAll(KeptConnection.open(proxy.server().address().port(), 1));
                install(managed, even.lettingGo(new LetGo(2, 0)));
                assertThat(ask(kept)).isZero();
                assertThat(installed.results()).as("no reload").containsOnly(InstallerEvents.Result.CHANGED);
            } finally {
                kept.forEach(KeptConnection::close);
            }
        }
    }

    /** Its files would stand for good, and every answer on those ports would close its connection. */
    @Test
    void shouldKeepConnectionsAgain_whenAnAgentEndedInARound(@TempDir Path folder) throws IOException {
        try (RealInstance proxy = RealInstance.httpd(folder.resolve("node-1"), Options.USUAL);
                StubApp app = new StubApp("this is node-2")) {
            ClusterConfig config = cluster(proxy.server(), app.server());
            Rendering even = file(config, 1, PROXY, 2, List.of(2));
            RealNodes.writeFirst(config, 1, even);
            proxy.start();
            try (ManagedServer ended = installed.open(proxy.server())) {
                install(ended, even);
                install(ended, even.lettingGo(new LetGo(1, 100)));
            }
            List<KeptConnection> kept =
                    KeptConnection.open(proxy.server().address().port(), 10);
            try (ManagedServer next = installed.open(proxy.server())) {
                assertThat(ask(kept)).as("as it was told").isEqualTo(10);
                kept.addAll(KeptConnection.open(proxy.server().address().port(), 10));
                install(next, even);
                assertThat(ask(kept)).as("nobody is to be let go").isZero();
            } finally {
                kept.forEach(KeptConnection::close);
            }
        }
    }

    @Test
    void shouldLetTheShareGoOnceInARound_withoutAReload(@TempDir Path folder) throws IOException {
        try (RealInstance proxy = RealInstance.haproxy(folder.resolve("node-1"), "proxy.cfg", Options.USUAL);
                StubApp app = new StubApp("this is node-2")) {
            ClusterConfig config = cluster(proxy.server(), app.server());
            Rendering even = file(config, 1, PROXY, 2, List.of(2));
            RealNodes.writeFirst(config, 1, even);
            proxy.start();
            int port = proxy.server().address().port();
            List<KeptConnection> kept = KeptConnection.open(port, CONNECTIONS);
            try (ManagedServer managed = installed.open(proxy.server())) {
                install(managed, even);
                assertThat(ask(kept)).isZero();

                install(managed, even.lettingGo(new LetGo(1, 30)));
                assertThat(ask(kept)).as("of 200, four standard deviations").isBetween(34, 86);
                kept.addAll(KeptConnection.open(port, 1));
                assertThat(ask(kept))
                        .as("asked once a round, and not in the round in which it was made")
                        .isZero();

                install(managed, even.lettingGo(new LetGo(1, 0)));
                install(managed, even.lettingGo(new LetGo(2, 100)));
                int left = kept.size();
                assertThat(ask(kept)).isEqualTo(left);
                assertThat(installed.results()).as("no reload").containsOnly(InstallerEvents.Result.CHANGED);
            } finally {
                kept.forEach(KeptConnection::close);
            }
        }
    }

    /** An answer that opens a WebSocket has a Connection header of its own, without which no browser takes it. */
    @Test
    void shouldOpenAWebSocket_onAConnectionThatIsToBeLetGo(@TempDir Path folder) throws IOException {
        try (RealInstance proxy = RealInstance.haproxy(folder.resolve("node-1"), "proxy.cfg", Options.USUAL);
                StreamApp app = StreamApp.start()) {
            ClusterConfig config = cluster(proxy.server(), app.server());
            Rendering even = file(config, 1, PROXY, 2, List.of(2));
            RealNodes.writeFirst(config, 1, even);
            proxy.start();
            try (ManagedServer managed = installed.open(proxy.server());
                    Socket kept = new Socket(
                            InetAddress.getLoopbackAddress(),
                            proxy.server().address().port())) {
                install(managed, even);
                assertThat(head(kept, "GET /no/such/page HTTP/1.1\r\nHost: shop.example\r\n\r\n"))
                        .startsWith("HTTP/1.1 404");
                install(managed, even.lettingGo(new LetGo(1, 100)));
                assertThat(head(kept, """
                        GET /live/echo HTTP/1.1\r
                        Host: shop.example\r
                        Connection: Upgrade\r
                        Upgrade: websocket\r
                        Sec-WebSocket-Version: 13\r
                        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
                        \r
                        """))
                        .startsWith("HTTP/1.1 101")
                        .containsIgnoringCase("\nconnection: upgrade\r\n");
            }
        }
    }

    /** The head of the answer, whose body is empty. */
    private static String head(Socket connection, String request) throws IOException {
        connection.setSoTimeout((int) PATIENCE.toMillis());
        connection.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = connection.getInputStream().read();
            assertThat(next).as("after %s", head).isNotNegative();
            head.append((char) next);
        }
        return head.toString();
    }

    private static int ask(List<KeptConnection> kept) {
        return KeptConnection.letGo(kept, "/dynamic/x");
    }

    /** The stamp is the same, so that the server's status does not tell of the second file. */
    private void install(ManagedServer managed, Rendering rendering) throws IOException {
        int before = installed.results().size();
        managed.install(rendering);
        await().atMost(PATIENCE).until(() -> installed.results().size() > before);
    }
}
