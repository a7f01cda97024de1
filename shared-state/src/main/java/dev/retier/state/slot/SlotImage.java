package dev.retier.state.slot;

import dev.retier.link.NodeId;
import dev.retier.state.LoadRecord;
import dev.retier.state.RoleWord;
import java.lang.foreign.MemorySegment;

/** What a copy of somebody's slot turned out to hold. */
public sealed interface SlotImage {
    /**
     * One record, whole.
     *
     * @param knowsBatches whether who wrote it knows role words of batches
     */
    record Whole(long incarnation, long heartbeat, RoleWord roleWord, LoadRecord load, boolean knowsBatches)
            implements SlotImage {}

    /** A slot whose node has published nothing yet. */
    record Silent() implements SlotImage {}

    /** The copy met the writer in the middle; another copy may be whole. */
    record Torn() implements SlotImage {}

    /** The bytes are no slot of a version that is read, or of another node, or hold values that cannot be. */
    record Malformed(String reason) implements SlotImage {}

    /**
     * Judges a copy of a slot.
     *
     * @param copy at least {@value SlotLayout#LENGTH_BYTES} bytes of native memory that no longer change
     * @param expected the node whose slot it should be
     */
    static SlotImage parse(MemorySegment copy, NodeId expected) {
        if (copy.get(SlotLayout.INT, SlotLayout.MAGIC_OFFSET) != SlotLayout.MAGIC) {
            return new Malformed("no slot: the magic word is missing");
        }
        int since = copy.get(SlotLayout.SHORT, SlotLayout.SINCE_OFFSET);
        int asOf = Math.max(since, copy.get(SlotLayout.SHORT, SlotLayout.AS_OF_OFFSET));
        if (since > SlotLayout.NEWEST || asOf < SlotLayout.OLDEST) {
            return new Malformed("slot of versions " + since + " to " + asOf + ", only those of " + SlotLayout.OLDEST
                    + " to " + SlotLayout.NEWEST + " are read");
        }
        if (copy.get(SlotLayout.WORD_LAYOUT, SlotLayout.NUMBER_OFFSET) == 0) {
            return new Silent();
        }
        if (copy.get(SlotLayout.INT, SlotLayout.CRC_OFFSET) != SlotChecksum.of(copy)) {
            return new Torn();
        }
        return decode(copy, expected);
    }

    private static SlotImage decode(MemorySegment copy, NodeId expected) {
        int node = copy.get(SlotLayout.INT, SlotLayout.NODE_OFFSET);
        if (node != expected.value()) {
            return new Malformed("slot of node " + node + " where that of " + expected + " should be");
        }
        try {
            return new Whole(
                    copy.get(SlotLayout.WORD_LAYOUT, SlotLayout.INCARNATION_OFFSET),
                    copy.get(SlotLayout.WORD_LAYOUT, SlotLayout.HEARTBEAT_OFFSET),
                    RoleWord.decode(copy.get(SlotLayout.WORD_LAYOUT, SlotLayout.ROLE_OFFSET)),
                    load(copy),
                    copy.get(SlotLayout.SHORT, SlotLayout.AS_OF_OFFSET) >= SlotLayout.BATCHES);
        } catch (IllegalArgumentException impossible) {
            return new Malformed(String.valueOf(impossible.getMessage()));
        }
    }

    private static LoadRecord load(MemorySegment copy) {
        return new LoadRecord(
                copy.get(SlotLayout.WORD_LAYOUT, SlotLayout.APPLIED_EPOCH_OFFSET),
                HealthCode.decode(copy.get(SlotLayout.INT, SlotLayout.HEALTH_OFFSET)),
                copy.get(SlotLayout.DOUBLE, SlotLayout.UTILISATION_OFFSET),
                copy.get(SlotLayout.DOUBLE, SlotLayout.CACHE_SHARE_OFFSET),
                copy.get(SlotLayout.DOUBLE, SlotLayout.BACK_END_SHARE_OFFSET),
                copy.get(SlotLayout.DOUBLE, SlotLayout.REQUESTS_OFFSET),
                copy.get(SlotLayout.INT, SlotLayout.IN_SERVICE_OFFSET),
                copy.get(SlotLayout.DOUBLE, SlotLayout.CAPACITY_OFFSET),
                copy.get(SlotLayout.INT, SlotLayout.OPERATOR_OFFSET));
    }
}
