package dev.retier.state.slot;

import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32C;

/** What a node of commit c429564, which speaks version 1 alone, asks of a slot before it believes it. */
final class FormerReader {
    private static final int CRC_AT = 96;
    private static final int BACK_AT = 104;

    private FormerReader() {}

    static boolean takes(MemorySegment copy) {
        CRC32C crc = new CRC32C();
        crc.update(copy.asSlice(0, CRC_AT).asByteBuffer());
        long front = copy.get(SlotLayout.WORD_LAYOUT, 8);
        return copy.get(SlotLayout.INT, 0) == 0x4C53_5452
                && copy.get(SlotLayout.SHORT, 4) == 1
                && front == copy.get(SlotLayout.WORD_LAYOUT, BACK_AT)
                && front != 0
                && copy.get(SlotLayout.INT, CRC_AT) == (int) crc.getValue();
    }
}
