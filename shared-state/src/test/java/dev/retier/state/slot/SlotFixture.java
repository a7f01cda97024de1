package dev.retier.state.slot;

import dev.retier.link.NodeId;
import dev.retier.link.auth.Identity;
import dev.retier.state.LoadRecord;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.SiteId;
import dev.retier.state.Tier;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A slot in memory, and copies of it. */
final class SlotFixture {
    static final NodeId NODE = new NodeId(7);
    static final long INCARNATION = 0x0102_0304_0506_0708L;
    static final RoleWord ROLE = RoleWord.active(5, 1, Role.serving(new SiteId(1), Tier.APP));
    static final LoadRecord LOAD = new LoadRecord(9, LoadRecord.Health.UP, 0.5, 0.25, 0.125, 1000, 3, 2000, 0);

    final MemorySegment memory = Arena.ofAuto().allocate(SlotLayout.LENGTH_BYTES, SlotLayout.ALIGNMENT_BYTES);
    final SlotWriter writer = new SlotWriter(memory, new Identity(NODE, INCARNATION), ROLE);

    MemorySegment copy() {
        MemorySegment copy = Arena.ofAuto().allocate(SlotLayout.LENGTH_BYTES, Long.BYTES);
        MemorySegment.copy(memory, 0, copy, 0, SlotLayout.LENGTH_BYTES);
        return copy;
    }

    SlotImage parseInto(MemorySegment copy) {
        MemorySegment.copy(memory, 0, copy, 0, SlotLayout.LENGTH_BYTES);
        return SlotImage.parse(copy, NODE);
    }

    /** A record whose every figure tells its number, so that parts of two records never look like one. */
    static LoadRecord numbered(long number) {
        double share = (number % 1000) / 1000.0;
        return new LoadRecord(
                number, LoadRecord.Health.UP, share, share, share, number, (int) (number % 1_000_000), number, 0);
    }
}
