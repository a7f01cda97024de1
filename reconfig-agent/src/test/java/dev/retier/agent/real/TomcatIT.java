package dev.retier.agent.real;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.PROXY;
import static dev.retier.agent.real.RealNodes.PATIENCE;
import static dev.retier.agent.real.RealNodes.file;
import static dev.retier.agent.real.RealNodes.install;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.observe.ServerProbes;
import dev.retier.agent.real.RealInstance.Options;
import dev.retier.agent.server.HttpFetch;
import dev.retier.agent.server.ManagedServer;
import dev.retier.config.HostPort;
import dev.retier.link.NodeId;
import dev.retier.testsupport.ExternalTool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Debian's Tomcat as the application beside an httpd, behind ProxyPass, while that takes one role after the other. */
class TomcatIT {
    private static final Duration SHORT = Duration.ofMillis(200);

    @TempDir
    private Path folder = Path.of("");

    private final Installations installed = new Installations();
    private final HostPort tomcat = Ports.free();

    private Process startTomcat() throws IOException {
        Path base = folder.resolve("tomcat");
        Tomcats.prepare(base, tomcat, "this is Tomcat");
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-Xmx64m",
                "-cp",
                Tomcats.HOME + "/bin/bootstrap.jar:" + Tomcats.HOME + "/bin/tomcat-juli.jar",
                "-Dcatalina.home=" + Tomcats.HOME,
                "-Dcatalina.base=" + base,
                "-Djava.io.tmpdir=" + base.resolve("temp"),
                "org.apache.catalina.startup.Bootstrap",
                "start");
        return builder.redirectErrorStream(true)
                .redirectOutput(base.resolve("log").toFile())
                .start();
    }

    private RealInstance node() throws IOException {
        RealInstance node = RealInstance.httpd(folder.resolve("node-1"), Options.USUAL);
        String text = Files.readString(node.config());
        Files.writeString(
                node.config(),
                text.replace(
                        "  DocumentRoot",
                        "  ProxyPass \"/static\" \"http://" + tomcat + "/shop/static\" retry=0\n  DocumentRoot"));
        return node;
    }

    private static Optional<String> objection(ClusterConfig config, long stamp, Duration patience) {
        return ServerProbes.objection(config, config.node(new NodeId(1)), APP, stamp, patience);
    }

    private static String location(HostPort node, Map<String, String> headers) throws IOException {
        try (HttpFetch fetch = new HttpFetch(node, "shop.example")) {
            return fetch.getSaying("/static/folder", headers, SHORT.multipliedBy(10))
                    .headers()
                    .getOrDefault("location", "none");
        }
    }

    @Test
    void shouldBeTheAppOnceTomcatAnswers_andForwardAsAProxyWithoutIt() throws Exception {
        ExternalTool.find(Tomcats.HOME + "/bin/catalina.sh");
        try (StubApp other = new StubApp("this is node-2");
                RealInstance node = node()) {
            ClusterConfig config = RealNodes.cluster(node.server(), other.server());
            HostPort address = node.server().address();
            node.start();
            try (ManagedServer managed = installed.open(node.server())) {
                install(managed, file(config, 1, APP, 2, List.of()));
                assertThat(objection(config, 2, SHORT))
                        .as("Tomcat is not there yet")
                        .hasValueSatisfying(why -> assertThat(why).contains("503"));
                Process process = startTomcat();
                try {
                    assertThat(objection(config, 2, PATIENCE)).isEmpty();
                    assertThat(RealNodes.get(address, "/static/retier-proof").body())
                            .as("who is proven answers")
                            .isEqualTo("this is Tomcat");
                    assertThat(location(address, Map.of())).isEqualTo("http://shop.example/shop/static/folder/");
                    assertThat(location(address, Map.of("X-Retier-Hop", "test", "X-Forwarded-Proto", "https")))
                            .as("as a proxy sends on what has come to it by TLS")
                            .isEqualTo("https://shop.example/shop/static/folder/");

                    install(managed, file(config, 1, PROXY, 4, List.of(2)));
                    assertThat(RealNodes.get(address, "/static/other").body()).isEqualTo("this is node-2");
                    install(managed, file(config, 1, APP, 6, List.of()));
                    assertThat(objection(config, 6, PATIENCE)).isEmpty();
                    assertThat(RealNodes.get(address, "/static/retier-proof").body())
                            .isEqualTo("this is Tomcat");
                } finally {
                    process.destroy();
                    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
                }
                assertThat(objection(config, 6, SHORT))
                        .as("Tomcat is down, whatever httpd says of itself")
                        .isPresent();
            }
        }
    }
}
