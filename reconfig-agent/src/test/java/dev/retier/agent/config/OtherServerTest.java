package dev.retier.agent.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.config.ConfigException;
import dev.retier.config.ConfigProblem;
import dev.retier.config.HostPort;
import dev.retier.state.Role;
import dev.retier.state.SiteId;
import dev.retier.state.Tier;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Servers of kind other, such as Tomcat. */
class OtherServerTest {
    private static final String HAPROXY =
            "{kind: haproxy, address: \"h:1\", role-file: /a, config: /h, pid-file: /hp, socket: /hs}";
    private static final String TOMCAT = "kind: other, address: \"h:2\", unit: tomcat10";
    private static final String GUNICORN = "kind: other, address: \"h:2\", pid-file: /run/gunicorn.pid";
    private static final String FILE = ", role-file: /etc/g/retier.py, template: /etc/retier/g, reload: [r, \"{pid}\"]";

    private static ClusterConfig parse(String role, String server, String appServer) {
        return ClusterConfig.parse(
                """
                name: example
                secret-env: S
                journal-directory: /var/lib/retier
                sites: [{id: 1, name: shop, hosts: [shop.example], proxy-hold: 0s}]
                nodes:
                  - id: 1
                    name: a
                    rdma: h:5
                    agent: localhost:6
                    role: %s
                    server: %s
                    %s
                  - {id: 2, name: b, rdma: "h:15", agent: "localhost:16", role: shop/proxy,
                     server: {address: "h:17", admin: "h:18", role-file: /b}}
                witnesses: [a]
                """.formatted(role, server, appServer.isEmpty() ? "" : "app-server: {" + appServer + "}"), "a file");
    }

    private static List<String> problems(String role, String server, String appServer) {
        try {
            parse(role, server, appServer);
            return List.of();
        } catch (ConfigException e) {
            return e.problems().stream().map(ConfigProblem::message).toList();
        }
    }

    private static List<String> problems(String appServer) {
        return problems("shop/app", HAPROXY, appServer);
    }

    private static ServerConfig app(String appServer) {
        Role role = Role.serving(new SiteId(1), Tier.APP);
        return parse("shop/app", HAPROXY, appServer).nodes().getFirst().server(role);
    }

    @Test
    void shouldTellItNothing_whenItHasNoTemplate() {
        ServerConfig server = app(TOMCAT);

        assertThat(server.isTold()).isFalse();
        assertThat(server.countsRequests()).isFalse();
        assertThat(server.admin()).isEqualTo(new HostPort("h", 2));
        assertThat(server.roleFile()).isEqualTo(Path.of("/var/lib/retier/a/role-other"));
        assertThat(server.controlled().process()).isEqualTo(new MainProcess.OfUnit("tomcat10"));
        assertThat(server.controlled().commands())
                .isEqualTo(new ServerControl.Commands(
                        "", List.of(), List.of(), List.of("systemctl", "start", "--", "tomcat10")));
        assertThat(server.longestSwitch()).isEqualTo(Duration.ZERO);
        assertThat(app(TOMCAT + ", stop: [s], start-deadline: 2m").longestSwitch())
                .isEqualTo(Duration.ofMinutes(2));
    }

    @Test
    void shouldReadEveryKey_whenAllAreGiven() {
        ServerConfig server = app(GUNICORN + FILE
                + ", admin: \"127.0.0.1:9\", status-path: /counts, requests-at-once: 40, prove-path: /up, program: g,"
                + " check: [c, \"{staged}\"], reload-idle: [i], restart: [b], stop: [s], reload-interval: 2s,"
                + " check-deadline: 3s, converge-deadline: 4s, start-deadline: 5s");

        assertThat(server)
                .isEqualTo(new ServerConfig(
                        ServerKind.OTHER,
                        new HostPort("h", 2),
                        new HostPort("127.0.0.1", 9),
                        Path.of("/etc/g/retier.py"),
                        "/up",
                        new ServerControl(
                                Path.of("/etc/g/retier.py"),
                                new MainProcess.InFile(Path.of("/run/gunicorn.pid")),
                                "/counts",
                                null,
                                Path.of("/etc/retier/g"),
                                new ServerControl.Commands(
                                        "g",
                                        List.of("c", "{staged}"),
                                        List.of("r", "{pid}"),
                                        List.of("b"),
                                        List.of("s"),
                                        List.of("i")),
                                new ServerControl.Limits(
                                        Duration.ofSeconds(2),
                                        Duration.ofSeconds(3),
                                        Duration.ofSeconds(4),
                                        Duration.ofSeconds(5),
                                        40),
                                List.of()),
                        ServerKind.OTHER.tiers()));
        assertThat(server.isTold()).isTrue();
    }

    /** What comes late finds it as it was: no move changes anything in it. */
    @Test
    void shouldLeaveTheAppTierWithoutAGap_whenItIsToldNothing() {
        assertThat(parse("shop/app", HAPROXY, TOMCAT).nodes().getFirst().answersLate())
                .containsExactly(Tier.APP);
        assertThat(parse("shop/app", HAPROXY, GUNICORN + FILE)
                        .nodes()
                        .getFirst()
                        .answersLate())
                .isEmpty();
    }

    @Test
    void shouldBeAnAppAlone_whenItIsAllThatANodeHas() {
        NodeConfig node = parse("shop/app", "{" + TOMCAT + "}", "").nodes().getFirst();

        assertThat(node.tiers()).containsExactly(Tier.APP);
        assertThat(node.appAddress()).contains(new HostPort("h", 2));
        assertThat(problems("shop/proxy", "{" + TOMCAT + "}", ""))
                .containsExactly("a cannot be a proxy, as nobody knows how a server of kind other forwards; make it an"
                        + " app, or make that its app-server, and haproxy, httpd or nginx its server");
        assertThat(problems(
                        "shop/app",
                        "{" + TOMCAT + "}",
                        "kind: httpd, address: \"h:3\", admin: \"h:4\", role-file: /c, config: /d, pid-file: /dp"))
                .containsExactly("server of a is other, which cannot be a proxy; make it the app-server, and haproxy,"
                        + " httpd or nginx the server");
    }

    @Test
    void shouldRefuseWhatSaysNothing() {
        assertThat(problems("kind: other, address: \"h:2\""))
                .singleElement()
                .asString()
                .startsWith("say by either of two whose process it is: unit");
        assertThat(problems(TOMCAT + ", pid-file: /p")).hasSize(1);
        assertThat(problems(TOMCAT + ", role-file: /r"))
                .singleElement()
                .asString()
                .contains("give the file a template, or leave role-file out");
        assertThat(problems(TOMCAT + ", template: /t, reload: [r]")).containsExactly("missing; add it");
        assertThat(problems(TOMCAT + ", role-file: /r, template: /t"))
                .singleElement()
                .asString()
                .startsWith("nobody knows how this server is made to read its file again");
        assertThat(problems(GUNICORN + FILE + ", reload-idle: [i]"))
                .singleElement()
                .asString()
                .startsWith("no page tells when nothing is in flight");
        assertThat(problems("kind: other, address: \"h:2\", unit: -Hevil"))
                .singleElement()
                .asString()
                .contains("write the name of a unit of systemd");
        assertThat(problems(TOMCAT + ", reload: [r], check: [c]"))
                .hasSize(2)
                .allMatch(problem -> problem.startsWith("is never used, as this server is told nothing"));
        assertThat(problems(TOMCAT + ", admin: \"h:4\""))
                .singleElement()
                .asString()
                .contains("nothing is asked there");
        assertThat(problems(TOMCAT + ", requests-at-once: 8"))
                .singleElement()
                .asString()
                .contains("give status-path");
        assertThat(problems(TOMCAT + ", socket: /s")).singleElement().asString().startsWith("unknown key");
        assertThat(problems(GUNICORN + ", stop: [s]"))
                .containsExactly("a has a command stop and none that starts the server again: give it restart");
    }

    @Test
    void shouldTellItsPeersWhatItIs() {
        assertThat(ConfigDigest.text(parse("shop/app", HAPROXY, TOMCAT))).contains("\napp-server 1 other h:2\n");
    }
}
