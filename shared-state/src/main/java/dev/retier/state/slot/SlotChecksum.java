package dev.retier.state.slot;

import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32C;

/** CRC32C over the part of a slot that its own node writes. Stateless. */
final class SlotChecksum {
    private SlotChecksum() {}

    static int of(MemorySegment image) {
        CRC32C crc = new CRC32C();
        crc.update(image.asSlice(0, SlotLayout.CRC_OFFSET).asByteBuffer());
        return (int) crc.getValue();
    }
}
