package dev.retier.state.slot;

import dev.retier.state.LoadRecord;
import dev.retier.state.NodeId;
import dev.retier.state.RoleWord;
import java.lang.foreign.MemorySegment;

/** What a copy of somebody's slot turned out to hold. */
public sealed interface SlotImage {
    /** One record, whole. */
    record Whole(long incarnation, long heartbeat, RoleWord roleWord, LoadRecord load) implements SlotImage {}

    /** A slot whose node has published nothing yet. */
    record Silent() implements SlotImage {}

    /** The copy met the writer in the middle; another copy may be whole. */
    record Torn() implements SlotImage {}

    /** The bytes are no slot of this layout, or of another node, or hold values that cannot be. */
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
        int version = copy.get(SlotLayout.SHORT, SlotLayout.VERSION_OFFSET);
        if (version != SlotLayout.VERSION) {
            return new Malformed("slot layout " + version + ", only " + SlotLayout.VERSION + " is known");
        }
        long front = copy.get(SlotLayout.LONG, SlotLayout.FRONT_OFFSET);
        if (front != copy.get(SlotLayout.LONG, SlotLayout.BACK_OFFSET)) {
            return new Torn();
        }
        if (front == 0) {
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
                    copy.get(SlotLayout.LONG, SlotLayout.INCARNATION_OFFSET),
                    copy.get(SlotLayout.LONG, SlotLayout.HEARTBEAT_OFFSET),
                    RoleWord.decode(copy.get(SlotLayout.LONG, SlotLayout.ROLE_OFFSET)),
                    load(copy));
        } catch (IllegalArgumentException impossible) {
            return new Malformed(String.valueOf(impossible.getMessage()));
        }
    }

    private static LoadRecord load(MemorySegment copy) {
        return new LoadRecord(
                copy.get(SlotLayout.LONG, SlotLayout.APPLIED_EPOCH_OFFSET),
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
