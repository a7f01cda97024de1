package dev.retier.agent.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.config.ConfigException;
import dev.retier.config.ConfigProblem;
import dev.retier.config.HostPort;
import dev.retier.state.Role;
import dev.retier.state.SiteId;
import dev.retier.state.Tier;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A node with a server for each tier. */
class AppServerTest {
    private static final String HAPROXY =
            "{kind: haproxy, address: \"h:1\", role-file: /a, config: /h, pid-file: /hp, socket: /hs@STOP@}";

    private static ClusterConfig parse(String server, String appServer) {
        return ClusterConfig.parse("""
                name: example
                secret-env: S
                journal-directory: /var/lib/retier
                sites: [{id: 1, name: shop}]
                nodes:
                  - id: 1
                    name: a
                    rdma: h:5
                    agent: localhost:6
                    role: shop/app
                    server: %s
                    %s
                  - {id: 2, name: b, rdma: "h:15", agent: "localhost:16", role: shop/proxy,
                     server: {address: "h:17", admin: "h:18", role-file: /b}}
                witnesses: [a]
                """.formatted(server.replace("@STOP@", ""), appServer), "a file");
    }

    private static String httpd(String more) {
        return "app-server: {kind: httpd, address: \"h:2\", admin: \"h:3\", role-file: /c, config: /d, pid-file: /dp"
                + more + "}";
    }

    private static List<String> problems(String server, String appServer) {
        try {
            parse(server, appServer);
            return List.of();
        } catch (ConfigException e) {
            return e.problems().stream().map(ConfigProblem::message).toList();
        }
    }

    @Test
    void shouldServeEachTierByItsServer() {
        ClusterConfig config = parse(HAPROXY, httpd(", stop: [a, \"{pid}\"], restart: [b], start-deadline: 2s"));
        NodeConfig node = config.nodes().getFirst();
        Role proxy = Role.serving(new SiteId(1), Tier.PROXY);
        Role app = Role.serving(new SiteId(1), Tier.APP);

        assertThat(node.servers()).containsExactly(node.server(proxy), node.server(app));
        assertThat(node.server(app).kind()).isEqualTo(ServerKind.HTTPD);
        assertThat(node.server(Role.SPARE)).isEqualTo(node.server(proxy));
        assertThat(node.appAddress()).contains(new HostPort("h", 2));
        assertThat(node.canServe(app) && node.canServe(proxy)).isTrue();
        assertThat(node.answersLate()).as("HAProxy answers no more for httpd").isEmpty();
        assertThat(node.roleFiles()).isEqualTo("/a and /c");
        assertThat(node.server(app).longestSwitch())
                .isEqualTo(node.server(proxy).longestSwitch().plusSeconds(2));
        assertThat(config.move().switchDeadline()).isGreaterThanOrEqualTo(Duration.ofSeconds(18));
        NodeConfig other = config.nodes().getLast();
        assertThat(other.answersLate()).containsExactlyInAnyOrder(Tier.PROXY, Tier.APP);
        assertThat(other.appAddress()).contains(new HostPort("h", 17));
    }

    @Test
    void shouldTakeNginx_forTheAppTier() {
        NodeConfig node =
                parse(HAPROXY, httpd("").replace("httpd", "nginx")).nodes().getFirst();

        assertThat(node.tiers()).containsExactlyInAnyOrder(Tier.PROXY, Tier.APP);
        assertThat(node.appAddress()).contains(new HostPort("h", 2));
    }

    @Test
    void shouldTellItsPeers_thatItHasTwo() {
        assertThat(ConfigDigest.text(parse(HAPROXY, httpd("")))).contains("\napp-server 1 httpd h:2\n");
    }

    @Test
    void shouldRefuseWhatCannotWork() {
        assertThat(problems(HAPROXY, ""))
                .containsExactly(
                        "a cannot be an app, as its server is haproxy; make it a proxy, or give it an" + " app-server");
        assertThat(problems(
                        httpd("")
                                .replace("app-server: ", "")
                                .replace("h:", "h:4")
                                .replace("/c", "/e"),
                        httpd(", socket: /s").replace("kind: httpd", "kind: haproxy")))
                .contains(
                        "the app-server of a is haproxy, which cannot be an app; use httpd, nginx, web-node or other");
        assertThat(problems(HAPROXY, httpd(", tiers: [proxy]")))
                .contains("the app-server of a is httpd, whose tiers leave out app; write tiers: [app]");
        assertThat(problems(
                        httpd(", tiers: [app]")
                                .replace("app-server: ", "")
                                .replace("h:", "h:4")
                                .replace("/c", "/e")
                                .replace("httpd", "nginx"),
                        httpd("")))
                .containsExactly(
                        "the server of a may be no proxy, and its app-server is the app; leave one of them" + " out");
        assertThat(problems(HAPROXY, httpd(", stop: [a]")))
                .containsExactly("a has a command stop and none that starts the server again: give it restart");
        assertThat(problems(httpd(", stop: [a], restart: [b]").replace("app-server: ", ""), ""))
                .containsExactly("a has a command stop, but its server always has something to do: only of two servers"
                        + " one rests; leave stop out, or give it an app-server");
        assertThat(problems(
                        httpd("")
                                .replace("app-server: ", "")
                                .replace("h:", "h:4")
                                .replace("/c", "/e"),
                        httpd("")))
                .containsExactly("both servers of a are httpd: one of that kind is proxy and app by itself; leave"
                        + " app-server out");
        assertThat(problems(HAPROXY, httpd("").replace("h:2", "h:1")))
                .containsExactly("two items have server.address h:1; give each its own");
    }
}
