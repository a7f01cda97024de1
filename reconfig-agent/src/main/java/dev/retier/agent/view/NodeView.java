package dev.retier.agent.view;

import dev.retier.link.NodeId;
import dev.retier.state.LoadRecord;
import dev.retier.state.LoadRecord.Health;
import dev.retier.state.RoleWord;
import dev.retier.state.SlotReading;
import org.jspecify.annotations.Nullable;

/** One node as this agent sees it. Unknown is never zero load. */
public sealed interface NodeView {
    /** The node. */
    NodeId id();

    /**
     * The newest look gave a whole, fresh slot.
     *
     * @param isStarting its server is down, has not answered in this life of its agent, and may still be starting
     * @param knowsBatches whether its agent knows role words of batches
     */
    record Known(NodeId id, RoleWord word, LoadRecord load, boolean isStarting, boolean knowsBatches)
            implements NodeView {
        /** A node whose server is not starting, with an agent of this version. */
        public Known(NodeId id, RoleWord word, LoadRecord load) {
            this(id, word, load, false, true);
        }
    }

    /**
     * The newest look gave nothing, earlier ones did.
     *
     * @param lastWord its role word when it was last seen
     * @param lastLoad its load when it was last seen, for display only
     * @param reason why the slot could not be used
     * @param silence what may be made of that
     * @param knowsBatches whether its agent knew role words of batches when it was last seen
     */
    record Silent(
            NodeId id,
            RoleWord lastWord,
            LoadRecord lastLoad,
            SlotReading.Reason reason,
            Silence silence,
            boolean knowsBatches)
            implements NodeView {
        /** A node with an agent of this version. */
        public Silent(NodeId id, RoleWord lastWord, LoadRecord lastLoad, SlotReading.Reason reason, Silence silence) {
            this(id, lastWord, lastLoad, reason, silence, true);
        }

        /** Whether it has been unknown beyond the bound, and its server does not answer either. */
        public boolean isDead() {
            return silence == Silence.DEAD;
        }
    }

    /** What may be made of a node that was known and tells nothing now. */
    enum Silence {
        /** It serves as it did, and how busy it is nobody knows. */
        UNKNOWN,
        /**
         * Its heartbeat stands, but the connection to it is up and its server answers: it is probably drowning. For a
         * short time its last load stands.
         */
        LATE,
        /**
         * Its agent went in the middle of a move, which has taken longer than a move may: it serves in neither role,
         * and nobody waits for it.
         */
        STRANDED,
        /** It has been unknown beyond the bound, and its server does not answer either. */
        DEAD;

        /** Whether it serves nothing any more, as far as anybody can tell. */
        boolean isGone() {
            return this == STRANDED || this == DEAD;
        }
    }

    /**
     * No look has ever given anything: what it serves nobody here knows.
     *
     * @param isDead whether that has been so beyond the bound, and its server does not answer either
     */
    record NeverSeen(NodeId id, SlotReading.Reason reason, boolean isDead) implements NodeView {
        @Override
        public boolean knowsBatches() {
            return true;
        }
    }

    /**
     * Whether its agent knows role words of batches, as far as anybody can tell; true of one that was never seen, which
     * sends to nobody by anything that was seen.
     */
    boolean knowsBatches();

    /** The load that it has, as far as that is known: the last one of a late node, null of any other silent one. */
    default @Nullable LoadRecord standingLoad() {
        return switch (this) {
            case Known known -> known.load();
            case Silent silent -> silent.silence() == Silence.LATE ? silent.lastLoad() : null;
            case NeverSeen _ -> null;
        };
    }

    /**
     * Whether its server can be given work, as far as is known: a silent node serves until it is proven dead, because
     * the death of an agent leaves its server alone.
     */
    default boolean isServing() {
        return switch (this) {
            case Known known -> known.load().serverHealth() != Health.DOWN;
            case Silent silent ->
                !silent.silence().isGone() && silent.lastLoad().serverHealth() != Health.DOWN;
            case NeverSeen _ -> false;
        };
    }
}
