package dev.retier.bench.lab;

import dev.retier.agent.command.PastMove;
import dev.retier.agent.config.AgentConfig;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.journal.Journal;
import dev.retier.agent.move.MovePhase;
import dev.retier.agent.view.RoleText;
import dev.retier.report.Table;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** A move of a node of the lab, by that node's journal. */
record MadeMove(NodeConfig node, PastMove move) {
    private static final double NANOS_PER_SECOND = 1e9;

    /** All moves of the lab that is up, in the order in which they began. */
    static List<MadeMove> all(ClusterConfig cluster) {
        return cluster.nodes().stream()
                .flatMap(node ->
                        PastMove.of(Journal.entries(new AgentConfig(cluster, node.id()).journalDirectory())).stream()
                                .map(move -> new MadeMove(node, move)))
                .sorted(Comparator.comparing(moved -> moved.move.at()))
                .toList();
    }

    /** How many came to their end. */
    static long done(ClusterConfig cluster) {
        return all(cluster).stream().filter(MadeMove::isDone).count();
    }

    /** Whether it came to its end. */
    boolean isDone() {
        return move.end() == MovePhase.ACTIVE;
    }

    Instant end() {
        return move.at().plus(move.took());
    }

    /** The columns of a table of moves, after those that {@link #row} has before its own. */
    static Table table(String... before) {
        List<String> own = List.of("node", "server", "from", "to", "ended_as", "ordered_s", "took_s");
        return new Table(Stream.concat(Arrays.stream(before), own.stream()).toArray(String[]::new));
    }

    /** Adds it to a {@link #table}; {@code begun} is when seconds count from. */
    void row(Table table, ClusterConfig cluster, Instant begun, Object... before) {
        List<Object> own = List.of(
                node.name(),
                node.server().kind().word(),
                RoleText.of(move.order().from(), cluster),
                RoleText.of(move.order().to(), cluster),
                move.end().name().toLowerCase(Locale.ROOT),
                seconds(Duration.between(begun, move.at())),
                seconds(move.took()));
        table.row(Stream.concat(Arrays.stream(before), own.stream()).toArray());
    }

    static double seconds(Duration duration) {
        return duration.toNanos() / NANOS_PER_SECOND;
    }
}
