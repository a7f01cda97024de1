package dev.retier.agent.http;

import dev.retier.agent.access.CallerRole;
import dev.retier.agent.access.Tokens;
import dev.retier.agent.config.AdminConfig;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.fixture.StubApi;
import dev.retier.agent.render.TargetList;
import dev.retier.config.HostPort;
import dev.retier.testsupport.TestAuthority;
import dev.retier.testsupport.TestAuthority.PemPair;
import dev.retier.testsupport.TestAuthority.Subject;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** An admin listener on loopback with TLS, and those who ask it. Its files are in one folder. */
final class GuardedServer implements AutoCloseable {
    static final String VIEWERS_TOKEN = "token-of-a-viewer";
    static final String OPERATORS_TOKEN = "token-of-an-operator";
    static final String TOKENS = Tokens.line("prometheus", CallerRole.VIEWER, VIEWERS_TOKEN) + "\n"
            + Tokens.line("bob", CallerRole.OPERATOR, OPERATORS_TOKEN) + "\n";

    private final StubApi api;
    private final TestAuthority authority = new TestAuthority("cluster");
    private final AtomicReference<ClusterConfig> config = new AtomicReference<>();
    private final AtomicInteger callers = new AtomicInteger();
    private final Queue<String> told = new ConcurrentLinkedQueue<>();

    private Path folder = Path.of("");
    private @Nullable AdminServer server;

    /** Of an agent of which all is well. */
    GuardedServer() {
        this.api = new StubApi() {
            @Override
            public void edgeTold(String site, String word) {
                told.add(site + ": " + word);
            }
        };
    }

    /** Of that one. */
    GuardedServer(StubApi api) {
        this.api = api;
    }

    /**
     * Who may ask the agents of a cell: those with a token of {@link #TOKENS}, and as an operator who shows the
     * certificate of {@link #ann}. Their files are put into a folder.
     */
    static AdminConfig access(Path folder) throws IOException {
        TestAuthority authority = new TestAuthority("cell");
        Path signer = authority.writeTo(folder);
        PemPair own =
                authority.issue(Subject.of("agent").withNames("127.0.0.1")).writeTo(folder, "agent");
        authority.issue(Subject.of("ann")).writeTo(folder, "ann");
        return new AdminConfig(
                new AdminConfig.Tls(own.certificate(), own.key(), signer),
                Optional.of(writeTokens(folder, TOKENS)),
                Set.of(),
                Set.of("ann"),
                false,
                false);
    }

    /** Hers, of {@link #access}. */
    static PemPair ann(Path folder) {
        return new PemPair(folder.resolve("ann.pem"), folder.resolve("ann.key"));
    }

    /** Starts it with these keys of {@code admin} beside its files. */
    void start(Path in, String admin) throws IOException {
        folder = in;
        authority.writeTo(folder);
        renew();
        writeTokens(TOKENS);
        TargetBoard board = new TargetBoard();
        board.post(new TargetList(12, "shop", List.of(new HostPort("10.0.0.1", 80))));
        server = AdminServer.start(new HostPort("127.0.0.1", 0), open(admin), board, api, new AgentMetrics());
    }

    /** Who may by these keys. */
    AdminAccess open(String admin) throws IOException {
        configure(admin);
        return AdminAccess.open("node-1", config::get);
    }

    /** From now on these are the keys beside the files. */
    void configure(String admin) throws IOException {
        String files = ("tls: {certificate: \"%1$s/node.pem\", key: \"%1$s/node.key\", client-ca: \"%1$s/ca.pem\"},"
                        + " tokens-file: \"%1$s/tokens\"")
                .formatted(folder);
        config.set(ClusterConfig.parse(
                Files.readString(Path.of("..", "conf", "cluster.yaml")) + "admin: {" + files + ", " + admin + "}\n",
                "cluster.yaml"));
    }

    /** Gives it a new certificate and key. */
    void renew() throws IOException {
        authority.issue(Subject.of("node-1").withNames("127.0.0.1")).writeTo(folder, "node");
    }

    void writeTokens(String text) throws IOException {
        writeTokens(folder, text);
    }

    static Path writeTokens(Path folder, String text) throws IOException {
        Path staged = Files.createTempFile(
                folder,
                "tokens",
                "",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(staged, text);
        return Files.move(
                staged, folder.resolve("tokens"), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Of the certificate in its file. */
    String serverSerial() throws IOException, CertificateException {
        return ((X509Certificate) CertificateFactory.getInstance("X.509")
                        .generateCertificate(new ByteArrayInputStream(
                                Files.readString(folder.resolve("node.pem")).getBytes(StandardCharsets.US_ASCII))))
                .getSerialNumber()
                .toString();
    }

    /** What edges have told it. */
    Queue<String> told() {
        return told;
    }

    HostPort address() {
        return Objects.requireNonNull(server, "start it first").address();
    }

    /** Who signs for it and its clients. */
    TestAuthority authority() {
        return authority;
    }

    /** One that proves nothing. */
    TlsCaller caller() {
        return TlsCaller.of(address(), folder.resolve("ca.pem"), null);
    }

    /** One with a certificate. */
    TlsCaller caller(TestAuthority signer, Subject subject) throws IOException {
        PemPair pair = signer.issue(subject).writeTo(folder, "caller-" + callers.incrementAndGet());
        return TlsCaller.of(address(), folder.resolve("ca.pem"), pair);
    }

    @Override
    public void close() {
        if (server != null) {
            server.close();
        }
    }
}
