package dev.retier.agent.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.fixture.Clusters;
import dev.retier.agent.fixture.StubApi;
import dev.retier.config.HostPort;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdminLimitsTest {
    private static final int CONNECTIONS = 8;
    private static final int PATIENCE_MILLIS = 20_000;
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration SHORT = Duration.ofMillis(100);

    private final List<Socket> sockets = new ArrayList<>();
    private final List<AdminServer> servers = new ArrayList<>();

    @AfterEach
    void close() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        servers.forEach(AdminServer::close);
    }

    private HostPort start(Duration idle, Duration parse, Duration answer) {
        StubApi api = new StubApi() {
            @Override
            public String statusJson() {
                return "x".repeat(32 << 20);
            }
        };
        AdminServer server = AdminServer.start(
                new AdminServer.Listen(
                        new HostPort("127.0.0.1", 0),
                        new AdminLimits(CONNECTIONS, idle, parse, answer, 1_024),
                        Clusters.access("one")),
                new TargetBoard(),
                api,
                new AgentMetrics());
        servers.add(server);
        return server.address();
    }

    private Socket connect(HostPort server, String sent) throws IOException {
        Socket socket = new Socket(InetAddress.getByName(server.host()), server.port());
        sockets.add(socket);
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.getOutputStream().write(sent.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    /** All that comes until the server closes. */
    private static String toTheEnd(Socket socket) throws IOException {
        StringBuilder text = new StringBuilder();
        InputStream in = socket.getInputStream();
        try {
            for (int next = in.read(); next >= 0; next = in.read()) {
                text.append((char) next);
            }
        } catch (SocketException e) {
            return text.toString(); // a reset is an end, too
        }
        return text.toString();
    }

    @Test
    void shouldClose_whenNoRequestComes() throws IOException {
        HostPort server = start(SHORT, LONG, LONG);

        assertThat(toTheEnd(connect(server, ""))).isEmpty();
    }

    @Test
    void shouldClose_whenAHeadDoesNotEnd() throws IOException {
        HostPort server = start(LONG, SHORT, LONG);

        assertThat(toTheEnd(connect(server, "GET /livez HTTP/1.1\r\nHost: a"))).doesNotContain("200 OK");
    }

    @Test
    void shouldClose_whenTheAnswerIsNotRead() throws IOException {
        HostPort server = start(Duration.ofSeconds(2), LONG, Duration.ofMillis(200));
        Socket slow = connect(server, "GET /v1/status HTTP/1.1\r\nHost: a\r\n\r\n");

        // Time passes until a silent client is closed, which takes ten times as long.
        assertThat(toTheEnd(connect(server, ""))).isEmpty();
        assertThat(toTheEnd(slow).length()).isLessThan(32 << 20);
    }

    @ParameterizedTest
    @CsvSource({
        "HTTP/1.1, Content-Length: 18446744073709551616, 400",
        "HTTP/1.1, Transfer-Encoding: xchunked, 501",
        "HTTP/1.0, Transfer-Encoding: chunked, 400"
    })
    void shouldRefuseAndClose_whenTheEndOfARequestIsDoubtful(String version, String field, int status)
            throws IOException {
        HostPort server = start(LONG, LONG, LONG);
        String head = "GET /livez " + version + "\r\nHost: a\r\nConnection: keep-alive\r\n" + field + "\r\n\r\n";
        String answer = toTheEnd(connect(server, head + "GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n"));

        assertThat(answer.split("(?m)^HTTP/1\\.[01] ")).as(answer).hasSize(2);
        assertThat(answer).startsWith(version + " " + status).contains("application/problem+json");
    }

    @Test
    void shouldClose_whenAHeadIsTooLong() throws IOException {
        HostPort server = start(LONG, LONG, LONG);
        String head = "GET /livez HTTP/1.1\r\nHost: a\r\nLong: " + "x".repeat(3_000) + "\r\n\r\n";

        assertThat(toTheEnd(connect(server, head))).doesNotContain("200 OK");
    }

    @Test
    void shouldAnswerOthers_whenSlowClientsHaveTakenAllPlaces() throws IOException {
        HostPort server = start(LONG, LONG, LONG);
        Socket first = connect(server, "GET /livez HTTP/1.1\r\n");
        for (int i = 0; i < 10 * CONNECTIONS; i++) {
            connect(server, "GET /livez HTTP/1.1\r\n");
        }

        Socket other = connect(server, "GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");

        assertThat(toTheEnd(other)).contains("200 OK").endsWith("ok\n");
        assertThat(toTheEnd(first)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"65536, 1024", "512, 128", "20, 16", "9223372036854775807, 1024"})
    void shouldLeaveDescriptorsToOthers_whenThereAreFew(long descriptors, int connections) {
        assertThat(AdminLimits.connections(descriptors)).isEqualTo(connections);
    }
}
