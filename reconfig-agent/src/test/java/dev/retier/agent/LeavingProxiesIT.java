package dev.retier.agent;

import static dev.retier.agent.fixture.Clusters.PROXY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.agent.command.Answer;
import dev.retier.agent.command.Command;
import dev.retier.agent.config.EdgeConfig;
import dev.retier.agent.config.EdgeKind;
import dev.retier.agent.control.ControlClient;
import dev.retier.agent.edge.Edge;
import dev.retier.agent.fixture.AgentCell;
import dev.retier.agent.fixture.Clusters;
import dev.retier.agent.move.MovePhase;
import dev.retier.agent.tls.Credentials;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole agents whose proxies leave only when the edges before them have let go. */
class LeavingProxiesIT {
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    @TempDir
    @Nullable
    Path folder;

    private Path directory = Path.of("");

    @BeforeEach
    void useFolder() {
        directory = Objects.requireNonNull(folder);
    }

    private Edge edge(AgentCell cell, String name) {
        Path file = directory.resolve(name + ".json");
        EdgeConfig edge = new EdgeConfig(name, Clusters.SHOP, EdgeKind.TARGET_LIST, file, null);
        return Edge.start(cell.config(), edge, Credentials.NONE);
    }

    private static Answer moveAway(AgentCell cell) {
        Command.Manner forced = new Command.Manner(false, true);
        try {
            return ControlClient.ask(cell.controlSocket(1), new Command.Move("node-2", "shop/app", forced), PATIENCE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void awaitReady(AgentCell cell) {
        await().atMost(PATIENCE).until(() -> cell.agents().stream().allMatch(Agent::isReady));
    }

    @Test
    void shouldMove_whenBothEdgesHaveLetGo() throws IOException {
        try (AgentCell cell = AgentCell.startBehind(directory, 2, 2, "front", "list");
                Edge front = edge(cell, "front");
                Edge _ = edge(cell, "list")) {
            awaitReady(cell);
            await().atMost(PATIENCE).until(() -> front.targets().isPresent());

            assertThat(moveAway(cell).outcome()).isEqualTo(Answer.Outcome.DONE);

            String left = cell.server(2).address().toString();
            assertThat(Files.readString(directory.resolve("front.json"))).doesNotContain(left);
            assertThat(Files.readString(directory.resolve("list.json"))).doesNotContain(left);
            assertThat(cell.agent(2).statusJson())
                    .contains("\"edges\":[{\"edge\":\"front\",\"site\":\"shop\",\"stamp\":")
                    .contains("\"sends_to_this_node\":false");
        }
    }

    @Test
    void shouldStayAndTellWhoeverTypedIt_whenAnEdgeDoesNotRun() {
        try (AgentCell cell = AgentCell.startBehind(directory, 2, 2, "front", "list");
                Edge _ = edge(cell, "front")) {
            awaitReady(cell);

            Answer answer = moveAway(cell);

            assertThat(answer.outcome()).isEqualTo(Answer.Outcome.ROLLED_BACK);
            assertThat(answer.body().path("reason").asString()).isEqualTo("UPSTREAM_NOT_PROVEN");
            assertThat(answer.body().path("sentence").asString()).contains("did not prove in time");
            assertThat(answer.body().path("detail").asString())
                    .startsWith("edge list has not said what it runs; is `./retier edge --edge list` running");
            assertThat(cell.serving(PROXY)).containsExactly(1, 2);
            assertThat(cell.moves()).noneMatch(move -> move.phase() == MovePhase.DRAINED);
        }
    }

    @Test
    void shouldMove_whenTheEdgeComesWhileTheProxyWaits() throws Exception {
        try (AgentCell cell = AgentCell.startBehind(directory, 2, 2, "front")) {
            awaitReady(cell);
            CompletableFuture<Answer> answer = new CompletableFuture<>();
            CompletableFuture<Answer> _ = answer.completeAsync(() -> moveAway(cell));
            await().atMost(PATIENCE)
                    .until(() -> cell.moves().stream().anyMatch(move -> move.phase() == MovePhase.ORDERED));
            try (Edge _ = edge(cell, "front")) {
                assertThat(answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).outcome())
                        .isEqualTo(Answer.Outcome.DONE);
            }
        }
    }
}
