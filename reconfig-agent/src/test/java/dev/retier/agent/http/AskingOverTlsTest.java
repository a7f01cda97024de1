package dev.retier.agent.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.retier.agent.config.EdgeConfig;
import dev.retier.agent.config.EdgeKind;
import dev.retier.agent.edge.Edge;
import dev.retier.agent.fixture.Clusters;
import dev.retier.agent.server.HttpFetch;
import dev.retier.agent.tls.Credentials;
import dev.retier.config.HostPort;
import dev.retier.testsupport.TestAuthority;
import dev.retier.testsupport.TestAuthority.PemPair;
import dev.retier.testsupport.TestAuthority.Subject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How edges and agents ask a listener with TLS. */
class AskingOverTlsTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    @TempDir
    private Path folder = Path.of("");

    @AutoClose
    private final GuardedServer server = new GuardedServer();

    @BeforeEach
    void start() throws IOException {
        server.start(folder, "viewers: [eve]");
    }

    private Optional<Path> ca() {
        return Optional.of(folder.resolve("ca.pem"));
    }

    private Credentials certified(TestAuthority signer, String name) throws IOException {
        PemPair pair = signer.issue(Subject.of(name)).writeTo(folder, name);
        return Credentials.overTls(
                "test", ca(), Optional.of(new Credentials.Pair(pair.certificate(), pair.key())), Optional.empty());
    }

    private Credentials token(String text) throws IOException {
        Path file = folder.resolve("shown");
        if (!Files.exists(file)) {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        }
        Files.writeString(file, text + "\n");
        return Credentials.overTls("test", ca(), Optional.empty(), Optional.of(file));
    }

    private int status(Credentials credentials) throws IOException {
        try (HttpFetch fetch = new HttpFetch(server.address(), credentials)) {
            return fetch.get("/v1/status", TIMEOUT).status();
        }
    }

    @Test
    void shouldBeAnswered_withACertificateOrAToken() throws IOException {
        assertThat(status(certified(server.authority(), "eve"))).isEqualTo(200);
        assertThat(status(certified(server.authority(), "mallory"))).isEqualTo(403);
        Credentials shown = token(GuardedServer.VIEWERS_TOKEN);
        try (HttpFetch fetch = new HttpFetch(server.address(), shown)) {
            assertThat(fetch.get("/v1/status", TIMEOUT).status()).isEqualTo(200);
            token("another-token");
            assertThat(fetch.get("/v1/status", TIMEOUT).status())
                    .as("read again")
                    .isEqualTo(401);
        }
        assertThat(status(Credentials.overTls("test", ca(), Optional.empty(), Optional.empty())))
                .isEqualTo(401);
    }

    @Test
    void shouldTellInWords_whyTheOtherEndIsNotBelieved() throws IOException {
        Credentials eve = certified(server.authority(), "eve");
        Instant end = Instant.parse("2025-01-02T03:04:05Z");
        server.authority()
                .issue(Subject.of("node-1").withNames("127.0.0.1").valid(end.minusSeconds(9), end))
                .writeTo(folder, "node");
        assertThat(Credentials.reason(catchThrowableOfType(IOException.class, () -> status(eve))))
                .isEqualTo("the certificate of 127.0.0.1 is no good, expired at 2025-01-02T03:04:05Z");
        server.authority()
                .issue(Subject.of("node-1").withNames("web-1", "192.0.2.7"))
                .writeTo(folder, "node");
        assertThat(Credentials.reason(catchThrowableOfType(IOException.class, () -> status(eve))))
                .isEqualTo("the certificate is for web-1, 192.0.2.7, and not for 127.0.0.1");
        new TestAuthority("other")
                .issue(Subject.of("node-1").withNames("127.0.0.1"))
                .writeTo(folder, "node");
        assertThat(Credentials.reason(catchThrowableOfType(IOException.class, () -> status(eve))))
                .contains("signed by CN=other, which is not among the signers in " + folder.resolve("ca.pem"));
    }

    @Test
    void shouldGiveUpInTime_whenTheOtherEndSaysNothing() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"));
                HttpFetch fetch = new HttpFetch(
                        new HostPort("127.0.0.1", silent.getLocalPort()), certified(server.authority(), "eve"))) {
            assertThatThrownBy(() -> fetch.get("/v1/status", Duration.ofMillis(200)))
                    .isInstanceOf(SocketTimeoutException.class);
        }
    }

    /** Each byte of a record comes in time, and the record does not: in the handshake, and behind it. */
    @Test
    void shouldGiveUpInTime_whenTheOtherEndDribbles() throws IOException {
        Credentials eve = certified(server.authority(), "eve");
        try (DribblingRelay relay = new DribblingRelay(server.address());
                HttpFetch fetch = new HttpFetch(relay.address(), eve)) {
            relay.dribble(true);
            assertThatThrownBy(() -> fetch.get("/v1/status", Duration.ofMillis(300)))
                    .isInstanceOf(SocketTimeoutException.class);
            relay.dribble(false);
            assertThat(fetch.get("/v1/status", TIMEOUT).status()).isEqualTo(200);
            relay.dribble(true);
            assertThatThrownBy(() -> fetch.get("/v1/status", Duration.ofMillis(300)))
                    .isInstanceOf(SocketTimeoutException.class);
        }
    }

    /** By the name of the edge, which is in the cluster file. */
    @Test
    void shouldFollowTargetsAndTellWhatRuns_asAnEdge() throws IOException {
        Path file = folder.resolve("targets.json");
        EdgeConfig edge = new EdgeConfig("front", Clusters.SHOP, EdgeKind.TARGET_LIST, file, null);
        Edge.Agents agents =
                new Edge.Agents(List.of(server.address(), server.address()), token(GuardedServer.VIEWERS_TOKEN));
        try (Edge following = Edge.start(Clusters.config(1, 1), edge, agents)) {
            await().atMost(TIMEOUT).until(() -> following.targets().isPresent());
            await().atMost(TIMEOUT).until(() -> server.told().contains("shop: front; stamp=12; sends=no"));
        }
    }
}
