package dev.retier.agent.real;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.PROXY;
import static dev.retier.agent.real.RealNodes.file;
import static dev.retier.agent.real.RealNodes.get;
import static dev.retier.agent.real.RealNodes.install;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.config.ServerControl;
import dev.retier.agent.observe.ServerProbes;
import dev.retier.agent.server.HttpFetch;
import dev.retier.agent.server.InstallerEvents;
import dev.retier.agent.server.ManagedServer;
import dev.retier.agent.status.ServerStatus;
import dev.retier.config.HostPort;
import dev.retier.link.NodeId;
import dev.retier.state.Role;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** nginx with PHP-FPM as an administrator has it, as proxy and as app of its site. */
class NginxAppIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int LARGE_BYTES = 3 << 20;
    private static final List<String> CHUNKED = List.of(
            "POST /app.php HTTP/1.1",
            "Host: shop.example",
            "Connection: close",
            "Expect: 100-continue",
            "Transfer-Encoding: chunked",
            "",
            "5",
            "hello",
            "0",
            "",
            "");
    private static final List<String> ABSOLUTE =
            List.of("GET http://shop.example/app.php?a HTTP/1.1", "Host: x", "Connection: close", "", "");

    @TempDir
    private Path folder = Path.of("");

    private final Installations installed = new Installations();
    private final Map<String, HostPort> tls = new HashMap<>();
    private PhpFpm php;

    @BeforeEach
    void startPhp() throws IOException, InterruptedException {
        php = PhpFpm.start(folder.resolve("php"));
    }

    @AfterEach
    void endPhp() {
        php.close();
    }

    private RealInstance node(String name) throws IOException {
        return node(name, "");
    }

    private RealInstance node(String name, String more) throws IOException {
        HostPort secure = Ports.free();
        tls.put(name, secure);
        return NginxPhpNode.of(folder.resolve(name), php, secure, more);
    }

    private static String body(HostPort address, String host, String path) throws IOException {
        try (HttpFetch fetch = new HttpFetch(address, host)) {
            return fetch.get(path, TIMEOUT).body();
        }
    }

    private static HttpFetch.Answer post(HostPort address, String path, int bytes) throws IOException {
        try (HttpFetch fetch = new HttpFetch(address, "shop.example")) {
            return fetch.postForm(path, "x".repeat(bytes), TIMEOUT);
        }
    }

    /** All that comes back for that, until the server closes. */
    private static String raw(HostPort address, List<String> request) throws IOException {
        try (Socket socket = new Socket(address.host(), address.port())) {
            socket.getOutputStream().write(String.join("\r\n", request).getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static void assertProven(ClusterConfig config, Role role, long stamp) {
        assertThat(ServerProbes.objection(config, config.node(new NodeId(1)), role, stamp, TIMEOUT))
                .isEmpty();
    }

    private static HttpFetch.Answer sentOn(HostPort address, String path, String more) {
        return get(address, path, "X-Retier-Hop", "test" + more);
    }

    /** The clients of a proxy have asked for others than the app's. */
    @Test
    void shouldNameNeitherPortNorScheme_whenItRedirectsByItself() throws IOException {
        try (RealInstance node = node("node-1");
                StubApp second = new StubApp("this is node-2")) {
            ClusterConfig config = RealNodes.cluster(node.server(), second.server());
            RealNodes.writeFirst(config, 1, file(config, 1, APP, 2, List.of()));
            Files.createDirectories(folder.resolve("node-1/www/static/pages"));
            node.start();

            assertThat(get(node.server().address(), "/static/pages").headers())
                    .containsEntry("location", "/static/pages/");
        }
    }

    @Test
    void shouldAnswerByItsOwnLocations_asAnAppAndToWhoHasSentItOn() throws IOException {
        try (RealInstance node = node("node-1");
                StubApp second = new StubApp("this is node-2")) {
            ClusterConfig config = RealNodes.cluster(node.server(), second.server());
            RealNodes.writeFirst(config, 1, file(config, 1, APP, 2, List.of()));
            node.start();
            HostPort address = node.server().address();
            assertThat(body(address, "shop.example", "/former/a%20b?c=%26"))
                    .isEqualTo(
                            "this is node-1 by PHP: GET /former/a%20b?c=%26 https= proto= host=shop.example bytes=0");
            assertThat(body(address, "www.shop.example", "/static/retier-proof"))
                    .isEqualTo("proof of this is node-1");
            assertThat(post(address, "/app.php", 500_000).body())
                    .contains("POST /app.php")
                    .endsWith("bytes=500000");
            assertThat(get(address, "/.retier/forward").status())
                    .as("no client's")
                    .isEqualTo(404);
            assertThat(get(address, "/.retier/status").status()).isEqualTo(403);
            assertThat(sentOn(address, "/dynamic/x", "\r\nX-Retier-Tls: on").body())
                    .contains("https=on");
            assertThat(get(address, "/dynamic/x", "X-Retier-Tls", "on").body())
                    .as("no client's to say")
                    .contains("https= ");
            assertThat(TlsClient.get(tls("node-1"), "shop.example", "/dynamic/x"))
                    .contains("https=on");
            try (ManagedServer managed = installed.open(node.server())) {
                install(managed, file(config, 1, APP, 2, List.of()));
                assertProven(config, APP, 2);
                install(managed, file(config, 1, PROXY, 4, List.of(2)));
                assertProven(config, PROXY, 4);
                for (String path : List.of("/static/retier-proof", "/app.php", "/dynamic/x", "/former/x", "/nothing")) {
                    assertThat(get(address, path).body()).as(path).isEqualTo("this is node-2");
                    assertThat(sentOn(address, path, "").body())
                            .as("%s, sent on by a node of this cluster", path)
                            .contains("this is node-1");
                    assertThat(get(address, path, "X-Retier-Hop", "another").body())
                            .as("%s, sent on by another cluster's", path)
                            .isEqualTo("this is node-2");
                }
                assertThat(body(address, "shop.example:99", "/dynamic/../a%20b%3Fc%2f?d=%26e"))
                        .isEqualTo("this is node-2");
                assertThat(second.newest()).isEqualTo("shop.example:99 /dynamic/../a%20b%3Fc%2f?d=%26e");
                assertThat(body(address, "other.example", "/x")).isEqualTo("the other site of node-1");
                install(managed, file(config, 1, Role.SPARE, 6, List.of()));
                assertProven(config, Role.SPARE, 6);
                install(managed, file(config, 1, Role.DRAINED, 7, List.of()));
                assertProven(config, Role.DRAINED, 7);
                install(managed, file(config, 1, APP, 8, List.of()));
                assertProven(config, APP, 8);
                assertThat(body(address, "shop.example", "/dynamic/x")).contains("this is node-1 by PHP");
                assertThat(installed.results().stream().filter(InstallerEvents.Result.RELOADED::equals))
                        .as("role and members by one reload each")
                        .hasSize(3);
            }
        }
    }

    private HostPort tls(String node) {
        return Objects.requireNonNull(tls.get(node));
    }

    /** Uploads, TLS and errors, from an nginx that is a proxy to one that is an app. */
    @Test
    void shouldSendOnWholeRequests_andWhatTheAppSaysOfThem() throws IOException {
        try (RealInstance proxy = node("node-1");
                RealInstance app = node("node-2", "    add_header X-Site shop always;\n")) {
            ClusterConfig config = RealNodes.cluster(proxy.server(), app.server());
            RealNodes.writeFirst(config, 1, file(config, 1, PROXY, 2, List.of(2)));
            RealNodes.writeFirst(config, 2, file(config, 2, APP, 2, List.of()));
            proxy.start();
            app.start();
            HostPort address = proxy.server().address();

            HttpFetch.Answer upload = post(address, "/app.php?a=b", LARGE_BYTES);
            assertThat(upload.body())
                    .startsWith("this is node-2 by PHP: POST /app.php?a=b")
                    .endsWith("bytes=" + LARGE_BYTES);
            assertThat(upload.headers()).containsEntry("x-site", "shop").containsEntry("x-answered-by", "node-2");
            assertThat(upload.headers().get("x-retier-epoch")).startsWith("2-");
            assertThat(raw(address, CHUNKED))
                    .startsWith("HTTP/1.1 100 Continue\r\n")
                    .contains("this is node-2 by PHP: POST /app.php", "bytes=5");
            assertThat(raw(address, ABSOLUTE)).contains("GET /app.php?a https= proto= host=shop.example ");
            assertThat(post(address, "/static/x", 2_000).status())
                    .as("what the app says is too much")
                    .isEqualTo(413);
            assertThat(TlsClient.get(tls("node-1"), "shop.example", "/dynamic/x"))
                    .contains("this is node-2 by PHP: GET /dynamic/x https=on proto=https host=shop.example");
            assertThat(TlsClient.get(tls("node-1"), "of-no.example", "/dynamic/x"))
                    .as("which the app may not know where it is asked without TLS")
                    .contains("this is node-1 by PHP");
            assertThat(body(address, "of-no.example", "/dynamic/x")).contains("this is node-2 by PHP");
            assertThat(get(address, "/dynamic/x", "X-Forwarded-Proto", "https").body())
                    .as("as what stands before the proxies says, who may be believed or not")
                    .contains("https= proto=https");
            assertThat(get(address, "/dynamic/x", "X-Retier-Tls", "on").body())
                    .as("what a client says to a proxy")
                    .contains("https= ");
            assertThat(get(address, "/static/nothing").body()).isEqualTo("node-2 is sorry");
            assertThat(get(address, "/static/nothing").status()).isEqualTo(404);

            RealInstance.killForRestart(List.of(app));
            HttpFetch.Answer failed = post(address, "/app.php", 10);
            assertThat(failed.status()).isEqualTo(502);
            assertThat(failed.body()).as("the proxy's own page").isEqualTo("node-1 is sorry");
        }
    }

    /** An administrator who sends everybody to https, in the block that also answers. */
    @Test
    void shouldNotGoRoundAndRound_whenAllAreSentToHttps() throws IOException {
        String redirect = "    if ($retier_https = \"\") { return 301 https://$host$request_uri; }\n";
        try (RealInstance proxy = node("node-1", redirect);
                RealInstance app = node("node-2", redirect)) {
            ClusterConfig config = RealNodes.cluster(proxy.server(), app.server());
            RealNodes.writeFirst(config, 1, file(config, 1, PROXY, 2, List.of(2)));
            RealNodes.writeFirst(config, 2, file(config, 2, APP, 2, List.of()));
            proxy.start();
            app.start();

            HttpFetch.Answer clear;
            try (HttpFetch fetch = new HttpFetch(proxy.server().address(), "shop.example")) {
                clear = fetch.get("/dynamic/x", TIMEOUT);
            }
            assertThat(clear.status()).isEqualTo(301);
            assertThat(clear.headers()).containsEntry("location", "https://shop.example/dynamic/x");
            assertThat(TlsClient.get(tls("node-1"), "shop.example", "/dynamic/x"))
                    .contains("this is node-2 by PHP", "https=on");
            assertThat(TlsClient.get(tls("node-2"), "shop.example", "/dynamic/x"))
                    .contains("this is node-2 by PHP", "https=on");
        }
    }

    @Test
    void shouldCountWhatPhpUses_whereItsPidFileIsNamed() throws IOException {
        try (RealInstance node = node("node-1");
                StubApp second = new StubApp("this is node-2")) {
            ClusterConfig config = RealNodes.cluster(node.server(), second.server());
            RealNodes.writeFirst(config, 1, file(config, 1, APP, 2, List.of()));
            node.start();
            try (ManagedServer alone = installed.open(node.server());
                    ManagedServer both = installed.open(withPhp(node.server()))) {
                double aloneBefore = busySeconds(alone);
                double bothBefore = busySeconds(both);
                assertThat(get(node.server().address(), "/app.php?busy=1").status())
                        .isEqualTo(200);
                double used = busySeconds(both) - bothBefore;
                int processors = Runtime.getRuntime().availableProcessors();
                assertThat(used * processors)
                        .as("a second of one processor, or most of it")
                        .isGreaterThan(0.3);
                assertThat(busySeconds(alone) - aloneBefore).as("nginx itself").isLessThan(used / 2);
            }
        }
    }

    private ServerConfig withPhp(ServerConfig server) {
        ServerControl control = server.controlled();
        return new ServerConfig(
                server.kind(),
                server.address(),
                server.admin(),
                server.roleFile(),
                server.provePath(),
                new ServerControl(
                        control.config(),
                        control.process(),
                        control.statusPath(),
                        control.socket(),
                        control.template(),
                        control.commands(),
                        control.limits(),
                        List.of(php.pidFile())),
                server.kind().tiers());
    }

    private static double busySeconds(ManagedServer server) {
        ServerStatus status = RealNodes.status(server.observe(TIMEOUT));
        return Objects.requireNonNull(status).busySeconds();
    }
}
