package dev.retier.agent.real;

import static dev.retier.agent.real.RealNodes.PATIENCE;
import static dev.retier.agent.real.RealNodes.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.EdgeConfig;
import dev.retier.agent.config.EdgeKind;
import dev.retier.agent.config.ServerControl;
import dev.retier.agent.edge.Edge;
import dev.retier.agent.fixture.Clusters;
import dev.retier.agent.fixture.StubApi;
import dev.retier.agent.http.AdminServer;
import dev.retier.agent.http.AgentMetrics;
import dev.retier.agent.http.TargetBoard;
import dev.retier.agent.real.RealInstance.Options;
import dev.retier.agent.render.EdgeWord;
import dev.retier.agent.render.TargetList;
import dev.retier.agent.tls.Credentials;
import dev.retier.config.HostPort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
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
    private final Told told = new Told();
    private final AdminServer agent =
            AdminServer.start(new HostPort("127.0.0.1", 0), Clusters.access("test"), board, told, new AgentMetrics());

    private Edge.Agents agents() {
        return new Edge.Agents(List.of(NOBODY, agent.address()), Credentials.NONE);
    }

    private static final class Told extends StubApi {
        private final List<EdgeWord> words = new CopyOnWriteArrayList<>();

        @Override
        public void edgeTold(String site, String word) {
            assertThat(site).isEqualTo("shop");
            words.add(EdgeWord.parse(word).orElseThrow());
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

    /** It is node-2 whose agent there is. */
    private void awaitTold(EdgeWord word) {
        await().atMost(PATIENCE)
                .until(() -> !told.words.isEmpty() && told.words.getLast().equals(word));
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

    /** What was only handed over is not what runs. */
    @Test
    void shouldSayThatItLetsGo_whenItsServerDoesAndNotBefore() throws IOException {
        Path begun = folder.resolve("begun");
        Path go = folder.resolve("go");
        RealInstance plain = RealInstance.nginx(folder.resolve("edge"), "edge.conf", Options.USUAL);
        ServerControl.Commands usual = plain.server().controlled().commands();
        String wait = "touch " + begun + "; while [ ! -e " + go + " ]; do sleep 0.02; done";
        RealInstance server = RealInstance.nginx(
                folder.resolve("edge"),
                "edge.conf",
                Options.USUAL.withCommands(new ServerControl.Commands(
                        usual.program(), List.of("/bin/sh", "-c", wait), usual.reload(), usual.restart())));
        EdgeConfig edge = new EdgeConfig(
                "front", Clusters.SHOP, EdgeKind.NGINX, server.server().roleFile(), server.server());
        Edge.writeFirstFile(config, edge);
        try (server) {
            server.start();
            Files.createFile(go);
            try (Edge _ = Edge.start(config, edge, agents())) {
                post(12, first, second);
                awaitTold(new EdgeWord("front", 12, true));
                Files.delete(go);
                Files.delete(begun);
                post(14, first);
                await().atMost(PATIENCE).until(() -> Files.exists(begun));
                assertThat(told.words.getLast()).isEqualTo(new EdgeWord("front", 12, true));
                assertThat(IntStream.range(0, 10)
                                .mapToObj(_ ->
                                        get(server.server().address(), "/x").body()))
                        .contains("this is node-2");
                Files.createFile(go);
                awaitTold(new EdgeWord("front", 14, false));
                awaitAnswers(server, "this is node-1");
            }
        }
    }

    @Test
    void shouldNotSayThatItLetsGo_whenTheListCannotBeWritten() throws IOException {
        Path file = Files.createDirectories(folder.resolve("lists")).resolve("targets.json");
        EdgeConfig edge = new EdgeConfig("list", Clusters.SHOP, EdgeKind.TARGET_LIST, file, null);
        try (Edge _ = Edge.start(config, edge, agents())) {
            awaitTold(EdgeWord.unknown("list"));
            post(12, first, second);
            awaitTold(new EdgeWord("list", 12, true));
            Files.delete(file);
            Files.createDirectories(file.resolve("in-the-way"));
            post(14, first);
            await().during(Duration.ofSeconds(1)) // it tries again five times a second
                    .atMost(PATIENCE)
                    .until(() -> told.words.getLast().equals(new EdgeWord("list", 12, true)));
            Files.delete(file.resolve("in-the-way"));
            Files.delete(file);
            awaitTold(new EdgeWord("list", 14, false));
        }
    }

    private void shouldFollow(EdgeKind kind, RealInstance server) {
        EdgeConfig edge =
                new EdgeConfig("front", Clusters.SHOP, kind, server.server().roleFile(), server.server());
        Edge.writeFirstFile(config, edge);
        try (server) {
            server.start();
            awaitAnswers(server, "this is node-1");
            try (Edge following = Edge.start(config, edge, agents())) {
                post(12, second);
                awaitAnswers(server, "this is node-2");
                awaitTold(new EdgeWord("front", 12, true));
                post(13, first);
                awaitTold(new EdgeWord("front", 13, false));
                assertThat(get(server.server().address(), "/x").body()).isEqualTo("this is node-1");
                post(14, second);
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
        try (Edge following = Edge.start(config, edge, agents())) {
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
