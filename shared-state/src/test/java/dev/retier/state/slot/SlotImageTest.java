package dev.retier.state.slot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.state.NodeId;
import dev.retier.state.RoleWord;
import dev.retier.testsupport.Seeded;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SlotImageTest {
    private final SlotFixture slot = new SlotFixture();

    @Test
    void shouldLayOutEachByteAsDrawn_whenARecordIsPublished() {
        slot.writer.publish(SlotFixture.LOAD);

        byte[] bytes = slot.copy().toArray(ValueLayout.JAVA_BYTE);
        assertThat(HexFormat.of().formatHex(bytes, 0, 128))
                .isEqualTo("5254534c0100000001000000000000000700000000000000" + "0807060504030201"
                        + "01000000000000000900000000000000" + "0100000003000000" + "000000000000e03f"
                        + "000000000000d03f000000000000c03f" + "0000000000408f40" + "0000000000409f40"
                        + "91bc6d0e000000000100000000000000" + "5250100050000000" + "0000000000000000");
        assertThat(Arrays.copyOfRange(bytes, 128, bytes.length)).containsOnly(0);
    }

    @Test
    void shouldGiveBackTheRecord_whenTheCopyIsWhole() {
        slot.writer.publish(SlotFixture.LOAD);
        slot.writer.publish(SlotFixture.LOAD);

        assertThat(SlotImage.parse(slot.copy(), SlotFixture.NODE))
                .isEqualTo(new SlotImage.Whole(SlotFixture.INCARNATION, 2, SlotFixture.ROLE, SlotFixture.LOAD));
    }

    @Test
    void shouldSaySilent_whenNothingWasPublished() {
        assertThat(SlotImage.parse(slot.copy(), SlotFixture.NODE)).isEqualTo(new SlotImage.Silent());
    }

    @Test
    void shouldSayMalformed_whenMagicLayoutOrNodeIsWrong() {
        slot.writer.publish(SlotFixture.LOAD);
        MemorySegment magic = slot.copy();
        magic.set(SlotLayout.INT, SlotLayout.MAGIC_OFFSET, 0);
        MemorySegment layout = slot.copy();
        layout.set(SlotLayout.SHORT, SlotLayout.VERSION_OFFSET, (short) 2);

        assertThat(SlotImage.parse(magic, SlotFixture.NODE)).isInstanceOf(SlotImage.Malformed.class);
        assertThat(SlotImage.parse(layout, SlotFixture.NODE))
                .isEqualTo(new SlotImage.Malformed("slot layout 2, only 1 is known"));
        assertThat(SlotImage.parse(slot.copy(), new NodeId(8)))
                .isEqualTo(new SlotImage.Malformed("slot of node 7 where that of node-8 should be"));
    }

    @Test
    void shouldSayMalformed_whenTheRoleWordIsNone() {
        slot.writer.publish(SlotFixture.LOAD);
        MemorySegment copy = slot.copy();
        copy.set(SlotLayout.LONG, SlotLayout.ROLE_OFFSET, 0);

        assertThat(SlotImage.parse(copy, SlotFixture.NODE)).isInstanceOf(SlotImage.Malformed.class);
    }

    @Test
    void shouldStayWhole_whenAPeerChangesTheRoleWordOnly() {
        slot.writer.publish(SlotFixture.LOAD);
        RoleWord next = SlotFixture.ROLE.ordered(6, 2, dev.retier.state.Role.SPARE);
        slot.memory.set(SlotLayout.LONG, SlotLayout.ROLE_OFFSET, next.encode());

        assertThat(SlotImage.parse(slot.copy(), SlotFixture.NODE))
                .isEqualTo(new SlotImage.Whole(SlotFixture.INCARNATION, 1, next, SlotFixture.LOAD));
    }

    @Seeded(tries = 300)
    void shouldSayTorn_whenTheCopyMixesTwoRecords(SplittableRandom random) {
        slot.writer.publish(SlotFixture.numbered(random.nextLong(1, 1000)));
        MemorySegment before = slot.copy();
        slot.writer.publish(SlotFixture.numbered(random.nextLong(1001, 2000)));
        int cut = random.nextInt(SlotLayout.FRONT_OFFSET + 1, SlotLayout.BACK_OFFSET);
        boolean newFirst = random.nextBoolean();
        MemorySegment mixed = slot.copy();
        MemorySegment.copy(
                before, newFirst ? cut : 0, mixed, newFirst ? cut : 0, newFirst ? before.byteSize() - cut : cut);

        assertThat(SlotImage.parse(mixed, SlotFixture.NODE)).isEqualTo(new SlotImage.Torn());
    }

    @Seeded(tries = 300)
    void shouldNeverAcceptTheRecord_whenOneBitUnderTheChecksumFlips(SplittableRandom random) {
        slot.writer.publish(SlotFixture.LOAD);
        MemorySegment copy = slot.copy();
        int at = random.nextInt(SlotLayout.CRC_OFFSET + Integer.BYTES);
        byte flipped = (byte) (copy.get(ValueLayout.JAVA_BYTE, at) ^ 1 << random.nextInt(8));
        copy.set(ValueLayout.JAVA_BYTE, at, flipped);

        assertThat(SlotImage.parse(copy, SlotFixture.NODE)).isNotInstanceOf(SlotImage.Whole.class);
    }
}
