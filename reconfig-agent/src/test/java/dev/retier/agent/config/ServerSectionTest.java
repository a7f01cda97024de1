package dev.retier.agent.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.retier.agent.files.ConfigFile;
import dev.retier.config.ConfigException;
import dev.retier.config.ConfigProblem;
import dev.retier.state.SiteId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServerSectionTest {
    private static final String CLUSTER = """
            name: small
            secret-env: RETIER_SECRET
            journal-directory: /var/lib/retier/journal
            sites: [{id: 1, name: shop}]
            nodes:
              - {id: 1, name: node-1, rdma: "10.0.0.1:9000", agent: "127.0.0.1:0", role: shop/proxy, server: {SERVER}}
              - {id: 2, name: node-2, rdma: "10.0.0.2:9000", agent: "127.0.0.1:0", role: shop/app,
                 server: {address: "10.0.0.2:80", admin: "10.0.0.2:81", role-file: /run/role.json}}
            witnesses: [node-1]
            EDGES
            """;
    private static final String HTTPD = "kind: httpd, address: \"10.0.0.1:80\", admin: \"127.0.0.1:80\","
            + " role-file: /etc/retier/httpd/retier.conf, config: /etc/httpd.conf, pid-file: /run/httpd.pid";

    private static ClusterConfig parse(String server, String edges) {
        return ClusterConfig.parse(CLUSTER.replace("SERVER", server).replace("EDGES", edges), "c.yaml");
    }

    private static List<String> problems(String server, String edges) {
        ConfigException refused = catchThrowableOfType(ConfigException.class, () -> parse(server, edges));
        assertThat(refused).isNotNull();
        return refused.problems().stream().map(ConfigProblem::message).toList();
    }

    @Test
    void shouldUseTheUsualCommands_whenNoneAreGiven() {
        ServerConfig server = parse(HTTPD, "").nodes().getFirst().server();
        assertThat(server.controlled())
                .isEqualTo(new ServerControl(
                        Path.of("/etc/httpd.conf"),
                        Path.of("/run/httpd.pid"),
                        "/.retier/status",
                        null,
                        null,
                        new ServerControl.Commands(
                                List.of("httpd", "-t", "-D", "RETIER_STAGED", "-f", "{config}"),
                                List.of("/bin/sh", "-c", "kill -USR1 \"$0\"", "{pid}"),
                                List.of()),
                        new ServerControl.Limits(
                                Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ofSeconds(5))));
    }

    @Test
    void shouldReadEveryKey_whenAllAreGiven() {
        ServerControl control = parse(
                        HTTPD + ", status-path: /s, template: /etc/t, check: [a, \"{config}\"],"
                                + " reload: [b, \"{pid}\"], restart: [c], reload-interval: 2s, check-deadline: 3s,"
                                + " converge-deadline: 4s",
                        "")
                .nodes()
                .getFirst()
                .server()
                .controlled();
        assertThat(control.statusPath()).isEqualTo("/s");
        assertThat(control.ownTemplate()).contains(Path.of("/etc/t"));
        assertThat(control.commands())
                .isEqualTo(new ServerControl.Commands(List.of("a", "{config}"), List.of("b", "{pid}"), List.of("c")));
        assertThat(control.limits())
                .isEqualTo(
                        new ServerControl.Limits(Duration.ofSeconds(2), Duration.ofSeconds(3), Duration.ofSeconds(4)));
    }

    @Test
    void shouldReadEdges() {
        ClusterConfig config = parse(HTTPD, """
                edges:
                  - {name: front, site: shop, kind: haproxy, address: "10.0.0.9:80", file: /etc/retier/retier.cfg,
                     config: /etc/edge.cfg, pid-file: /run/h.pid, socket: /run/h.sock}
                  - {name: list, site: shop, kind: target-list, file: targets.json}
                """);
        assertThat(config.edges()).extracting(EdgeConfig::name).containsExactly("front", "list");
        EdgeConfig front = config.edgeNamed("front").orElseThrow();
        assertThat(front.site()).isEqualTo(new SiteId(1));
        assertThat(front.kind()).isEqualTo(EdgeKind.HAPROXY);
        assertThat(front.file()).isEqualTo(Path.of("/etc/retier/retier.cfg"));
        assertThat(config.edgeNamed("list").orElseThrow().server()).isNull();
    }

    @Test
    void shouldRefuse_whenKeysAreMissingWrongOrForeign() {
        assertThat(problems(HTTPD.replace("config: /etc/httpd.conf, ", ""), "")).contains("missing; add it");
        assertThat(problems(HTTPD.replace("/etc/retier/httpd/retier.conf", "retier.conf"), ""))
                .anyMatch(problem -> problem.contains("absolute path"));
        assertThat(problems(HTTPD + ", check: [a, \"{file}\"]", ""))
                .containsExactly("{file} stands for nothing; use one of {config}, {staged}, {pid}");
        assertThat(problems(HTTPD + ", socket: /run/h.sock", ""))
                .anyMatch(problem -> problem.startsWith("unknown key"));
        assertThat(problems(HTTPD, "edges: [{name: e, site: none, kind: target-list, file: f}]"))
                .containsExactly("\"none\" names no site; the sites are shop");
        assertThat(problems(HTTPD, "edges: [{name: e, site: shop, kind: httpd, file: f}]"))
                .anyMatch(problem -> problem.contains("haproxy, nginx, target-list"));
    }

    @Test
    void shouldRefuse_whenAKindCannotServeTheRole() {
        String nginx = HTTPD.replace("kind: httpd", "kind: nginx");
        String text = CLUSTER.replace("SERVER", nginx).replace("EDGES", "");
        ConfigException refused = catchThrowableOfType(
                ConfigException.class,
                () -> ClusterConfig.parse(text.replace("role: shop/proxy", "role: shop/app"), "c.yaml"));
        assertThat(refused.getMessage()).contains("node-1 cannot be an app, as its server is nginx");
    }

    @ParameterizedTest
    @ValueSource(strings = {"cluster.yaml", "cluster-httpd.yaml", "cluster-mixed.yaml"})
    void shouldReadTheExamples_whenShipped(String name) {
        assertThat(ConfigFile.read(Path.of("..", "conf", name)).nodes()).isNotEmpty();
    }
}
