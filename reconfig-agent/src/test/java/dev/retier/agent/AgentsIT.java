package dev.retier.agent;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.PROXY;
import static dev.retier.agent.fixture.Clusters.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.agent.command.Answer;
import dev.retier.agent.command.Command;
import dev.retier.agent.config.DecisionRules;
import dev.retier.agent.control.ControlClient;
import dev.retier.agent.event.MoveEvent;
import dev.retier.agent.fixture.AgentCell;
import dev.retier.agent.fixture.Clusters;
import dev.retier.agent.fixture.TinyDisk;
import dev.retier.agent.journal.Journal;
import dev.retier.agent.move.MovePhase;
import dev.retier.agent.move.MoveRecord;
import dev.retier.agent.move.RollbackReason;
import dev.retier.agent.render.TargetList;
import dev.retier.config.HostPort;
import dev.retier.link.NodeId;
import dev.retier.state.RoleWord;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Agents over a cell in memory, each beside a web-node that obeys its file and reports a scripted load. */
class AgentsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final List<MovePhase> ALL_PHASES = List.of(
            MovePhase.ORDERED,
            MovePhase.UPSTREAM_PROVEN,
            MovePhase.DRAINED,
            MovePhase.SWITCHING,
            MovePhase.SWITCHED,
            MovePhase.PROVEN,
            MovePhase.ACTIVE);

    @TempDir
    @org.jspecify.annotations.Nullable
    Path folder;

    private Path directory = Path.of("");

    @BeforeEach
    void useFolder() {
        directory = Objects.requireNonNull(folder);
    }

    private static List<MovePhase> phases(AgentCell cell, long epoch) {
        return cell.moves().stream()
                .filter(move -> move.epoch() == epoch)
                .map(MoveEvent::phase)
                .toList();
    }

    private static void awaitReady(AgentCell cell) {
        await().atMost(PATIENCE).until(() -> cell.agents().stream().allMatch(Agent::isReady));
    }

    @Test
    void shouldMoveNodesWithNoStepSkipped_whenTheLoadShifts() {
        try (AgentCell cell = AgentCell.start(directory, 1, 3)) {
            awaitReady(cell);
            cell.load(PROXY, 1.0);
            await().atMost(PATIENCE).until(() -> cell.serving(PROXY).size() == 3);
            assertThat(cell.serving(APP)).hasSize(1);
            await().atMost(PATIENCE).until(() -> phases(cell, 2).contains(MovePhase.ACTIVE));
            assertThat(phases(cell, 1)).containsExactlyElementsOf(ALL_PHASES);
            assertThat(phases(cell, 2)).containsExactlyElementsOf(ALL_PHASES);
            await().atMost(PATIENCE)
                    .untilAsserted(() -> cell.agents()
                            .forEach(agent -> assertThat(agent.targets("shop")
                                            .map(TargetList::targets)
                                            .orElseThrow())
                                    .containsExactlyInAnyOrderElementsOf(cell.addresses(PROXY))));
            cell.load(PROXY, 0.0);
            cell.load(APP, 1.0);
            await().atMost(PATIENCE).until(() -> cell.serving(APP).size() == 3);
            await().atMost(PATIENCE).untilAsserted(() -> {
                int proxy = cell.serving(PROXY).getFirst();
                assertThat(cell.server(proxy).apps()).hasSize(3).doesNotContain("node-" + proxy);
            });
            assertThat(cell.moves()).noneMatch(move -> move.phase() == MovePhase.ROLLED_BACK);
        }
    }

    @Test
    void shouldMoveByTheOthers_andTellWhereTheShadowDiffers() throws Exception {
        try (AgentCell cell = AgentCell.startShadowed(directory, 2, 2)) {
            awaitReady(cell);
            assertThat(cell.ask(4, "/metrics")).contains("retier_shadow_moves_total{kind=\"not_wanted\"} 0.0");
            cell.load(APP, 1.0);
            await().atMost(PATIENCE).until(() -> cell.serving(APP).size() == 3 && cell.allIdle());
            // It may see the pressure two looks later than the others, so that has to last until then.
            await().atMost(PATIENCE)
                    .until(() -> cell.ask(4, "/metrics").contains("retier_shadow_moves_total{kind=\"agreed\"} 1.0"));
            cell.load(APP, 0.0);
            Agent shadow = cell.agent(4);
            DecisionRules patient = cell.config().decision().withHistory(Duration.ofMinutes(5));
            assertThat(shadow.reconfigure(Clusters.withDecisions(cell.config(), patient))
                            .restart())
                    .isEmpty();
            cell.load(PROXY, 1.0);
            await().atMost(PATIENCE).until(() -> cell.serving(PROXY).size() >= 2 && cell.allIdle());
            await().atMost(PATIENCE).until(() -> shadow.statusJson().contains("PRESSURE_TOO_SHORT"));
            assertThat(shadow.statusJson()).contains("\"kind\":\"not_wanted\"", "\"gains_if_it_lasts\"");
            assertThat(cell.ask(4, "/metrics")).doesNotContain("kind=\"not_wanted\"} 0.0");
            assertThat(cell.moves())
                    .noneMatch(move ->
                            move.phase() == MovePhase.ORDERED && move.agent().equals(node(4)));
            assertThat(cell.ask(1, "/metrics")).doesNotContain("retier_shadow");
        }
    }

    @Test
    void shouldMoveQuickly_whenTheVictimIsIdle() {
        try (AgentCell cell = AgentCell.start(directory, 2, 3)) {
            awaitReady(cell);
            cell.load(PROXY, 1.0);
            await().atMost(PATIENCE).until(() -> phases(cell, 2).contains(MovePhase.ACTIVE));
            List<Long> millis = cell.moveMillis();
            assertThat(millis).hasSizeGreaterThanOrEqualTo(2);
            assertThat(millis)
                    .as("from order to active; some 100 ms when the machine is not busy with other things")
                    .allMatch(took -> took < 1_000);
        }
    }

    @Test
    void shouldRefuseTheLateOrder_whenALaterHolderHasFenced() throws Exception {
        try (AgentCell cell = AgentCell.start(directory, 1, 2)) {
            awaitReady(cell);
            CompletableFuture<Map<NodeId, RoleWord>> fenced = cell.overtakeNextOrder();
            cell.load(PROXY, 1.0);
            Map<NodeId, RoleWord> words =
                    fenced.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
            assertThat(words).hasSize(3);
            await().atMost(PATIENCE).until(() -> cell.ask(1, "/metrics").contains("retier_cas_conflicts_total 1.0"));
            assertThat(cell.ask(1, "/metrics"))
                    .contains(
                            "retier_nodes_seen_total{state=\"fresh\"}",
                            "retier_look_duration_seconds_bucket{le=\"0.12\"}");
            await().atMost(PATIENCE).until(() -> cell.serving(PROXY).size() == 2 && cell.allIdle());
            assertThat(phases(cell, 1)).containsExactlyElementsOf(ALL_PHASES);
        }
    }

    @Test
    void shouldRollBack_whenTheServerRefusesTheNewRole() {
        try (AgentCell cell = AgentCell.start(directory, 1, 2)) {
            awaitReady(cell);
            cell.server(2).refuseRoleChanges(true);
            cell.server(3).refuseRoleChanges(true);
            cell.load(PROXY, 1.0);
            await().atMost(PATIENCE).until(() -> phases(cell, 1).contains(MovePhase.ROLLED_BACK));
            cell.load(PROXY, 0.0);
            assertThat(cell.moves()).anyMatch(move -> move.rollback() == RollbackReason.SERVER_REFUSED);
            await().atMost(PATIENCE).until(() -> cell.serving(APP).size() == 2 && cell.allIdle());
        }
    }

    @Test
    void shouldTellTheOperatorWhy_whenTheServerRefusesTheNewRole() throws Exception {
        try (AgentCell cell = AgentCell.startReachable(directory, 1, 3)) {
            awaitReady(cell);
            cell.server(2).refuseRoleChanges(true);

            Answer answer = ControlClient.ask(
                    cell.controlSocket(1),
                    new Command.Move("node-2", "shop/proxy", new Command.Manner(false, true)),
                    PATIENCE);

            assertThat(answer.outcome()).as(answer.print()).isEqualTo(Answer.Outcome.ROLLED_BACK);
            assertThat(answer.body().path("reason").asString("")).isEqualTo("SERVER_REFUSED");
            assertThat(answer.body().path("detail").asString("")).isEqualTo("no proxy here");
        }
    }

    /** An order would take it out of service for nothing. */
    @Test
    void shouldTakeNoOrder_whenTheDiskOfItsRoleFileIsFull() throws Exception {
        try (TinyDisk disk = new TinyDisk(directory.resolve("node-2"))) {
            try (AgentCell cell = AgentCell.start(directory, 1, 2)) {
                awaitReady(cell);
                disk.fill();
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(cell.ask(2, "/readyz?verbose"))
                                .contains("node-2: 0 bytes left on its disk; free space"));
                await().atMost(PATIENCE)
                        .untilAsserted(
                                () -> assertThat(cell.ask(1, "/v1/status")).contains("\"server\":\"unmovable\""));
                Command move = new Command.Move("node-2", "shop/proxy", new Command.Manner(false, true));
                Answer refused = ControlClient.ask(cell.controlSocket(1), move, PATIENCE);
                assertThat(refused.outcome()).as(refused.print()).isEqualTo(Answer.Outcome.REFUSED);
                assertThat(refused.print()).contains("role file", "free space");
                assertThat(cell.moves()).isEmpty();

                disk.free();

                awaitReady(cell);
            }
        }
    }

    @Test
    void shouldUndoAndLoseNothing_whenTheDiskOfTheJournalIsFull() throws Exception {
        try (TinyDisk disk = new TinyDisk(directory.resolve("journal"))) {
            try (AgentCell cell = AgentCell.start(directory, 1, 2)) {
                awaitReady(cell);
                disk.fill();
                await().atMost(PATIENCE).until(() -> cell.agents().stream().noneMatch(Agent::isReady));
                assertThat(cell.ask(2, "/readyz?verbose")).as("before any move").contains("journal", "free space");
                cell.load(PROXY, 1.0);
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(cell.ask(1, "/v1/status"))
                                .contains("node-2 cannot write its journal", "\"server\":\"unmovable\""));
                Command move = new Command.Move("node-2", "shop/proxy", new Command.Manner(false, true));
                Answer refused = ControlClient.ask(cell.controlSocket(1), move, PATIENCE);
                assertThat(refused.outcome()).as(refused.print()).isEqualTo(Answer.Outcome.REFUSED);
                assertThat(refused.print()).contains("journal", "free space");
                assertThat(cell.moves()).as("refused before they begin").isEmpty();
                disk.free();
                awaitReady(cell); // they find out by themselves
                await().atMost(PATIENCE).until(() -> cell.serving(PROXY).size() == 2 && cell.allIdle());
            }
            for (int id = 2; id <= 3; id++) {
                List<MoveRecord> journal = Journal.read(directory.resolve("journal/node-" + id));
                assertThat(journal.isEmpty() || journal.getLast().phase().isFinal())
                        .as("the journal of node %s ends with the end of a move: %s", id, journal)
                        .isTrue();
            }
        }
    }

    @Test
    void shouldNotWaitForRequestsInTheNode_asTheServerKeepsThem() {
        try (AgentCell cell = AgentCell.start(directory, 1, 2)) {
            awaitReady(cell);
            cell.server(2).hold(3);
            cell.server(3).hold(3);
            cell.load(PROXY, 1.0);
            // A drain of this cell ends by its deadline after 20 s.
            await().atMost(PATIENCE).until(() -> phases(cell, 1).contains(MovePhase.ACTIVE));
        }
    }

    @Test
    void shouldLeaveADeadServerOut_andTakeItInAgain() {
        try (AgentCell cell = AgentCell.start(directory, 2, 2)) {
            awaitReady(cell);
            HostPort second = cell.addresses(PROXY).get(1);
            cell.server(2).setDown(true);
            await().atMost(PATIENCE)
                    .untilAsserted(
                            () -> assertThat(cell.targets(1)).isNotEmpty().doesNotContain(second));
            cell.server(3).setDown(true);
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(cell.server(1).apps()).containsExactly("node-4"));
            cell.server(2).setDown(false);
            cell.server(3).setDown(false);
            await().atMost(PATIENCE).untilAsserted(() -> {
                assertThat(cell.targets(1)).contains(second);
                assertThat(cell.server(1).apps()).containsExactly("node-3", "node-4");
            });
            assertThat(cell.health()).anyMatch(event -> event.node().equals(node(2)) && !event.isServing());
        }
    }

    @Test
    void shouldKeepAServerInService_whenOnlyItsAgentIsGone() {
        try (AgentCell cell = AgentCell.start(directory, 2, 2)) {
            awaitReady(cell);
            List<HostPort> both = cell.addresses(PROXY);
            cell.closeAgent(2);
            await().atMost(PATIENCE).until(() -> cell.agent(1).statusJson().contains("not_connected"));
            assertThat(cell.targets(1)).containsExactlyElementsOf(both);
            cell.server(2).setDown(true);
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(cell.targets(1)).containsExactly(both.getFirst()));
        }
    }

    @Test
    void shouldKeepRoles_whenAllAgentsAreStartedAnew() throws IOException {
        RoleWord left;
        try (AgentCell cell = AgentCell.start(directory, 1, 2)) {
            awaitReady(cell);
            cell.load(PROXY, 1.0);
            await().atMost(PATIENCE).until(() -> cell.serving(PROXY).size() == 2 && cell.allIdle());
            cell.load(PROXY, 0.0);
            left = cell.word(2);
        }
        try (AgentCell again = AgentCell.start(directory, 1, 2)) {
            awaitReady(again);
            assertThat(again.word(2)).isEqualTo(left);
            assertThat(again.serving(PROXY)).containsExactly(1, 2);
        }
    }
}
