package dev.retier.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.agent.command.Answer;
import dev.retier.agent.command.Command;
import dev.retier.agent.command.Command.Manner;
import dev.retier.agent.command.PastMove;
import dev.retier.agent.config.AgentConfig;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.control.ControlClient;
import dev.retier.agent.journal.Journal;
import dev.retier.agent.move.MovePhase;
import dev.retier.agent.render.Rendering.Mark;
import dev.retier.agent.render.RoleFlags;
import dev.retier.agent.server.HttpFetch;
import dev.retier.testsupport.ExternalTool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Every server and every agent of a cluster killed at the same time in the middle of a move, and started again: the
 * node that moved is in one role, every server in the role that all agents see, all files are of one stamp.
 */
@Timeout(240)
class KilledTogetherIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final String MOVED = "node-2";
    private static final int MOST_KILLS = 10;
    private static final String SETTINGS = """
            mode: recommend
            timing: {read-deadline: 250ms, staleness: 3s}
            move: {upstream-deadline: 20s, switch-deadline: 20s, prove-deadline: 20s}
            """;

    @TempDir
    private Path folder;

    @Test
    void shouldEndInOneRole_whenEverythingIsKilledInAMove() throws Exception {
        ExternalTool.find("apache2");
        try (HttpdCell cell = HttpdCell.start(folder, 3, SETTINGS)) {
            for (MovePhase phase : List.of(MovePhase.ORDERED, MovePhase.SWITCHING)) {
                boolean wasOnItsWay = false;
                for (int kill = 0; kill < MOST_KILLS && !wasOnItsWay; kill++) {
                    wasOnItsWay = killedAt(cell, phase);
                }
                assertThat(wasOnItsWay)
                        .as("%s: a move was on its way when all was killed", phase)
                        .isTrue();
            }
        }
    }

    /** Whether it was killed in the middle of a move, which takes a tenth of a second: some end before that. */
    private static boolean killedAt(HttpdCell cell, MovePhase phase) throws Exception {
        int moves = journal(cell).size();
        CompletableFuture<Optional<Answer>> move = CompletableFuture.supplyAsync(() -> move(cell));
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> move.isDone() || hasReached(cell, moves, phase));
        cell.killAll();
        boolean wasOnItsWay = !journal(cell).getLast().end().isFinal();
        cell.startAll();
        await().atMost(PATIENCE).until(() -> journal(cell).getLast().end().isFinal());
        cell.awaitReady();
        await().atMost(PATIENCE)
                .ignoreExceptionsInstanceOf(IOException.class)
                .untilAsserted(() -> assertThatAllIsOne(cell, phase));
        assertThat(wasOnItsWay && move.join().isPresent())
                .as("who asked was cut off")
                .isFalse();
        return wasOnItsWay;
    }

    private static boolean hasReached(HttpdCell cell, int movesBefore, MovePhase phase) {
        List<PastMove> moves = journal(cell);
        return moves.size() > movesBefore && moves.getLast().end().compareTo(phase) >= 0;
    }

    private static List<PastMove> journal(HttpdCell cell) {
        return PastMove.of(Journal.entries(cell.config(MOVED).journalDirectory()));
    }

    /** To the tier where it is not. Empty when the agent that was asked was killed before it could answer. */
    private static Optional<Answer> move(HttpdCell cell) {
        AgentConfig asked = cell.config("node-1");
        String to = isProxy(cell.config(MOVED).node()) ? "shop/app" : "shop/proxy";
        Command order = new Command.Move(MOVED, to, new Manner(false, true));
        try {
            Answer answer = ControlClient.ask(asked.controlSocket(), order, PATIENCE);
            while (answer.outcome() == Answer.Outcome.NO_LOCK) { // a witness that has just started holds it back
                answer = ControlClient.ask(asked.controlSocket(), order, PATIENCE);
            }
            return Optional.of(answer);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static boolean isProxy(NodeConfig node) {
        return Files.exists(new RoleFlags(node.server().roleFile()).proxy());
    }

    private static String file(NodeConfig node) {
        try {
            return Files.readString(node.server().roleFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void assertThatAllIsOne(HttpdCell cell, MovePhase phase) throws IOException {
        Map<String, String> roles = new TreeMap<>();
        for (NodeConfig node : cell.cluster().nodes()) {
            roles.put(node.name(), "shop/" + (isProxy(node) ? "proxy" : "app") + " active");
        }
        long stamp = Mark.ofFile(file(cell.config(MOVED).node())).orElseThrow().stamp();
        for (NodeConfig node : cell.cluster().nodes()) {
            assertThat(seenBy(cell, node))
                    .as("%s: as %s sees them", phase, node.name())
                    .isEqualTo(roles);
            Mark mark = Mark.ofFile(file(node)).orElseThrow();
            assertThat(mark.stamp()).as("%s: file of %s", phase, node.name()).isEqualTo(stamp);
            try (HttpFetch fetch = new HttpFetch(node.server().address())) {
                HttpFetch.Answer answer = fetch.get("/static/retier-proof?retier-proof=1", TIMEOUT);
                assertThat(answer.status())
                        .as("%s: %s serves", phase, node.name())
                        .isEqualTo(200);
                assertThat(Mark.ofHeader(answer.headers().get("x-retier-epoch")).map(Mark::structure))
                        .as("%s: %s runs its file", phase, node.name())
                        .isEqualTo(Optional.of(mark.structure()));
            }
        }
    }

    private static Map<String, String> seenBy(HttpdCell cell, NodeConfig agent) throws IOException {
        Map<String, String> roles = new TreeMap<>();
        for (JsonNode node :
                JsonMapper.shared().readTree(cell.status(agent)).path("nodes").values()) {
            roles.put(
                    node.path("node").asString(),
                    node.path("role").asString() + " " + node.path("phase").asString());
        }
        return roles;
    }
}
