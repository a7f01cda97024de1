package dev.retier.bench.lab;

import dev.retier.agent.command.PastMove;
import dev.retier.agent.config.AgentConfig;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.files.ConfigFile;
import dev.retier.agent.journal.Journal;
import dev.retier.agent.move.MovePhase;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Objects;

/**
 * The first move of the lab's nodes that came to its end, by their journals.
 *
 * @param orderedSeconds from the beginning of what caused it to the order
 * @param servesSeconds from there to the end of the move
 */
record FirstMove(double orderedSeconds, double servesSeconds) {
    private static final double NANOS_PER_SECOND = 1e9;

    /**
     * The first one after {@code cause}.
     *
     * @throws IOException when there is none
     */
    static FirstMove after(Instant cause) throws IOException {
        ClusterConfig cluster = ConfigFile.read(LabRuns.HOME.resolve("cluster.yaml"));
        PastMove first = cluster.nodes().stream()
                .map(node -> new AgentConfig(cluster, node.id()).journalDirectory())
                .flatMap(journal -> PastMove.of(Journal.entries(journal)).stream())
                .filter(move -> move.phases().containsKey(MovePhase.ACTIVE))
                .min(Comparator.comparing(PastMove::at))
                .orElseThrow(() -> new IOException("no node has moved"));
        Duration moved = Objects.requireNonNull(first.phases().get(MovePhase.ACTIVE));
        return new FirstMove(
                seconds(Duration.between(cause, first.at())),
                seconds(Duration.between(cause, first.at().plus(moved))));
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / NANOS_PER_SECOND;
    }
}
