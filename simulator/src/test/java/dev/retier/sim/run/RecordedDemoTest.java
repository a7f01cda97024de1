package dev.retier.sim.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.retier.sim.cluster.MoveSeen;
import dev.retier.state.Role;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * The simulator against recorded runs of real web-nodes and agents (simulator/README.md has both figures): the
 * throughput of each pass within 10 %, and of each burst from the second on, as the first meets code that the real
 * process has not compiled yet; and the sequence of moves within one move. A move counts by its two tiers, not by its
 * node, as equal nodes are chosen by noise; two sequences are as far apart as moves must be put in, left out or
 * replaced to make one of the other.
 */
class RecordedDemoTest {
    @ParameterizedTest
    @ValueSource(strings = {"first", "second"})
    void shouldAnswerAsMuch_whenNothingMoves(String name) {
        RecordedDemo recorded = RecordedDemo.read(name);
        Setup setup = recorded.setup();

        Outcome outcome = Simulation.run(setup, Shops.rigid(setup.config()));

        assertThroughput(outcome, recorded.rigid());
    }

    @ParameterizedTest
    @ValueSource(strings = {"first", "second"})
    void shouldAnswerAsMuchAndMoveAlike_whenNodesMove(String name) {
        RecordedDemo recorded = RecordedDemo.read(name);

        Outcome outcome = Simulation.run(recorded.setup(), new Approach.Reconfigured());

        List<String> simulated = outcome.moves().stream()
                .filter(MoveSeen::isComplete)
                .map(move -> tier(move.from()) + "-" + tier(move.to()))
                .toList();
        assertThat(distance(simulated, recorded.moves()))
                .as("%s for %s", simulated, recorded.moves())
                .isLessThanOrEqualTo(1);
        assertThroughput(outcome, recorded.reconfigured());
    }

    private static void assertThroughput(Outcome outcome, JsonNode pass) {
        double real = pass.get("answeredPerSecond").asDouble();

        assertThat(pass.get("failed").asLong()).isEqualTo(outcome.failed()).isZero();
        assertThat(outcome.perSecond()).isCloseTo(real, within(0.1 * real));
        assertThat(outcome.bursts()).hasSize(pass.get("bursts").size());
        for (int index = 1; index < outcome.bursts().size(); index++) {
            JsonNode burst = pass.at("/bursts/" + index);
            double seconds =
                    burst.get("toSeconds").asDouble() - burst.get("fromSeconds").asDouble();
            assertThat(outcome.bursts().get(index).seconds())
                    .as("burst %d", index)
                    .isCloseTo(seconds, within(0.1 * seconds));
        }
    }

    private static String tier(Role role) {
        return ((Role.Serving) role).tier().name().toLowerCase(Locale.ROOT);
    }

    private static int distance(List<String> one, List<String> other) {
        int[] row = new int[other.size() + 1];
        for (int column = 0; column < row.length; column++) {
            row[column] = column;
        }
        for (int line = 1; line <= one.size(); line++) {
            int diagonal = row[0];
            row[0] = line;
            for (int column = 1; column < row.length; column++) {
                int replaced = diagonal + (one.get(line - 1).equals(other.get(column - 1)) ? 0 : 1);
                diagonal = row[column];
                row[column] = Math.min(replaced, 1 + Math.min(row[column], row[column - 1]));
            }
        }
        return row[other.size()];
    }
}
