package dev.retier.load.drive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.load.LoadException;
import dev.retier.load.measure.FailureKind;
import dev.retier.load.report.LoadResult;
import dev.retier.load.target.Target;
import dev.retier.load.target.source.TargetSource;
import dev.retier.traces.Trace;
import dev.retier.traces.made.Catalogue;
import dev.retier.traces.made.GeneratedTrace;
import io.undertow.Undertow;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.xnio.Options;
import org.xnio.SslClientAuthMode;

/** Against a real TLS server: Undertow, with a certificate made by keytool. */
@Timeout(60)
class TlsTest {
    private static final int BODY_BYTES = 40_000;
    private static final Trace TRACE = GeneratedTrace.mixed(60, 0.5, Catalogue.DEFAULT, 1);
    private static final Set<String> NAMES = ConcurrentHashMap.newKeySet();
    private static final HttpHandler ANSWER = TlsTest::answer;

    @TempDir
    private static Path folder;

    private static TestCertificates certificates;
    private static Undertow server;
    private static Target target;

    @BeforeAll
    static void start() throws IOException, InterruptedException, GeneralSecurityException {
        certificates = TestCertificates.make(folder);
        server = Undertow.builder()
                .addHttpsListener(0, "127.0.0.1", certificates.serverContext())
                .setHandler(ANSWER)
                .setIoThreads(1)
                .build();
        server.start();
        InetSocketAddress address =
                (InetSocketAddress) server.getListenerInfo().getFirst().getAddress();
        target = Target.parse("https://127.0.0.1:" + address.getPort());
    }

    @AfterAll
    static void stop() {
        server.stop();
    }

    @Test
    void shouldGetAnswers_whenTheCertificateIsTrusted() throws InterruptedException {
        LoadResult result = run(plan().withTls(TlsOptions.trusting(certificates.pem())));

        assertThat(result.totals().failures()).isEmpty();
        assertThat(result.totals().answered()).isEqualTo(60);
        assertThat(result.totals().bodyBytes()).isEqualTo(60L * BODY_BYTES);
    }

    @Test
    void shouldAskForTheSitesName_whenAHostIsGiven() throws InterruptedException {
        NAMES.clear();
        TlsOptions trusting = new TlsOptions(null, certificates.store(), TestCertificates.PASSWORD, null, null, false);

        LoadResult ofHost = run(plan().withHost("shop.example.com:8443").withTls(trusting));
        LoadResult ofName = run(plan().withHost("other").withTls(trusting.named("shop.example.com")));

        assertThat(ofHost.totals().answered()).isEqualTo(60);
        assertThat(ofName.totals().answered()).isEqualTo(60);
        assertThat(NAMES).containsExactly("shop.example.com");
    }

    @Test
    void shouldFailEachRequest_whenTheCertificateIsNotTrusted() throws InterruptedException {
        LoadResult result = run(plan().withMaxRequests(4));

        assertThat(result.totals().failures()).isEqualTo(Map.of(FailureKind.TLS_FAILED, 4L));
        assertThat(result.causes()).containsOnlyKeys(FailureKind.TLS_FAILED);
        assertThat(result.causes().get(FailureKind.TLS_FAILED))
                .isEqualTo("nobody who is trusted has signed its certificate");
    }

    @Test
    void shouldFailEachRequest_whenTheCertificateNamesAnotherServer() throws InterruptedException {
        LoadResult result = run(plan().withMaxRequests(4)
                .withHost("bank.example.com")
                .withTls(TlsOptions.trusting(certificates.pem())));

        assertThat(result.totals().failures()).isEqualTo(Map.of(FailureKind.TLS_FAILED, 4L));
    }

    @Test
    void shouldTakeAnyCertificate_whenInsecure() throws InterruptedException {
        LoadResult result = run(plan().withHost("bank.example.com")
                .withConnections(Connections.NEW)
                .withTls(TlsOptions.INSECURE));

        assertThat(result.totals().answered()).isEqualTo(60);
    }

    @Test
    void shouldShowItsCertificate_whenTheServerAsksForOne() throws Exception {
        Undertow asking = Undertow.builder()
                .addHttpsListener(0, "127.0.0.1", certificates.askingContext())
                .setSocketOption(Options.SSL_CLIENT_AUTH_MODE, SslClientAuthMode.REQUIRED)
                .setHandler(exchange -> exchange.getResponseSender()
                        .send(exchange.getConnection().getSslSessionInfo().getPeerCertificates().length + ""))
                .build();
        asking.start();
        try {
            int port = ((InetSocketAddress) asking.getListenerInfo().getFirst().getAddress()).getPort();
            LoadPlanBuilder plan = LoadPlan.of(
                            "shop", TRACE, TargetSource.fixed(List.of(Target.parse("https://127.0.0.1:" + port))))
                    .withMaxRequests(4)
                    .withClients(2);
            TlsOptions trusting = TlsOptions.trusting(certificates.pem());

            LoadResult shown = run(plan.withTls(trusting.showing(certificates.pem(), certificates.keyPem())));
            LoadResult nothing = run(plan.withTls(trusting));

            assertThat(shown.totals().answered()).isEqualTo(4);
            assertThat(nothing.totals().failures())
                    .as("told in TLS 1.3 only after the handshake")
                    .containsOnly(Map.entry(FailureKind.TLS_FAILED, 4L));
            assertThat(nothing.causes().get(FailureKind.TLS_FAILED)).contains("certificate");
        } finally {
            asking.stop();
        }
        assertThatThrownBy(
                        () -> run(plan().withTls(TlsOptions.CHECKED.showing(certificates.pem(), certificates.store()))))
                .isInstanceOf(LoadException.class)
                .hasMessageContaining("give both in PEM, the key in PKCS #8 without a password");
    }

    @Test
    void shouldFailEachRequest_whenTheServerSpeaksNoTls() throws InterruptedException {
        try (TestServer plain = TestServer.start()) {
            LoadPlanBuilder plan = LoadPlan.of("shop", TRACE, TargetSource.fixed(List.of(plain.target())))
                    .withMaxRequests(3)
                    .withClients(3)
                    .withRequestTimeout(Duration.ofMillis(500))
                    .withTls(TlsOptions.INSECURE);

            LoadResult result = run(plan);

            assertThat(result.totals().failed()).isEqualTo(3);
            assertThat(result.totals().failures().keySet()).isSubsetOf(FailureKind.TLS_FAILED, FailureKind.TIMEOUT);
        }
    }

    @Test
    void shouldRefuseToStart_whenTheTrustStoreIsNone() throws IOException {
        Path empty = Files.writeString(folder.resolve("empty"), "nothing");
        for (Path store : List.of(empty, folder.resolve("missing"))) {
            LoadPlan plan = plan().withTls(TlsOptions.trusting(store)).build();

            assertThatThrownBy(() -> LoadRun.start(plan))
                    .isInstanceOf(LoadException.class)
                    .hasMessageContaining("trust store " + store);
        }
        assertThat(plan().withTls(TlsOptions.CHECKED.named("a b")).build().problems())
                .containsExactly("TLS server name: must be a host name or an address");
    }

    private static LoadPlanBuilder plan() {
        return LoadPlan.of("shop", TRACE, TargetSource.fixed(List.of(target))).withClients(4);
    }

    private static LoadResult run(LoadPlanBuilder plan) throws InterruptedException {
        LoadResult result = LoadRun.start(plan.build()).await();
        assertThat(result.totals().inFlight()).isZero();
        assertThat(result.health().warnings()).noneMatch(warning -> warning.contains("report this"));
        return result;
    }

    private static void answer(HttpServerExchange exchange) {
        SSLSession session = exchange.getConnection().getSslSessionInfo().getSSLSession();
        if (session instanceof ExtendedSSLSession extended) {
            extended.getRequestedServerNames().forEach(name -> NAMES.add(((SNIHostName) name).getAsciiName()));
        }
        exchange.getResponseSender().send(ByteBuffer.wrap("x".repeat(BODY_BYTES).getBytes(StandardCharsets.US_ASCII)));
    }
}
