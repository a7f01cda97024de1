package dev.retier.agent.command;

import dev.retier.agent.move.MovePhase;
import dev.retier.agent.move.MoveRecord;
import dev.retier.agent.move.RollbackReason;
import dev.retier.state.RoleWord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One move as its journal tells it.
 *
 * @param order that it carried out
 * @param at when it was journalled
 * @param phases time from then until each phase that it reached
 * @param reason why it was rolled back, null when it was not
 */
public record PastMove(
        RoleWord order,
        Instant at,
        Map<MovePhase, Duration> phases,
        @Nullable RollbackReason reason) {
    /** Keeps its own copy. */
    public PastMove {
        phases = Map.copyOf(phases);
    }

    /**
     * A line of a journal.
     *
     * @param at when it was written, by the node's wall clock
     * @param entry what it says
     */
    public record Entry(Instant at, MoveRecord entry) {}

    /** The moves of one journal, the oldest first; of one that was found unfinished, all its lives together. */
    public static List<PastMove> of(List<Entry> journal) {
        List<PastMove> moves = new ArrayList<>();
        for (Entry line : journal) {
            MoveRecord entry = line.entry();
            PastMove last = moves.isEmpty() ? null : moves.getLast();
            if (last == null || !last.order.equals(entry.word())) {
                last = new PastMove(entry.word(), line.at(), Map.of(), null);
                moves.add(last);
            }
            moves.set(moves.size() - 1, last.with(entry, Duration.between(last.at, line.at())));
        }
        return moves;
    }

    private PastMove with(MoveRecord entry, Duration since) {
        Map<MovePhase, Duration> more = new EnumMap<>(MovePhase.class);
        more.putAll(phases);
        more.put(entry.phase(), since);
        return new PastMove(order, at, more, entry.reason());
    }

    /** The last phase that it reached. */
    public MovePhase end() {
        return phases.keySet().stream().max(MovePhase::compareTo).orElse(MovePhase.ORDERED);
    }

    /** How long it took until then. */
    public Duration took() {
        return phases.getOrDefault(end(), Duration.ZERO);
    }
}
