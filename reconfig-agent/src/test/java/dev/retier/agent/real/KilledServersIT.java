package dev.retier.agent.real;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.PROXY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.agent.event.MoveEvent;
import dev.retier.agent.move.MovePhase;
import dev.retier.agent.real.RealInstance.Options;
import dev.retier.agent.render.Rendering.Mark;
import dev.retier.agent.render.RoleFlags;
import dev.retier.agent.server.HttpFetch;
import dev.retier.state.RoleWord.Phase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Servers that are killed (SIGKILL, with their children) in the middle of a move, and started again as a service
 * manager would: the move ends one way or the other, every node serves in the one role of its word, all files are of
 * one stamp, and clients are answered by the edge.
 */
class KilledServersIT {
    private static final int NODES = 4;
    private static final List<MovePhase> PHASES =
            List.of(MovePhase.UPSTREAM_PROVEN, MovePhase.SWITCHING, MovePhase.SWITCHED);

    @TempDir
    @Nullable
    Path temporary;

    private RealCell start() {
        Path folder = Objects.requireNonNull(temporary);
        List<RealInstance> nodes = IntStream.rangeClosed(1, NODES)
                .mapToObj(id -> RealInstance.httpd(folder.resolve("node-" + id), Options.USUAL))
                .toList();
        RealInstance edge = RealInstance.haproxy(folder.resolve("edge"), "edge.cfg", Options.USUAL);
        return RealCell.start(folder, nodes, edge, 2);
    }

    @Test
    void shouldEndInOneRole_whenTheServerThatMovesIsKilled() throws Exception {
        try (RealCell cell = start()) {
            for (MovePhase phase : PHASES) {
                shouldEndInOneRole(cell, phase, List.of(cell.server(2)));
            }
        }
    }

    @Test
    void shouldEndInOneRole_whenEveryServerIsKilled() throws Exception {
        try (RealCell cell = start()) {
            shouldEndInOneRole(cell, MovePhase.SWITCHING, cell.allServers());
        }
    }

    private static void shouldEndInOneRole(RealCell cell, MovePhase phase, List<RealInstance> killed) throws Exception {
        CompletableFuture<Void> isDone = new CompletableFuture<>();
        cell.at(phase, () -> {
            RealInstance.killForRestart(killed);
            isDone.complete(null);
        });
        boolean isProxy = cell.word(2).serves(PROXY);
        CompletableFuture<MoveEvent> move = CompletableFuture.supplyAsync(() -> cell.move(2, isProxy ? APP : PROXY));
        isDone.get(RealNodes.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        killed.forEach(RealInstance::start);
        assertThat(move.get(2 * RealNodes.PATIENCE.toSeconds(), TimeUnit.SECONDS)
                        .phase()
                        .isFinal())
                .isTrue();
        cell.awaitSettled();
        await().atMost(RealNodes.PATIENCE).untilAsserted(() -> assertThatAllIsOf(cell, phase));
    }

    private static void assertThatAllIsOf(RealCell cell, MovePhase phase) throws IOException {
        long stamp = IntStream.rangeClosed(1, NODES)
                .mapToLong(id -> 2 * cell.word(id).epoch() + 1)
                .max()
                .orElseThrow();
        for (int id = 1; id <= NODES; id++) {
            RealInstance server = cell.server(id);
            String file = Files.readString(server.server().roleFile());
            Mark mark = Mark.ofFile(file).orElseThrow();
            assertThat(cell.word(id).phase()).as("%s of node %s", phase, id).isEqualTo(Phase.ACTIVE);
            assertThat(Files.exists(new RoleFlags(server.server().roleFile()).proxy()))
                    .as("%s: node %s is in the role of its word", phase, id)
                    .isEqualTo(cell.word(id).serves(PROXY));
            assertThat(mark.stamp()).as("%s of node %s", phase, id).isEqualTo(stamp);
            HttpFetch.Answer answer = RealNodes.get(server.server().address(), "/static/retier-proof?retier-proof=1");
            assertThat(Mark.ofHeader(answer.headers().get("x-retier-epoch")).map(Mark::structure))
                    .as("%s: node %s runs its file", phase, id)
                    .isEqualTo(Optional.of(mark.structure()));
        }
        for (String path : List.of("/static/retier-proof", "/dynamic/x")) {
            assertThat(RealNodes.get(cell.edgeAddress(), path).status())
                    .as("%s: %s", phase, path)
                    .isEqualTo(200);
        }
    }
}
