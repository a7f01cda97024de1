package dev.retier.bench.lab;

import dev.retier.agent.command.PastMove;
import dev.retier.agent.move.MovePhase;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * The first move of the lab's nodes that came to its end, by their journals.
 *
 * @param orderedSeconds from the beginning of what caused it to the order
 * @param servesSeconds from there to the end of the move
 */
record FirstMove(double orderedSeconds, double servesSeconds) {
    /**
     * The first one after {@code cause}.
     *
     * @throws IOException when there is none
     */
    static FirstMove after(Instant cause) throws IOException {
        PastMove first = MadeMove.all(LabRuns.cluster()).stream()
                .map(MadeMove::move)
                .filter(move -> move.phases().containsKey(MovePhase.ACTIVE))
                .findFirst()
                .orElseThrow(() -> new IOException("no node has moved"));
        Duration moved = Objects.requireNonNull(first.phases().get(MovePhase.ACTIVE));
        return new FirstMove(
                MadeMove.seconds(Duration.between(cause, first.at())),
                MadeMove.seconds(Duration.between(cause, first.at().plus(moved))));
    }
}
