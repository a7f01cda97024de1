package dev.retier.state;

/**
 * What one look at one node's slot gave. Unknown is never zero load: an unknown node is excluded from decisions.
 */
public sealed interface SlotReading {
    /**
     * A whole, fresh slot.
     *
     * @param roleWord the node's role, as its slot had it
     * @param load the node's load record
     * @param heartbeat count of the records that the node has published since it started
     * @param incarnation drawn anew by each start of the node's agent
     * @param ageNanos how long the reader has seen this heartbeat unchanged, by the reader's own clock
     * @param knowsBatches whether the node knows role words of batches, see {@link RoleWord}
     */
    record Known(
            RoleWord roleWord, LoadRecord load, long heartbeat, long incarnation, long ageNanos, boolean knowsBatches)
            implements SlotReading {
        /** Of a node of this version. */
        public Known(RoleWord roleWord, LoadRecord load, long heartbeat, long incarnation, long ageNanos) {
            this(roleWord, load, heartbeat, incarnation, ageNanos, true);
        }
    }

    /** No slot that could be used. */
    record Unknown(Reason reason) implements SlotReading {}

    /** Why a slot could not be used. */
    enum Reason {
        /** There is no connection to the node (yet, or any more). */
        NOT_CONNECTED,
        /** The read did not come back within its deadline. */
        TIMED_OUT,
        /** Each try met a writer in the middle: version words or checksum did not agree. */
        TORN,
        /** The heartbeat has not moved within the staleness bound. */
        STALE,
        /** The bytes are no slot of this layout. */
        MALFORMED,
        /** The slot is whole and fresh, and says that the node's server tells nothing of itself. */
        MUTE
    }
}
