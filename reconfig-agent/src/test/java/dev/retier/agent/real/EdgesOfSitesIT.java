package dev.retier.agent.real;

import static dev.retier.agent.real.RealNodes.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.EdgeConfig;
import dev.retier.agent.edge.Edge;
import dev.retier.agent.files.ConfigFile;
import dev.retier.agent.fixture.Clusters;
import dev.retier.agent.fixture.StubApi;
import dev.retier.agent.http.AdminServer;
import dev.retier.agent.http.AgentMetrics;
import dev.retier.agent.http.TargetBoard;
import dev.retier.agent.real.RealInstance.Options;
import dev.retier.agent.render.EdgeWord;
import dev.retier.agent.render.TargetList;
import dev.retier.agent.server.HttpFetch;
import dev.retier.agent.tls.Credentials;
import dev.retier.config.HostPort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One HAProxy before two sites: an edge for each, and what the host name says goes where it belongs. */
class EdgesOfSitesIT {
    @TempDir
    @Nullable
    Path temporary;

    private Path folder = Path.of("");
    private final List<StubApp> nodes = List.of(
            new StubApp("this is node-1"),
            new StubApp("this is node-2"),
            new StubApp("this is node-3"),
            new StubApp("this is node-4"));
    private final TargetBoard board = new TargetBoard();
    private final Words words = new Words();
    private final AdminServer agent =
            AdminServer.start(new HostPort("127.0.0.1", 0), Clusters.access("test"), board, words, new AgentMetrics());

    /** The newest word of each site's edge. */
    private static final class Words extends StubApi {
        private final Map<String, EdgeWord> newest = new ConcurrentHashMap<>();

        @Override
        public void edgeTold(String site, String word) {
            newest.put(site, EdgeWord.parse(word).orElseThrow());
        }
    }

    @BeforeEach
    void useFolder() {
        folder = Objects.requireNonNull(temporary);
    }

    @AfterEach
    void closeAll() {
        agent.close();
        nodes.forEach(StubApp::close);
    }

    @Test
    void shouldSendEachHostToItsSite_whileEachSiteHasOtherProxies() throws IOException {
        RealInstance server = RealInstance.haproxy(
                folder.resolve("edge"), "edge-sites.cfg", List.of("retier-shop.cfg", "retier-news.cfg"), Options.USUAL);
        ClusterConfig config = config(server, "news.example");
        try (server;
                Edge _ = start(config, "front-shop")) {
            server.start();
            try (Edge _ = start(config, "front-news")) {
                awaitAnswer(server, "shop.example", "this is node-1");
                awaitAnswer(server, "WWW.Shop.Example:8000", "this is node-1");
                awaitAnswer(server, "news.example", "this is node-3");
                assertThat(fetch(server, "other.example").status()).isEqualTo(421);
                post(12, "shop", 1);
                post(14, "news", 3);
                awaitAnswer(server, "shop.example", "this is node-2");
                awaitAnswer(server, "news.example", "this is node-4");
                await().atMost(PATIENCE)
                        .until(() -> words.newest.equals(Map.of(
                                "shop", new EdgeWord("front-shop", 12, false),
                                "news", new EdgeWord("front-news", 14, false))));
                assertThat(fetch(server, "neu.example").status()).isEqualTo(421);
            }
            long before = server.generation();
            try (Edge _ = start(config(server, "news.example, neu.example"), "front-news")) {
                awaitAnswer(server, "neu.example", "this is node-4");
                assertThat(server.generation()).as("other hosts take a reload").isNotEqualTo(before);
                post(16, "shop", 0);
                awaitAnswer(server, "shop.example", "this is node-1");
                awaitAnswer(server, "news.example", "this is node-4");
            }
        }
    }

    /** A new worker that had read the file of before when the list changed goes on with the proxy that has left. */
    @Test
    void shouldTellItsServerAnew_whenSomebodyElseHasReloadedItWithTheFileOfBefore() throws IOException {
        RealInstance server = RealInstance.haproxy(
                folder.resolve("edge"), "edge-sites.cfg", List.of("retier-shop.cfg", "retier-news.cfg"), Options.USUAL);
        ClusterConfig config = config(server, "news.example");
        try (server;
                Edge _ = start(config, "front-shop");
                Edge _ = start(config, "front-news")) {
            server.start();
            awaitAnswer(server, "shop.example", "this is node-1");
            Path file = server.folder().resolve("retier-shop.cfg");
            byte[] old = Files.readAllBytes(file);
            post(12, "shop", 1);
            await().atMost(PATIENCE)
                    .until(() -> new EdgeWord("front-shop", 12, false).equals(words.newest.get("shop")));
            awaitAnswer(server, "shop.example", "this is node-2");
            byte[] now = Files.readAllBytes(file);
            long before = server.generation();

            Files.write(file, old);
            server.reload();
            await().atMost(PATIENCE).until(() -> server.generation() != before);
            Files.write(file, now);

            await().atMost(PATIENCE)
                    .until(() -> ProcessHandle.of(before)
                            .filter(ProcessHandle::isAlive)
                            .isEmpty());
            awaitAnswer(server, "shop.example", "this is node-2");
        }
    }

    private ClusterConfig config(RealInstance server, String newsHosts) throws IOException {
        StringBuilder text = new StringBuilder("""
                name: two-sites
                secret-env: RETIER_SECRET
                journal-directory: /nonexistent
                sites:
                  - {id: 1, name: shop, hosts: [Shop.example, www.shop.example]}
                  - {id: 2, name: news, hosts: [%s]}
                witnesses: [node-1]
                nodes:
                """.formatted(newsHosts));
        for (int node = 0; node < nodes.size(); node++) {
            text.append("""
                      - id: %1$d
                        name: node-%1$d
                        rdma: 127.0.0.%1$d:9001
                        agent: 127.0.0.%1$d:9002
                        role: %2$s
                        server: {kind: web-node, address: "%3$s", admin: "%3$s", role-file: /nonexistent/%1$d}
                    """.formatted(
                    node + 1,
                    List.of("shop/proxy", "shop/app", "news/proxy", "news/app").get(node),
                    nodes.get(node).address()));
        }
        text.append("edges:\n");
        for (String site : List.of("shop", "news")) {
            text.append("""
                      - name: front-%1$s
                        site: %1$s
                        kind: haproxy
                        program: %2$s
                        address: "%3$s"
                        status-path: /.retier/status/%1$s
                        file: %4$s/retier-%1$s.cfg
                        config: %5$s
                        pid-file: %6$s
                        socket: %7$s
                    """.formatted(
                            site,
                            server.server().controlled().commands().program(),
                            server.server().address(),
                            server.folder(),
                            server.config(),
                            server.server().controlled().pidFile(),
                            server.server().controlled().socket()));
        }
        Path file = folder.resolve("cluster.yaml");
        Files.writeString(file, text);
        return ConfigFile.read(file);
    }

    /** The four nodes have one agent. */
    private Edge start(ClusterConfig config, String name) {
        EdgeConfig edge = config.edges().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow();
        HostPort nobody = new HostPort("127.0.0.1", 1);
        return Edge.start(
                config, edge, new Edge.Agents(List.of(agent.address(), nobody, nobody, nobody), Credentials.NONE));
    }

    /** Node-1 and node-3 are told of what there is after that. */
    private void post(long stamp, String site, int node) {
        board.post(new TargetList(stamp, site, List.of(nodes.get(node).address())));
    }

    private static HttpFetch.Answer fetch(RealInstance server, String host) throws IOException {
        try (HttpFetch fetch = new HttpFetch(server.server().address(), host)) {
            return fetch.get("/x", PATIENCE);
        }
    }

    private static void awaitAnswer(RealInstance server, String host, String text) {
        await().atMost(PATIENCE).until(() -> fetch(server, host).body().equals(text));
    }
}
