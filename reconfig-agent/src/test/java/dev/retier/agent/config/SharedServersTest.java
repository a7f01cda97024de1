package dev.retier.agent.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.config.ConfigException;
import dev.retier.config.ConfigProblem;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Edges of several sites that are one HAProxy. */
class SharedServersTest {
    private static String edge(String site, String address, String more) {
        return "{name: front-" + site + ", site: " + site + ", kind: haproxy, address: \"" + address
                + "\", file: /e/" + site + ".cfg, config: /c, pid-file: /p, socket: /s, status-path: /status/" + site
                + more + "}";
    }

    private static ClusterConfig parse(String... edges) {
        return ClusterConfig.parse("""
                name: two-sites
                secret-env: S
                journal-directory: /var/lib/retier
                sites: [{id: 1, name: shop}, {id: 2, name: news}]
                nodes:
                  - {id: 1, name: a, rdma: "h:1", agent: "localhost:2", role: shop/proxy,
                     server: {address: "h:3", admin: "h:4", role-file: /a}}
                  - {id: 2, name: b, rdma: "h:5", agent: "localhost:6", role: news/proxy,
                     server: {address: "h:7", admin: "h:8", role-file: /b}}
                witnesses: [a]
                edges: [%s]
                """.formatted(String.join(", ", edges)), "c.yaml");
    }

    private static List<String> problems(String... edges) {
        try {
            parse(edges);
            return List.of();
        } catch (ConfigException e) {
            return e.problems().stream().map(ConfigProblem::message).toList();
        }
    }

    private static List<String> check(ClusterConfig config, String name) {
        ServerConfig server =
                Objects.requireNonNull(config.edgeNamed(name).orElseThrow().server());
        return server.controlled().commands().check();
    }

    @Test
    void shouldCheckTheFilesOfAllItsSites_whenTheCheckIsTheUsualOne() {
        ClusterConfig config = parse(edge("shop", "e:80", ""), edge("news", "e:80", ""));
        assertThat(check(config, "front-shop"))
                .containsExactly("haproxy", "-c", "-f", "{config}", "-f", "{staged}", "-f", "/e/news.cfg");
        assertThat(check(config, "front-news")).endsWith("-f", "/e/shop.cfg");
    }

    @Test
    void shouldNotMeanTheEdge_whenItsAddressIsALoopbackOneOfAnotherMachine() {
        ClusterConfig config = parse(edge("shop", "127.0.0.1:80", ""), edge("news", "e:80", ""));
        NodeConfig there = config.nodes().getFirst();
        NodeConfig here = ClusterConfig.parse("""
                name: one-machine
                secret-env: S
                journal-directory: /var/lib/retier
                sites: [{id: 1, name: shop}]
                nodes:
                  - {id: 1, name: a, rdma: "127.0.0.1:1", agent: "127.0.0.1:2", role: shop/proxy,
                     server: {address: "127.0.0.1:3", admin: "127.0.0.1:4", role-file: /a}}
                witnesses: [a]
                """, "d.yaml").nodes().getFirst();
        EdgeConfig ofLoopback = config.edgeNamed("front-shop").orElseThrow();
        EdgeConfig ofName = config.edgeNamed("front-news").orElseThrow();

        assertThat(ofLoopback.isAddressedFrom(there)).isFalse();
        assertThat(ofLoopback.isAddressedFrom(here)).isTrue();
        assertThat(ofName.isAddressedFrom(there)).isTrue();
    }

    @Test
    void shouldLeaveTheCheckAlone_whenItIsTheOperators() {
        ClusterConfig config = parse(edge("shop", "e:80", ", check: [/own, \"{staged}\"]"), edge("news", "e:80", ""));
        assertThat(check(config, "front-shop")).containsExactly("/own", "{staged}");
    }

    @Test
    void shouldNotReadFiles_whenTheyAreOfAnotherMachine() {
        assertThat(check(parse(edge("shop", "e:80", ""), edge("news", "f:80", "")), "front-shop"))
                .endsWith("{staged}");
    }

    @Test
    void shouldRefuseEdges_whenTheyCannotBeToldApart() {
        String shop = edge("shop", "e:80", "");
        String news = edge("news", "e:80", "");
        assertThat(problems(shop, news)).isEmpty();
        assertThat(problems(shop, news.replace("/status/news", "/status/shop")))
                .singleElement()
                .asString()
                .contains("have the same status-path", "/.retier/status/");
        assertThat(problems(shop, news.replace("/e/news.cfg", "/e/shop.cfg")))
                .as("both would write it")
                .singleElement()
                .asString()
                .contains("have the same file");
    }
}
