package dev.retier.agent.real;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.PROXY;
import static dev.retier.agent.fixture.Clusters.SHOP;
import static dev.retier.agent.real.RealNodes.PATIENCE;
import static dev.retier.agent.real.RealNodes.file;
import static dev.retier.agent.real.RealNodes.install;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.fixture.Clusters;
import dev.retier.agent.observe.ServerProbes;
import dev.retier.agent.real.RealInstance.Options;
import dev.retier.agent.server.HttpFetch;
import dev.retier.agent.server.InstallerEvents;
import dev.retier.agent.server.ManagedServer;
import dev.retier.agent.status.Observation;
import dev.retier.config.HostPort;
import dev.retier.link.NodeId;
import dev.retier.state.Role;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An httpd as administrators have it: a default virtual host that is not the site's before it, the site by its name at
 * two ports, an application behind ProxyPass, and an agent that finds it running without its file.
 */
class AdministratorsHttpdIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final String NAME = "shop.example";

    private final Installations installed = new Installations();

    /** The site's second port. */
    private final HostPort second = Ports.free();

    private static String body(HostPort address, String host, String path) {
        try (HttpFetch fetch = new HttpFetch(address, host)) {
            return fetch.get(path, TIMEOUT).body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether the application is told that a request came by TLS, when somebody says that of it. */
    private static String seenHttps(HostPort address, String path, String header, String value) throws IOException {
        try (HttpFetch fetch = new HttpFetch(address, NAME)) {
            HttpFetch.Answer answer = fetch.getSaying(path, header, value, TIMEOUT);
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.headers()).doesNotContainKey("vary");
            return answer.headers().getOrDefault("x-seen-https", "");
        }
    }

    private static void assertTlsIsTold(HostPort address) throws IOException {
        for (String path : List.of("/application/x", "/pretty")) {
            assertThat(seenHttps(address, path, "X-Retier-Hop", "test\r\nX-Retier-Tls: on"))
                    .as("also after an internal redirect, as to index.php")
                    .isEqualTo("on");
            assertThat(seenHttps(address, path, "X-Retier-Tls", "on")).isEmpty();
            assertThat(seenHttps(address, path, "X-Forwarded-Proto", "https")).isEmpty();
        }
    }

    private RealInstance node(Path folder, HostPort application) throws IOException {
        RealInstance node = RealInstance.httpd(folder, Options.USUAL);
        String text = Files.readString(node.config());
        int port = node.server().address().port();
        int begin = text.indexOf("<VirtualHost *:" + port);
        int end = text.indexOf("</VirtualHost>");
        String own = text.substring(begin, end)
                .replace("<VirtualHost *:" + port + ">", "<VirtualHost *:" + port + " *:" + second.port() + ">")
                .replace(
                        "  DocumentRoot",
                        "  Header always set X-Seen-Https \"expr=%{reqenv:HTTPS}\"\n  <Directory \"" + folder
                                + "/www\">\n    Options +FollowSymLinks\n    RewriteEngine On\n"
                                + "    RewriteRule ^pretty$ /static/retier-proof [L]\n  </Directory>\n  ServerName "
                                + NAME
                                + "\n  ProxyPass \"/application\" \"http://" + application
                                + "/dynamic\"\n  DocumentRoot");
        Files.createDirectories(folder.resolve("default/dynamic"));
        Files.writeString(folder.resolve("default/dynamic/x"), "Debian Default Page");
        String log = "CustomLog \"" + folder + "/log/everything.log\" \"%U\"\n";
        String other =
                log + "Listen " + second + "\n<VirtualHost *:" + port + " *:" + second.port() + ">\n  DocumentRoot \""
                        + folder + "/default\"\n  <Directory \"" + folder + "/default\">\n    Require all granted\n"
                        + "  </Directory>\n</VirtualHost>\n";
        Files.writeString(node.config(), text.substring(0, begin) + other + own + text.substring(end));
        return node;
    }

    private static ClusterConfig cluster(ServerConfig... servers) {
        ClusterConfig base = RealNodes.cluster(servers);
        SiteConfig shop = base.sites().getFirst();
        SiteConfig named = new SiteConfig(
                SHOP, shop.name(), List.of(NAME), shop.priority(), null, shop.proxy(), shop.app(), shop.proxyHold());
        return Clusters.withSites(base, List.of(named));
    }

    private static boolean isProven(ClusterConfig config, Role role, long stamp) {
        return ServerProbes.objection(config, config.node(new NodeId(1)), role, stamp, TIMEOUT)
                .isEmpty();
    }

    @Test
    void shouldSayWhatAnswers_whenThereIsNoProof(@TempDir Path folder) throws IOException {
        try (StubApp application = new StubApp("this is the application of node-1");
                RealInstance node = node(folder.resolve("node-1"), application.address())) {
            ClusterConfig config = cluster(node.server(), application.server());
            NodeConfig self = config.node(new NodeId(1));
            assertThat(ServerProbes.objection(config, self, APP, 2, Duration.ofMillis(100)))
                    .hasValueSatisfying(why -> assertThat(why).contains("answered nothing"));
            node.start();
            assertThat(ServerProbes.objection(config, self, APP, 2, Duration.ofMillis(100)))
                    .hasValueSatisfying(why -> assertThat(why)
                            .contains("of host " + NAME + ", answered 200 by", "does not include the agent's file"));
        }
    }

    @Test
    void shouldMoveEveryVirtualHostOfTheSite_andNoOther(@TempDir Path folder) throws IOException {
        try (StubApp app = new StubApp("this is node-2");
                StubApp other = new StubApp("this is node-3");
                StubApp application = new StubApp("this is the application of node-1");
                RealInstance node = node(folder.resolve("node-1"), application.address())) {
            ClusterConfig config = cluster(node.server(), app.server(), other.server());
            HostPort first = node.server().address();
            node.start();
            assertThat(body(first, NAME, "/application/x")).isEqualTo("this is the application of node-1");
            try (ManagedServer managed = installed.open(node.server())) {
                install(managed, file(config, 1, APP, 2, List.of()));
                assertThat(installed.results())
                        .as("it has not had the file; what an agent sees reloaded, by whomever, it tells again")
                        .startsWith(InstallerEvents.Result.RELOADED);
                assertThat(body(first, NAME, "/application/x")).isEqualTo("this is the application of node-1");
                assertThat(isProven(config, APP, 2)).isTrue();

                Path log = node.folder().resolve("log/everything.log");
                int logged = Files.readString(log).length();
                assertTlsIsTold(first);

                install(managed, file(config, 1, PROXY, 4, List.of(2)));
                assertThat(isProven(config, PROXY, 4)).isTrue();
                for (HostPort port : List.of(first, second)) {
                    assertThat(body(port, NAME, "/dynamic/x")).isEqualTo("this is node-2");
                    assertThat(body(port, NAME, "/application/x")).isEqualTo("this is node-2");
                    assertThat(body(port, "www.debian.example", "/dynamic/x")).isEqualTo("Debian Default Page");
                }
                assertThat(body(first, NAME, "/dynamic/a%20b%3Fc?d=%26e")).isEqualTo("this is node-2");
                assertThat(app.newest()).isEqualTo(NAME + " /dynamic/a%20b%3Fc?d=%26e");
                assertThat(body(first, NAME, "/static/retier-proof"))
                        .as("is in its cache from now on")
                        .isEqualTo("this is node-2");
                install(managed, file(config, 1, PROXY, 6, List.of(3)));
                for (HostPort port : List.of(first, second)) {
                    for (int request = 0; request < 10; request++) {
                        assertThat(body(port, NAME, "/dynamic/x")).isEqualTo("this is node-3");
                    }
                }
                install(managed, file(config, 1, APP, 8, List.of()));
                assertThat(body(second, NAME, "/application/x")).isEqualTo("this is the application of node-1");
                assertThat(body(first, NAME, "/static/retier-proof"))
                        .as("not from the cache of the proxy that it was")
                        .isEqualTo("proof of hello");
                assertThat(installed.results().stream().filter(result -> result == InstallerEvents.Result.RELOADED))
                        .hasSize(1);
                await().atMost(PATIENCE).until(() -> managed.observe(TIMEOUT) instanceof Observation.Whole);
                assertThat(Files.readString(node.folder().resolve("log/error.log")))
                        .as("the agent asks its pages so that nothing is logged")
                        .doesNotContain("AH10187", "AH01630");
                assertThat(Files.readString(log).substring(logged))
                        .as("since it reads the file")
                        .contains("/application/x")
                        .doesNotContain("/.retier/");
            }
        }
    }

    /** The site is the default at the port of TLS, and another virtual host is at the port of the apps. */
    @Test
    void shouldAnswerItself_whatComesByTlsForANameOfNoSite(@TempDir Path folder) throws IOException {
        HostPort secure = Ports.free();
        try (StubApp app = new StubApp("this is node-2");
                RealInstance node = node(folder.resolve("node-1"), app.address())) {
            TlsClient.writeKey(node.folder());
            String text = Files.readString(node.config());
            int begin = text.lastIndexOf("<VirtualHost *:");
            int end = text.indexOf("</VirtualHost>", begin) + "</VirtualHost>".length();
            String byTls = text.substring(begin, end)
                    .replaceFirst(
                            "<VirtualHost [^>]*>",
                            "<VirtualHost *:" + secure.port() + ">\n  SSLEngine on\n"
                                    + "  SSLCertificateFile \"" + node.folder() + "/site.crt\"\n"
                                    + "  SSLCertificateKeyFile \"" + node.folder() + "/site.key\"");
            Files.writeString(
                    node.config(),
                    text.substring(0, end)
                                    .replaceFirst(
                                            "LoadModule headers_module (.*)mod_headers.so",
                                            "$0\nLoadModule ssl_module $1mod_ssl.so")
                            + "\nListen " + secure + "\n" + byTls + text.substring(end));
            ClusterConfig config = cluster(node.server(), app.server());
            node.start();
            try (ManagedServer managed = installed.open(node.server())) {
                install(managed, file(config, 1, APP, 2, List.of()));
                String own = "proof of hello";
                assertThat(TlsClient.get(secure, "of-no.example", "/static/retier-proof"))
                        .endsWith(own);
                install(managed, file(config, 1, PROXY, 4, List.of(2)));
                assertThat(TlsClient.get(secure, NAME + ":" + secure.port(), "/static/retier-proof"))
                        .endsWith("this is node-2");
                assertThat(TlsClient.get(secure, "of-no.example", "/static/retier-proof"))
                        .endsWith(own);
            }
        }
    }
}
