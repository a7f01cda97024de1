package dev.retier.state.verbs;

import com.ibm.disni.verbs.IbvMr;
import dev.retier.link.QueuePair;
import dev.retier.link.auth.Identity;
import dev.retier.state.LoadRecord;
import dev.retier.state.RoleWord;
import dev.retier.state.SiteId;
import dev.retier.state.lock.LockWord;
import dev.retier.state.slot.SlotGrant;
import dev.retier.state.slot.SlotLayout;
import dev.retier.state.slot.SlotWriter;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * The memory of this node that others reach: its slot. Lives as long as the object is reachable.
 *
 * <p>Thread-safe.
 */
final class OwnMemory {
    private static final int FORMER_RIGHTS =
            IbvMr.IBV_ACCESS_LOCAL_WRITE | IbvMr.IBV_ACCESS_REMOTE_WRITE | IbvMr.IBV_ACCESS_REMOTE_READ;

    private final MemorySegment slot;
    private final SlotWriter writer;

    /**
     * Memory of a node that has just started.
     *
     * @param boot the number of its start; larger at each
     */
    OwnMemory(Identity self, long boot, RoleWord role) {
        this.slot = Arena.ofAuto().allocate(SlotLayout.LENGTH_BYTES, SlotLayout.ALIGNMENT_BYTES);
        this.writer = new SlotWriter(slot, self, role.atBoot(boot));
        long atBoot = LockWord.atBoot(self.node(), boot).encode();
        for (int site = 1; site <= SiteId.MAX_VALUE; site++) {
            SlotLayout.WORD.setVolatile(slot, (long) SlotLayout.lockOffset(new SiteId(site)), atBoot);
        }
    }

    synchronized void publish(LoadRecord load) {
        writer.publish(load);
    }

    RoleWord.Parsed role() {
        return RoleWord.parse(writer.roleWord());
    }

    /** A copy of this node's own slot, as others would read it. */
    synchronized MemorySegment copy() {
        return Arena.ofAuto().allocate(SlotLayout.LENGTH_BYTES, Long.BYTES).copyFrom(slot);
    }

    /**
     * Registers on {@code pair} what its peer may use, each part with its own rights and STag.
     *
     * @param former where a peer of version 2 announces; empty for others
     */
    SlotGrant grant(QueuePair pair, Optional<MemorySegment> former) throws IOException {
        int readKey = pair.register(slot, IbvMr.IBV_ACCESS_REMOTE_READ).getRkey();
        MemorySegment shared = slot.asSlice(SlotLayout.SHARED_OFFSET, SlotLayout.SHARED_LENGTH_BYTES);
        int atomicKey = pair.register(shared, IbvMr.IBV_ACCESS_LOCAL_WRITE | IbvMr.IBV_ACCESS_REMOTE_ATOMIC)
                .getRkey();
        int formerKey = former.isEmpty()
                ? 0
                : pair.register(former.get(), FORMER_RIGHTS).getRkey();
        long formerAddress = former.map(MemorySegment::address).orElse(0L);
        return new SlotGrant(slot.address(), readKey, atomicKey, formerAddress, formerKey);
    }
}
