package dev.retier.state.slot;

import dev.retier.link.auth.Identity;
import dev.retier.state.LoadRecord;
import dev.retier.state.RoleWord;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The one writer of a node's own slot. Updates in place, so that the record stays as fresh as the last call even
 * when the node is starved afterwards.
 *
 * <p>Not thread-safe: one thread at a time. Readers, local and remote, need no agreement with it.
 */
public final class SlotWriter {
    private final MemorySegment slot;
    private final MemorySegment image = Arena.ofAuto().allocate(SlotLayout.SHARED_OFFSET, Long.BYTES);
    private long number;

    /**
     * Formats {@code slot} for a node that has published nothing yet.
     *
     * @param slot {@value SlotLayout#LENGTH_BYTES} bytes of zeroes, aligned to {@value SlotLayout#ALIGNMENT_BYTES};
     * the caller keeps it alive
     */
    public SlotWriter(MemorySegment slot, Identity self, RoleWord role) {
        if (slot.byteSize() != SlotLayout.LENGTH_BYTES || slot.address() % SlotLayout.ALIGNMENT_BYTES != 0) {
            throw new IllegalArgumentException("a slot is " + SlotLayout.LENGTH_BYTES + " aligned bytes, not " + slot);
        }
        this.slot = slot;
        image.set(SlotLayout.INT, SlotLayout.MAGIC_OFFSET, SlotLayout.MAGIC);
        image.set(SlotLayout.SHORT, SlotLayout.SINCE_OFFSET, SlotLayout.OLDEST);
        image.set(SlotLayout.SHORT, SlotLayout.AS_OF_OFFSET, SlotLayout.NEWEST);
        image.set(SlotLayout.INT, SlotLayout.NODE_OFFSET, self.node().value());
        image.set(SlotLayout.WORD_LAYOUT, SlotLayout.INCARNATION_OFFSET, self.incarnation());
        MemorySegment.copy(image, 0, slot, 0, image.byteSize());
        SlotLayout.WORD.setVolatile(slot, (long) SlotLayout.ROLE_OFFSET, role.encode());
    }

    /** Replaces the load record and moves the heartbeat on. */
    public void publish(LoadRecord load) {
        number++;
        compose(load);
        MemorySegment.copy(image, 0, slot, 0, image.byteSize());
    }

    /** The node's role word as it is now. Any thread may ask. */
    public long roleWord() {
        return (long) SlotLayout.WORD.getVolatile(slot, (long) SlotLayout.ROLE_OFFSET);
    }

    private void compose(LoadRecord load) {
        image.set(SlotLayout.WORD_LAYOUT, SlotLayout.NUMBER_OFFSET, number);
        image.set(SlotLayout.WORD_LAYOUT, SlotLayout.NUMBER_AGAIN_OFFSET, number);
        image.set(SlotLayout.WORD_LAYOUT, SlotLayout.HEARTBEAT_OFFSET, number);
        image.set(SlotLayout.WORD_LAYOUT, SlotLayout.APPLIED_EPOCH_OFFSET, load.appliedEpoch());
        image.set(SlotLayout.INT, SlotLayout.HEALTH_OFFSET, HealthCode.of(load.serverHealth()));
        image.set(SlotLayout.INT, SlotLayout.IN_SERVICE_OFFSET, load.requestsInService());
        image.set(SlotLayout.DOUBLE, SlotLayout.UTILISATION_OFFSET, load.utilisation());
        image.set(SlotLayout.DOUBLE, SlotLayout.CACHE_SHARE_OFFSET, load.cacheShare());
        image.set(SlotLayout.DOUBLE, SlotLayout.BACK_END_SHARE_OFFSET, load.backEndShare());
        image.set(SlotLayout.DOUBLE, SlotLayout.REQUESTS_OFFSET, load.requestsPerSecond());
        image.set(SlotLayout.DOUBLE, SlotLayout.CAPACITY_OFFSET, load.capacityUnitsPerSecond());
        image.set(SlotLayout.INT, SlotLayout.OPERATOR_OFFSET, load.operatorWord());
        image.set(SlotLayout.INT, SlotLayout.CRC_OFFSET, SlotChecksum.of(image));
    }
}
