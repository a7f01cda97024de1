package dev.retier.agent.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.retier.agent.files.ConfigFile;
import dev.retier.agent.render.Template;
import dev.retier.config.ConfigException;
import dev.retier.config.ConfigProblem;
import dev.retier.config.HostPort;
import dev.retier.state.Role;
import dev.retier.state.SiteId;
import dev.retier.state.Tier;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServerSectionTest {
    private static final String CLUSTER = """
            name: small
            secret-env: RETIER_SECRET
            journal-directory: /var/lib/retier/journal
            sites: [{id: 1, name: shop, proxy-hold: 0s}]
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

    private static final String NGINX = "kind: nginx, address: \"10.0.0.1:80\", admin: \"127.0.0.1:81\","
            + " role-file: /etc/retier/nginx/retier.conf, config: /etc/nginx.conf, pid-file: /run/nginx.pid";
    private static final String WEB_NODE =
            "address: \"10.0.0.1:80\", admin: \"10.0.0.1:81\", role-file: /run/role.json";

    private static MoveRules moves(String server) {
        return parse(server, "").move();
    }

    @Test
    void shouldRefuseAnHttpdWhosePagesAreWhereClientsCome() {
        assertThat(problems(HTTPD.replace("127.0.0.1:80", "10.0.0.1:80"), ""))
                .anyMatch(
                        problem -> problem.contains("give the status page a port of its own, such as 127.0.0.1:8099"));
    }

    /** A reload of httpd may take 2 s, so a deadline of 2 s would undo what needs one every other time. */
    @Test
    void shouldGiveTheServersTheTimeThatTheirLimitsAllow_whenNoDeadlineIsGiven() {
        assertThat(moves(WEB_NODE)).isEqualTo(MoveRules.DEFAULTS);
        assertThat(moves(HTTPD).switchDeadline()).isEqualTo(Duration.ofSeconds(1 + 10 + 5));
        assertThat(moves(HTTPD + ", check-deadline: 1s").switchDeadline()).isEqualTo(Duration.ofSeconds(7));
        assertThat(moves(HTTPD).upstreamDeadline())
                .as("httpd changes its members at run time")
                .isEqualTo(MoveRules.DEFAULTS.upstreamDeadline());
        assertThat(moves(NGINX).upstreamDeadline()).isEqualTo(Duration.ofSeconds(16));
        assertThat(parse(HTTPD, "").warnings()).isEmpty();
    }

    @Test
    void shouldWarn_whenAGivenDeadlineIsShorterThanAServerMayTake() {
        assertThat(parse(HTTPD, "move: {switch-deadline: 2s}").warnings())
                .extracting(ConfigWarning::text)
                .containsExactly("move.switch-deadline of 2s is shorter than the 16s that node-1 (httpd) may take to"
                        + " switch by its reload-interval, check-deadline and converge-deadline, so moves that were"
                        + " about to succeed are undone; leave move.switch-deadline out, or lower those");
        assertThat(parse(NGINX, "move: {upstream-deadline: 3s}").warnings())
                .extracting(ConfigWarning::text)
                .singleElement()
                .asString()
                .startsWith("move.upstream-deadline of 3s is shorter than the 16s that node-1 (nginx)");
        assertThat(parse(HTTPD, "move: {switch-deadline: 16s, upstream-deadline: 1s}")
                        .warnings())
                .isEmpty();
        assertThat(parse(WEB_NODE, "move: {switch-deadline: 100ms}").warnings()).isEmpty();
    }

    /** What `validate` lets pass must be no surprise in the middle of a move. */
    @Test
    void shouldRefuseAnAddress_whenATemplateWouldRefuseIt() {
        for (char one = '!'; one <= '~'; one++) {
            String host = "a" + one + "b";
            String text = HTTPD.replace("10.0.0.1", host.replace("\\", "\\\\").replace("\"", "\\\""));
            List<String> told = HostPort.parse(host + ":80").isEmpty() ? List.of() : problemsIf(text);
            boolean isRefused = told.stream().anyMatch(problem -> problem.contains("cannot be written into"));
            boolean isFilledIn = HostPort.parse(host + ":80")
                    .filter(address -> !isFilledIn(address.toString()))
                    .isEmpty();
            assertThat(isRefused).as(host).isEqualTo(!isFilledIn);
        }
        assertThat(problems(HTTPD.replace("10.0.0.1", "a~b"), ""))
                .containsExactly("\"a~b:80\" cannot be written into a server's file; use letters, digits and"
                        + " . _ : / @ % + - alone");
    }

    private static List<String> problemsIf(String server) {
        try {
            parse(server, "");
            return List.of();
        } catch (ConfigException e) {
            return e.problems().stream().map(ConfigProblem::message).toList();
        }
    }

    private static boolean isFilledIn(String value) {
        try {
            Template.parse("{{address}}").fill(new Template.Filling(Map.of("address", value), Map.of(), Map.of()));
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0:80", "[::]:80", "[0:0:0:0:0:0:0:0]:80"})
    void shouldRefuseAnAddress_whenNobodyElseCanSendToIt(String address) {
        assertThat(problems(WEB_NODE.replace("10.0.0.1:80", address), ""))
                .singleElement()
                .asString()
                .startsWith(address + " is every address of a machine");
        assertThat(problems("kind: other, unit: tomcat10, address: \"" + address + "\"", ""))
                .anyMatch(problem -> problem.contains("is every address of a machine"));
    }

    @Test
    void shouldSayNothingOfOtherKeys_whenTheKindIsUnknown() {
        assertThat(problems(HTTPD.replace("httpd,", "apache,"), ""))
                .containsExactly("\"apache\" is not accepted; use one of web-node, httpd, nginx, haproxy, other");
        assertThat(problems(WEB_NODE, "edges: [{name: front, site: shop, kind: apache, files: /x, config: /y}]"))
                .containsExactly("\"apache\" is not accepted; use one of haproxy, nginx, target-list");
    }

    @Test
    void shouldSayWhatAPathMayHave_whenItWouldEndTheLine() {
        assertThat(problems(WEB_NODE + ", prove-path: \"/x\\r\\nHost: y\"", ""))
                .singleElement()
                .asString()
                .contains("no blanks, line ends");
    }

    @Test
    void shouldUseTheUsualCommands_whenNoneAreGiven() {
        ServerConfig server = parse(HTTPD, "").nodes().getFirst().server();
        assertThat(server.controlled())
                .isEqualTo(new ServerControl(
                        Path.of("/etc/httpd.conf"),
                        new MainProcess.InFile(Path.of("/run/httpd.pid")),
                        "/.retier/status",
                        null,
                        null,
                        new ServerControl.Commands(
                                "httpd",
                                List.of("httpd", "-t", "-D", "RETIER_STAGED", "-f", "{config}"),
                                List.of("/bin/sh", "-c", "kill -USR1 \"$0\"", "{pid}"),
                                List.of()),
                        new ServerControl.Limits(Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ofSeconds(5)),
                        List.of()));
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
                .isEqualTo(new ServerControl.Commands(
                        "httpd", List.of("a", "{config}"), List.of("b", "{pid}"), List.of("c")));
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
    void shouldCountHelpers_byTheirPidFiles() {
        ServerConfig server = parse(NGINX + ", also-pid-files: [/run/php/php8.2-fpm.pid]", "")
                .nodes()
                .getFirst()
                .server();

        assertThat(server.controlled().alsoPidFiles()).containsExactly(Path.of("/run/php/php8.2-fpm.pid"));
        assertThat(problems(NGINX + ", also-pid-files: [php.pid]", ""))
                .singleElement()
                .asString()
                .contains("write an absolute path");
    }

    private static String refusedAs(String role, String server) {
        String text =
                CLUSTER.replace("SERVER", server).replace("EDGES", "").replace("role: shop/proxy", "role: " + role);
        ConfigException refused =
                catchThrowableOfType(ConfigException.class, () -> ClusterConfig.parse(text, "c.yaml"));
        return String.valueOf(refused.getMessage());
    }

    @Test
    void shouldRefuse_whenAServerCannotServeTheRole() {
        String haproxy =
                HTTPD.replace("kind: httpd", "kind: haproxy").replaceAll("admin: \"[^\"]*\",", "socket: /run/s,");
        assertThat(refusedAs("shop/app", haproxy)).contains("node-1 cannot be an app, as its server is haproxy");
        assertThat(refusedAs("shop/app", NGINX + ", tiers: [proxy]"))
                .contains("node-1 cannot be an app, as the tiers of its server leave that out");
        assertThat(refusedAs("shop/proxy", NGINX + ", tiers: [app]"))
                .contains("node-1 cannot be a proxy, as the tiers of its server leave that out");
        assertThat(refusedAs("spare", haproxy + ", tiers: [proxy, app]"))
                .contains("haproxy cannot be an app; write [proxy], or leave it out");
        assertThat(refusedAs("spare", NGINX + ", tiers: [edge]"))
                .contains("\"edge\" is not accepted; write proxy or app");
    }

    @Test
    void shouldLetNginxBeBoth_unlessItIsToForwardAlone() {
        String text = CLUSTER.replace("EDGES", "").replace("role: shop/proxy", "role: spare");
        ServerConfig both = ClusterConfig.parse(text.replace("SERVER", NGINX), "c.yaml")
                .nodes()
                .getFirst()
                .server();
        ServerConfig alone = ClusterConfig.parse(text.replace("SERVER", NGINX + ", tiers: [proxy]"), "c.yaml")
                .nodes()
                .getFirst()
                .server();

        assertThat(both.tiers()).containsExactlyInAnyOrder(Tier.PROXY, Tier.APP);
        assertThat(alone.canBeApp()).isFalse();
        assertThat(alone.canServe(Role.SPARE)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cluster.yaml",
                "cluster-debian.yaml",
                "cluster-httpd.yaml",
                "cluster-mixed.yaml",
                "cluster-tomcat.yaml"
            })
    void shouldReadTheExamples_whenShipped(String name) {
        assertThat(ConfigFile.read(Path.of("..", "conf", name)).nodes()).isNotEmpty();
    }
}
