package dev.retier.agent;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.PROXY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.agent.fixture.AgentCell;
import dev.retier.agent.journal.Journal;
import dev.retier.agent.move.MovePhase;
import dev.retier.agent.move.MoveRecord;
import dev.retier.state.RoleWord.Phase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Agents that die at every border of a move's phases, and are started again: each node ends in exactly one role, its
 * server in that role, and all files are of one epoch. Their servers go on all the while.
 */
class KilledAgentsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @TempDir
    @Nullable
    Path folder;

    private void shouldEndInOneRole(Consumer<AgentCell> fault, boolean isEverybodyKilled) {
        Path directory = Objects.requireNonNull(folder);
        int victim;
        try (AgentCell cell = AgentCell.start(directory, 1, 3)) {
            await().atMost(PATIENCE).until(() -> cell.agents().stream().allMatch(Agent::isReady));
            fault.accept(cell);
            cell.load(PROXY, 1.0);
            await().atMost(PATIENCE).until(() -> cell.dead().size() == 1);
            victim = cell.dead().getFirst();
            cell.load(PROXY, 0.0);
            if (isEverybodyKilled) {
                cell.killAll();
            }
            cell.startDeadAgain();
            await().atMost(PATIENCE).until(() -> isConsistent(cell));
            assertThat(cell.serving(PROXY)).isNotEmpty();
            assertThat(cell.serving(APP)).isNotEmpty();
            assertThat(cell.serving(PROXY).size() + cell.serving(APP).size()).isEqualTo(4);
        }
        List<MoveRecord> journal = Journal.read(directory.resolve("journal/node-" + victim));
        assertThat(journal.getLast().phase().isFinal())
                .as("the journal ends with the end of the move: %s", journal)
                .isTrue();
    }

    /** No node on its way; each server in the role of its node's word, by a file of the newest stamp of all. */
    private static boolean isConsistent(AgentCell cell) {
        long stamp = 0;
        for (int id = 1; id <= 4; id++) {
            stamp = Math.max(stamp, 2 * cell.word(id).epoch() + 1);
        }
        List<String> expected = new ArrayList<>();
        for (int id = 1; id <= 4; id++) {
            if (cell.word(id).phase() != Phase.ACTIVE) {
                return false;
            }
            expected.add(stamp + (cell.word(id).serves(PROXY) ? " proxy" : " app"));
        }
        List<String> apps = cell.serving(APP).stream().map(id -> "node-" + id).toList();
        return List.copyOf(cell.files().values()).equals(expected)
                && cell.serving(PROXY).stream()
                        .allMatch(id -> cell.server(id).apps().equals(apps));
    }

    @ParameterizedTest
    @EnumSource(
            value = MovePhase.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"ORDERED", "ROLLED_BACK"})
    void shouldEndInOneRole_whenTheAgentDiesAtAPhase(MovePhase phase) {
        shouldEndInOneRole(cell -> cell.dieAt(phase), false);
    }

    @Test
    void shouldEndInOneRole_whenTheAgentDiesOnceOrdered() {
        shouldEndInOneRole(cell -> cell.dieOnceOrdered(true), false);
    }

    /** Nobody but the files of the others knows of that order any more, and their stamps never go back. */
    @Test
    void shouldForgetTheOrder_whenTheAgentDiesBeforeItJournalsIt() {
        try (AgentCell cell = AgentCell.start(Objects.requireNonNull(folder), 1, 3)) {
            await().atMost(PATIENCE).until(() -> cell.agents().stream().allMatch(Agent::isReady));
            cell.dieOnceOrdered(false);
            cell.load(PROXY, 1.0);
            await().atMost(PATIENCE).until(() -> cell.dead().size() == 1);
            cell.load(PROXY, 0.0);
            cell.startDeadAgain();
            await().atMost(PATIENCE)
                    .until(() -> cell.allIdle() && cell.server(1).apps().size() == 3);
            assertThat(cell.serving(APP)).containsExactly(2, 3, 4);
            assertThat(cell.files().values()).allMatch(file -> file.endsWith("app") || file.endsWith("proxy"));
        }
    }

    @Test
    void shouldEndInOneRole_whenTheAgentDiesBeforeItJournalsTheEnd() {
        shouldEndInOneRole(AgentCell::dieOnceActive, false);
    }

    @Test
    void shouldEndInOneRole_whenTheAgentDiesAtTheEndOfARollback() {
        shouldEndInOneRole(
                cell -> {
                    cell.server(2).refuseRoleChanges(true);
                    cell.server(3).refuseRoleChanges(true);
                    cell.server(4).refuseRoleChanges(true);
                    cell.dieAt(MovePhase.ROLLED_BACK);
                },
                false);
    }

    @ParameterizedTest
    @EnumSource(
            value = MovePhase.class,
            names = {"UPSTREAM_PROVEN", "SWITCHING", "PROVEN"})
    void shouldEndInOneRole_whenAllAgentsDie(MovePhase phase) {
        shouldEndInOneRole(cell -> cell.dieAt(phase), true);
    }
}
