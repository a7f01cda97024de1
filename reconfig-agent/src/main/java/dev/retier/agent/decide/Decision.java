package dev.retier.agent.decide;

import dev.retier.link.NodeId;
import dev.retier.state.Role;
import dev.retier.state.SiteId;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What one look leads to, for one site. Always explained. */
public sealed interface Decision {
    /** The site it is about. */
    SiteId site();

    /** The figures behind it, one line for people. */
    String detail();

    /** The reason as a word: the name of a {@link StayReason} or a {@link MoveReason}. */
    String reasonWord();

    /** The reason as a sentence. */
    String sentence();

    /**
     * Nothing moves.
     *
     * @param would the change that mode {@code recommend} holds back, null for none
     */
    record Stay(
            SiteId site,
            StayReason reason,
            String detail,
            @Nullable Change would) implements Decision {
        @Override
        public String reasonWord() {
            return reason.name();
        }

        @Override
        public String sentence() {
            return reason.sentence();
        }
    }

    /**
     * Nodes move.
     *
     * @param site the one for which it is done
     * @param waves the moves of one are ordered together, those of the next once all of these have succeeded; none is
     *     empty, and there is at least one
     */
    record Change(SiteId site, List<List<Move>> waves, MoveReason reason, String detail) implements Decision {
        /** Keeps its own copies. */
        public Change {
            waves = waves.stream().map(List::copyOf).toList();
            if (waves.isEmpty() || waves.stream().anyMatch(List::isEmpty)) {
                throw new IllegalArgumentException("a change moves at least one node at a time, not " + waves);
            }
        }

        /** One node moves. */
        public static Change of(SiteId site, Move move) {
            return new Change(site, List.of(List.of(move)), move.reason, move.detail);
        }

        /** All moves, in their order. */
        public List<Move> moves() {
            return waves.stream().flatMap(List::stream).toList();
        }

        /** The move that begins it. */
        public Move first() {
            return waves.getFirst().getFirst();
        }

        /** The sites whose move locks it needs, the lowest id first. */
        public List<SiteId> sites() {
            return moves().stream()
                    .flatMap(move -> move.sites().stream())
                    .distinct()
                    .sorted()
                    .toList();
        }

        @Override
        public String reasonWord() {
            return reason.name();
        }

        @Override
        public String sentence() {
            return reason.sentence();
        }
    }

    /**
     * A node moves.
     *
     * @param site the one that takes it
     * @param node the one that moves
     * @param from the role that it leaves
     * @param to the role that it takes
     * @param reason of the change that it belongs to
     * @param detail of that change
     */
    record Move(SiteId site, NodeId node, Role from, Role to, MoveReason reason, String detail) implements Waves.Step {
        @Override
        public Role leaves() {
            return from;
        }

        @Override
        public Role takes() {
            return to;
        }

        /**
         * The sites whose move locks it needs, the lowest id first: the one that takes and the one that gives. Between
         * two roles that serve none, that of {@link #site}.
         */
        public List<SiteId> sites() {
            List<SiteId> touched = Stream.of(from, to)
                    .filter(Role.Serving.class::isInstance)
                    .map(role -> ((Role.Serving) role).site())
                    .distinct()
                    .sorted()
                    .toList();
            return touched.isEmpty() ? List.of(site) : touched;
        }
    }

    /** A stay with nothing held back. */
    static Stay stay(SiteId site, StayReason reason, String detail) {
        return new Stay(site, reason, detail, null);
    }
}
