package dev.retier.cli.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import dev.retier.agent.tls.Credentials;
import dev.retier.cli.CommandRun;
import dev.retier.config.HostPort;
import dev.retier.testsupport.TestAuthority;
import dev.retier.testsupport.TestAuthority.PemPair;
import dev.retier.testsupport.TestAuthority.Subject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an operator reads when an agent cannot be asked, and what is shown to agents. */
class AgentClientTest {
    private static final String STATUS = "{\"cluster\": \"c\", \"node\": \"web-1\", \"nodes\": []}";
    private static final String PROBLEM =
            "{\"title\": \"Unauthorized\", \"detail\": \"it answers its own\", \"remedy\": \"send a token\"}";

    @TempDir
    private Path folder = Path.of("");

    private final TestAuthority authority = new TestAuthority("shop");
    private final List<HttpServer> servers = new ArrayList<>();
    private final Queue<String> shown = new ConcurrentLinkedQueue<>();

    @AfterEach
    void stop() {
        servers.forEach(server -> server.stop(0));
    }

    private String serve(HttpServer server) {
        server.createContext("/v1/status", exchange -> {
            String token = exchange.getRequestHeaders().getFirst("Authorization");
            shown.add(String.valueOf(token));
            String body = "Bearer bad".equals(token) ? PROBLEM : STATUS;
            exchange.sendResponseHeaders("Bearer bad".equals(token) ? 401 : 200, body.length());
            exchange.getResponseBody().write(body.getBytes(StandardCharsets.US_ASCII));
            exchange.close();
        });
        server.start();
        servers.add(server);
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    private static InetSocketAddress anyPort() {
        return new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);
    }

    /** An agent that shows that certificate, and asks for one where {@code asks}. */
    private String agent(Subject subject, boolean asks) throws IOException {
        return agent(subject, asks, "TLSv1.3");
    }

    private String agent(Subject subject, boolean asks, String protocol) throws IOException {
        PemPair pair = authority.issue(subject).writeTo(folder, "agent");
        Path ca = authority.writeTo(folder);
        HttpsServer server = HttpsServer.create(anyPort(), 0);
        server.setHttpsConfigurator(
                new HttpsConfigurator(Credentials.overTls(
                                "agent",
                                Optional.of(ca),
                                Optional.of(new Credentials.Pair(pair.certificate(), pair.key())),
                                Optional.empty())
                        .context()
                        .orElseThrow()) {
                    @Override
                    public void configure(HttpsParameters parameters) {
                        SSLParameters wanted = getSSLContext().getDefaultSSLParameters();
                        wanted.setNeedClientAuth(asks);
                        wanted.setProtocols(new String[] {protocol});
                        parameters.setSSLParameters(wanted);
                    }
                });
        return serve(server);
    }

    private CommandRun status(String agent, String... options) {
        return CommandRun.of(Stream.concat(Stream.of("status", "--agent", agent), Stream.of(options))
                .toArray(String[]::new));
    }

    private String ca() {
        return folder.resolve("ca.pem").toString();
    }

    private Path file(String name, String text) throws IOException {
        Path file = Files.createFile(
                folder.resolve(name),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        return Files.writeString(file, text);
    }

    @Test
    void shouldShowATokenOverTls() throws IOException {
        String agent = agent(Subject.of("web-1").withNames("127.0.0.1"), false);
        CommandRun run = status(
                agent, "--ca", ca(), "--token-file", file("token", "good\n").toString());
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(shown).containsExactly("Bearer good");
        assertThat(status("https://" + agent, "--ca", ca()).code()).isZero();
        assertThat(shown).containsExactly("Bearer good", "null");
    }

    /** Commands, and the load generator, which has its clients from the same place. */
    @Test
    void shouldSpeakNoOlderTls_thanAgentsDo() throws IOException {
        String old = agent(Subject.of("web-1").withNames("127.0.0.1"), false, "TLSv1.2");

        assertThat(status(
                                old,
                                "--ca",
                                ca(),
                                "--token-file",
                                file("token", "good").toString())
                        .err())
                .contains(old)
                .contains("TLS");
        assertThat(shown).as("a token over what is no TLS 1.3").isEmpty();
        Credentials credentials =
                Credentials.overTls("test", Optional.of(Path.of(ca())), Optional.empty(), Optional.empty());
        try (HttpClient client = credentials.client().build()) {
            assertThat(client.sslParameters().getProtocols()).containsExactly("TLSv1.3");
        }
    }

    @Test
    void shouldSayWhatTheAgentSays_whenItRefuses() throws IOException {
        String agent = agent(Subject.of("web-1").withNames("127.0.0.1"), false);
        CommandRun run =
                status(agent, "--ca", ca(), "--token-file", file("token", "bad").toString());
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err().strip())
                .contains(agent + " answered 401: it answers its own; send a token")
                .endsWith("here that is --client-cert with --client-key, or --token-file");
    }

    @Test
    void shouldSayUntilWhen_whenTheCertificateHasExpired() throws IOException {
        Instant end = Instant.parse("2025-01-02T03:04:05Z");
        String agent =
                agent(Subject.of("web-1").withNames("127.0.0.1", "web-1").valid(end.minusSeconds(60), end), false);
        assertThat(status(agent, "--ca", ca()).err())
                .contains(agent + ": the certificate of 127.0.0.1, web-1 is no good, expired at 2025-01-02T03:04:05Z")
                .hasLineCount(1);
    }

    @Test
    void shouldSayForWhomItIs_whenItIsForAnother() throws IOException {
        String agent = agent(Subject.of("web-1").withNames("web-1.example", "192.0.2.1"), false);
        assertThat(status(agent, "--ca", ca()).err())
                .contains("the certificate is for web-1.example, 192.0.2.1, and not for 127.0.0.1")
                .hasLineCount(1);
    }

    @Test
    void shouldSayWhoSigned_whenThatIsAStranger() throws IOException {
        String agent = agent(Subject.of("web-1").withNames("127.0.0.1"), false);
        Path other = Files.createDirectory(folder.resolve("other"));
        String ca = new TestAuthority("other").writeTo(other).toString();
        assertThat(status(agent, "--ca", ca).err())
                .contains("the certificate of 127.0.0.1 is signed by CN=shop, which is not among the signers in " + ca)
                .hasLineCount(1);
        assertThat(status("https://" + agent).err()).contains("not among the signers in what Java trusts (give --ca)");
    }

    @Test
    void shouldShowACertificate_whenItIsAskedFor() throws IOException {
        String agent = agent(Subject.of("web-1").withNames("127.0.0.1"), true);
        PemPair ann = authority.issue(Subject.of("ann")).writeTo(folder, "ann");
        String[] good = {
            "--ca",
            ca(),
            "--client-cert",
            ann.certificate().toString(),
            "--client-key",
            ann.key().toString()
        };
        assertThat(status(agent, good).code()).isZero();
        PemPair mallory = new TestAuthority("other").issue(Subject.of("ann")).writeTo(folder, "mallory");
        assertThat(status(
                                agent,
                                "--ca",
                                ca(),
                                "--client-cert",
                                mallory.certificate().toString(),
                                "--client-key",
                                mallory.key().toString())
                        .err())
                .contains(agent)
                .containsAnyOf("it refuses the client certificate", "no agent answers");
        assertThat(status(
                                agent,
                                "--ca",
                                ca(),
                                "--client-cert",
                                ann.certificate().toString())
                        .err())
                .contains("--client-cert and --client-key belong together");
    }

    @Test
    void shouldSayUntilWhen_whenTheCertificateToShowHasExpired() throws IOException {
        Instant end = Instant.parse("2025-01-02T03:04:05Z");
        PemPair old = authority
                .issue(Subject.of("ann").valid(end.minusSeconds(60), end))
                .writeTo(folder, "old");
        CommandRun run = status(
                "127.0.0.1:1",
                "--ca",
                ca(),
                "--client-cert",
                old.certificate().toString(),
                "--client-key",
                old.key().toString());

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err())
                .contains("--client-cert: " + old.certificate() + " expired at 2025-01-02T03:04:05Z; have another");
    }

    @Test
    void shouldSayWhoSpeaksTls_whenOnlyOneDoes() throws IOException {
        String secured = agent(Subject.of("web-1").withNames("127.0.0.1"), false);
        String clear = serve(HttpServer.create(anyPort(), 0));
        assertThat(status(clear, "--ca", ca()).err())
                .contains(clear)
                .containsAnyOf("it does not speak TLS", "over TLS; does it speak that?", "does it speak TLS?");
        assertThat(status(secured).err()).contains("no agent answers at " + secured + " without TLS", "give --ca");
    }

    @Test
    void shouldGiveUp_whenAnAnswerDoesNotEnd() throws IOException {
        HttpServer server = HttpServer.create(anyPort(), 0);
        CountDownLatch isOver = new CountDownLatch(1);
        server.setExecutor(task -> Thread.ofVirtual().start(task));
        server.createContext("/v1/explain", exchange -> {
            exchange.sendResponseHeaders(200, 2);
            exchange.getResponseBody().write('{');
            exchange.getResponseBody().flush();
            awaitUninterruptibly(isOver);
        });
        HostPort agent = HostPort.parse(serve(server)).orElseThrow();
        AgentClient client = new AgentClient(List.of(agent), Credentials.NONE).within(Duration.ofSeconds(1));
        try {
            assertThatThrownBy(() -> client.text("/v1/explain")).hasMessageContaining("has not answered in 1 s");
        } finally {
            isOver.countDown();
        }
    }

    @Test
    void shouldGiveUp_whenAnAnswerIsLongerThanAny() throws IOException {
        HttpServer server = HttpServer.create(anyPort(), 0);
        server.createContext("/v1/explain", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            byte[] much = new byte[1 << 20];
            for (int i = 0; i < 64; i++) {
                exchange.getResponseBody().write(much);
            }
        });
        HostPort agent = HostPort.parse(serve(server)).orElseThrow();
        AgentClient client = new AgentClient(List.of(agent), Credentials.NONE);

        assertThatThrownBy(() -> client.text("/v1/explain"))
                .hasMessageContaining(agent + " answers with more than 16 MiB; is it an agent's admin address?");
    }

    @Test
    void shouldHaveTheSamePatience_withEachAlone() {
        List<HostPort> agents = List.of(new HostPort("192.0.2.1", 1), new HostPort("192.0.2.2", 2));
        Duration time = Duration.ofSeconds(1);

        assertThat(new AgentClient(agents, Credentials.NONE).within(time).each())
                .containsExactly(
                        new AgentClient(agents.subList(0, 1), Credentials.NONE, time),
                        new AgentClient(agents.subList(1, 2), Credentials.NONE, time));
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void shouldShowNoTokenInClear_toAnotherMachine() throws IOException {
        String token = file("token", "good").toString();
        CommandRun run = status("192.0.2.1:1", "--token-file", token);
        assertThat(run.code()).isEqualTo(64);
        assertThat(run.err()).contains("would be sent in clear to 192.0.2.1:1; give --ca");
        assertThat(status(serve(HttpServer.create(anyPort(), 0)), "--token-file", token)
                        .code())
                .isZero();
        assertThat(shown).containsExactly("Bearer good");
        Files.setPosixFilePermissions(Path.of(token), PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(status("127.0.0.1:1", "--token-file", token).err()).contains("others may use it");
    }
}
