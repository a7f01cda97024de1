package dev.retier.bench.figures;

import dev.retier.sim.cluster.MoveSeen;
import dev.retier.sim.run.Allocation;
import dev.retier.sim.run.Approach;
import dev.retier.sim.run.MadeCluster.Rules;
import dev.retier.sim.run.Outcome;
import dev.retier.sim.run.Setup;
import dev.retier.sim.run.Simulation;
import java.time.Duration;

/**
 * The one that ours is held against: it knows each burst after the smaller of a second and the shipped T, orders all
 * moves of the best split at once, and pays for each what ours take. A value.
 *
 * @param knows how long after its beginning a burst is known
 * @param move how long a move takes
 */
record PromptMover(Duration knows, Duration move) {
    private static final Duration SECOND = Duration.ofSeconds(1);

    /** With the mean of our own moves, of bursts of 16384. */
    static PromptMover of(Rules rules) {
        Setup setup = Lab.setup(Lab.cluster(Allocation.of(2, 5), null, rules), Lab.HTTPD, Lab.bursts(16_384, 4));
        double seconds = Lab.reconfigured(setup).moves().stream()
                .filter(MoveSeen::isComplete)
                .mapToDouble(move -> move.endedSeconds() - move.orderedSeconds())
                .average()
                .orElseThrow(() -> new IllegalStateException("no move in bursts of 16384"));
        Duration shipped = rules.decision().takeHistory();
        return new PromptMover(
                shipped.compareTo(SECOND) < 0 ? shipped : SECOND, Duration.ofNanos((long) (seconds * 1e9)));
    }

    Outcome run(Setup setup) {
        return Simulation.run(setup, new Approach.Prompt(knows, move));
    }

    /** For people. */
    String text() {
        return "The prompt mover knows each burst " + knows.toMillis()
                + " ms after its beginning, orders all moves of the best split at once, and pays " + move.toMillis()
                + " ms for each, as measured here";
    }
}
