package dev.retier.agent.real;

import static dev.retier.agent.real.RealNodes.PATIENCE;
import static dev.retier.agent.real.RealNodes.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.EdgeConfig;
import dev.retier.agent.config.EdgeKind;
import dev.retier.agent.edge.Edge;
import dev.retier.agent.fixture.Clusters;
import dev.retier.agent.http.AdminApi;
import dev.retier.agent.http.AdminServer;
import dev.retier.agent.http.AgentMetrics;
import dev.retier.agent.http.TargetBoard;
import dev.retier.agent.real.RealInstance.Options;
import dev.retier.agent.render.TargetList;
import dev.retier.config.HostPort;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What stands before the proxies follows the targets that an agent serves, and keeps them when it is gone. */
class EdgeIT {
    private static final HostPort NOBODY = new HostPort("127.0.0.1", 1);

    @TempDir
    @Nullable
    Path temporary;

    private Path folder = Path.of("");
    private final StubApp first = new StubApp("this is node-1");
    private final StubApp second = new StubApp("this is node-2");
    private final ClusterConfig config = RealNodes.cluster(first.server(), second.server());
    private final TargetBoard board = new TargetBoard();
    private AdminServer agent =
            AdminServer.start(new HostPort("127.0.0.1", 0), "test", board, new NoApi(), new AgentMetrics());

    private static final class NoApi implements AdminApi {
        @Override
        public String statusJson() {
            return "{}";
        }

        @Override
        public List<Check> liveness() {
            return List.of(new Check("control", true, "last round 1 ms ago"));
        }

        @Override
        public List<Check> readiness() {
            return List.of();
        }
    }

    @BeforeEach
    void useFolder() {
        folder = Objects.requireNonNull(temporary);
    }

    @AfterEach
    void closeAll() {
        agent.close();
        first.close();
        second.close();
    }

    private void post(long stamp, StubApp... targets) {
        List<HostPort> addresses =
                List.of(targets).stream().map(StubApp::address).toList();
        board.post(new TargetList(stamp, "shop", addresses));
    }

    private static void awaitAnswers(RealInstance edge, String text) {
        await().atMost(PATIENCE)
                .until(() -> IntStream.range(0, 10)
                        .allMatch(_ -> get(edge.server().address(), "/x").body().equals(text)));
    }

    @Test
    void shouldFollowTheTargets_whenNginxStandsBeforeThem() {
        shouldFollow(EdgeKind.NGINX, RealInstance.nginx(folder.resolve("edge"), "edge.conf", Options.USUAL));
    }

    @Test
    void shouldFollowTheTargets_whenHaproxyStandsBeforeThem() {
        shouldFollow(EdgeKind.HAPROXY, RealInstance.haproxy(folder.resolve("edge"), "edge.cfg", Options.USUAL));
    }

    private void shouldFollow(EdgeKind kind, RealInstance server) {
        EdgeConfig edge =
                new EdgeConfig("front", Clusters.SHOP, kind, server.server().roleFile(), server.server());
        Edge.writeFirstFile(config, edge);
        try (server) {
            server.start();
            awaitAnswers(server, "this is node-1");
            try (Edge following = Edge.start(config, edge, List.of(NOBODY, agent.address()))) {
                post(12, second);
                awaitAnswers(server, "this is node-2");
                assertThat(get(server.server().address(), "/.retier/status").status())
                        .as("its own status page or none, but never that of a node")
                        .isIn(200, 403);
                agent.close();
                assertThat(following.targets()).isPresent();
                awaitAnswers(server, "this is node-2");
            }
            awaitAnswers(server, "this is node-2");
        }
    }

    @Test
    void shouldWriteTheList_whenItIsAFile() {
        Path file = folder.resolve("targets.json");
        EdgeConfig edge = new EdgeConfig("list", Clusters.SHOP, EdgeKind.TARGET_LIST, file, null);
        try (Edge following = Edge.start(config, edge, List.of(agent.address()))) {
            assertThat(file).content().contains("\"targets\":[\"" + first.address() + "\"]");
            post(12, first, second);
            await().atMost(PATIENCE).until(() -> following.targets().isPresent());
            TargetList list = following.targets().orElseThrow();
            assertThat(list).isEqualTo(new TargetList(12, "shop", List.of(first.address(), second.address())));
            assertThat(file).content().isEqualTo(list.json() + "\n");
            assertThat(TargetList.parse(list.json())).contains(list);
            post(14, second);
            await().atMost(PATIENCE).until(() -> Files.readString(file).contains("\"epoch\":14"));
        }
    }
}
