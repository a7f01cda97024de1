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
     * @param would the move that mode {@code recommend} holds back, null for none
     */
    record Stay(
            SiteId site,
            StayReason reason,
            String detail,
            @Nullable Move would) implements Decision {
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
     */
    record Move(SiteId site, NodeId node, Role from, Role to, MoveReason reason, String detail) implements Decision {
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

        @Override
        public String reasonWord() {
            return reason.name();
        }

        @Override
        public String sentence() {
            return reason.sentence();
        }
    }

    /** A stay with nothing held back. */
    static Stay stay(SiteId site, StayReason reason, String detail) {
        return new Stay(site, reason, detail, null);
    }
}
