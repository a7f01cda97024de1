package dev.retier.state.slot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.link.NodeId;
import dev.retier.link.auth.Identity;
import dev.retier.state.LoadRecord;
import dev.retier.state.RoleWord;
import dev.retier.state.SiteId;
import dev.retier.testsupport.Seeded;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SlotImageTest {
    private final SlotFixture slot = new SlotFixture();

    /** Version 1, as commit c429564 wrote it. */
    private static final String VERSION_1 = "5254534c0100000001000000000000000700000000000000" + "0807060504030201"
            + "01000000000000000900000000000000" + "0100000003000000" + "000000000000e03f"
            + "000000000000d03f000000000000c03f" + "0000000000408f40" + "0000000000409f40"
            + "91bc6d0e000000000100000000000000" + "5250100050000000" + "0000000000000000";

    /** Version 2: the two bytes at 6, and the checksum. */
    private static final String VERSION_2 = "5254534c0100020001000000000000000700000000000000" + "0807060504030201"
            + "01000000000000000900000000000000" + "0100000003000000" + "000000000000e03f"
            + "000000000000d03f000000000000c03f" + "0000000000408f40" + "0000000000409f40"
            + "b4c9013c000000000100000000000000" + "5250100050000000" + "0000000000000000";

    /** Version 3: the same two places. */
    private static final String VERSION_3 = "5254534c0100030001000000000000000700000000000000" + "0807060504030201"
            + "01000000000000000900000000000000" + "0100000003000000" + "000000000000e03f"
            + "000000000000d03f000000000000c03f" + "0000000000408f40" + "0000000000409f40"
            + "5ec8c1a7000000000100000000000000" + "5250100050000000" + "0000000000000000";

    @Test
    void shouldWriteVersionThree_whenARecordIsPublished() {
        slot.writer.publish(SlotFixture.LOAD);

        byte[] bytes = slot.copy().toArray(ValueLayout.JAVA_BYTE);
        assertThat(HexFormat.of().formatHex(bytes, 0, 128)).isEqualTo(VERSION_3);
        assertThat(Arrays.copyOfRange(bytes, 128, bytes.length)).containsOnly(0);
    }

    @Test
    void shouldGiveTheSameRecord_whenTheVersionIsThisOrTheFormer() {
        assertThat(SlotImage.parse(slot(VERSION_1), SlotFixture.NODE)).isEqualTo(record(false));
        assertThat(SlotImage.parse(slot(VERSION_2), SlotFixture.NODE)).isEqualTo(record(false));
        assertThat(SlotImage.parse(slot(VERSION_3), SlotFixture.NODE)).isEqualTo(record(true));
    }

    private static SlotImage.Whole record(boolean knowsBatches) {
        return new SlotImage.Whole(SlotFixture.INCARNATION, 1, SlotFixture.ROLE, SlotFixture.LOAD, knowsBatches);
    }

    @Test
    void shouldBeTakenByAFormerReader_whenTheVersionIsThisOrTheFormer() {
        slot.writer.publish(SlotFixture.LOAD);
        slot.writer.publish(SlotFixture.LOAD);

        assertThat(FormerReader.takes(slot(VERSION_1))).isTrue();
        assertThat(FormerReader.takes(slot(VERSION_2))).isTrue();
        assertThat(FormerReader.takes(slot(VERSION_3))).isTrue();
        assertThat(FormerReader.takes(slot.copy())).isTrue();
    }

    @Test
    void shouldTakeOrRefuseByTheRange_whenTheWriterIsNewer() {
        slot.writer.publish(SlotFixture.LOAD);

        assertThat(SlotImage.parse(versions(3, 4), SlotFixture.NODE)).isInstanceOf(SlotImage.Whole.class);
        assertThat(SlotImage.parse(versions(4, 5), SlotFixture.NODE))
                .isEqualTo(new SlotImage.Malformed("slot of versions 4 to 5, only those of 1 to 3 are read"));
        assertThat(SlotImage.parse(versions(0, 0), SlotFixture.NODE))
                .isEqualTo(new SlotImage.Malformed("slot of versions 0 to 0, only those of 1 to 3 are read"));
    }

    @Test
    void shouldGiveBackEachHealth_whenItWasPublished() {
        for (LoadRecord.Health health : LoadRecord.Health.values()) {
            LoadRecord load = new LoadRecord(9, health, 1, 0, 0.5, 0, 0, 0, 77);
            slot.writer.publish(load);

            assertThat(SlotImage.parse(slot.copy(), SlotFixture.NODE))
                    .isInstanceOfSatisfying(
                            SlotImage.Whole.class,
                            whole -> assertThat(whole.load()).isEqualTo(load));
        }
    }

    /** A later version may know more of them. */
    @Test
    void shouldSayMalformed_whenTheHealthIsNotKnown() {
        slot.writer.publish(SlotFixture.LOAD);

        for (int code : new int[] {-1, 0, LoadRecord.Health.values().length + 1}) {
            MemorySegment copy = slot.copy();
            copy.set(SlotLayout.INT, SlotLayout.HEALTH_OFFSET, code);
            copy.set(SlotLayout.INT, SlotLayout.CRC_OFFSET, SlotChecksum.of(copy));
            assertThat(SlotImage.parse(copy, SlotFixture.NODE))
                    .isEqualTo(new SlotImage.Malformed("server health " + code + " is not known"));
        }
    }

    @Test
    void shouldFindTheWords_whenTheyAreChangedInPlace() {
        RoleWord next = SlotFixture.ROLE.fenced();
        slot.memory.set(SlotLayout.WORD_LAYOUT, SlotLayout.ROLE_OFFSET, next.encode());

        assertThat(slot.writer.roleWord()).isEqualTo(next.encode());
        assertThat(SlotLayout.lockOffset(new SiteId(1))).isEqualTo(136);
        assertThat(SlotLayout.lockOffset(new SiteId(SiteId.MAX_VALUE))).isEqualTo(632);
    }

    @Test
    void shouldRefuse_whenTheMemoryIsNoPlaceForASlot() {
        Identity self = new Identity(SlotFixture.NODE, 1);
        MemorySegment large = Arena.ofAuto().allocate(SlotLayout.LENGTH_BYTES + 8, SlotLayout.ALIGNMENT_BYTES);

        assertThatThrownBy(() -> new SlotWriter(large, self, SlotFixture.ROLE)).hasMessageContaining("640 aligned");
        assertThatThrownBy(() -> new SlotWriter(large.asSlice(8), self, SlotFixture.ROLE))
                .hasMessageContaining("640 aligned");
    }

    private MemorySegment versions(int since, int asOf) {
        MemorySegment copy = slot.copy();
        copy.set(SlotLayout.SHORT, SlotLayout.SINCE_OFFSET, (short) since);
        copy.set(SlotLayout.SHORT, SlotLayout.AS_OF_OFFSET, (short) asOf);
        copy.set(SlotLayout.INT, SlotLayout.CRC_OFFSET, SlotChecksum.of(copy));
        return copy;
    }

    private static MemorySegment slot(String hex) {
        MemorySegment copy = Arena.ofAuto().allocate(SlotLayout.LENGTH_BYTES, Long.BYTES);
        copy.copyFrom(MemorySegment.ofArray(HexFormat.of().parseHex(hex)));
        return copy;
    }

    @Test
    void shouldGiveBackTheRecord_whenTheCopyIsWhole() {
        slot.writer.publish(SlotFixture.LOAD);
        slot.writer.publish(SlotFixture.LOAD);

        assertThat(SlotImage.parse(slot.copy(), SlotFixture.NODE))
                .isEqualTo(new SlotImage.Whole(SlotFixture.INCARNATION, 2, SlotFixture.ROLE, SlotFixture.LOAD, true));
    }

    @Test
    void shouldSaySilent_whenNothingWasPublished() {
        assertThat(SlotImage.parse(slot.copy(), SlotFixture.NODE)).isEqualTo(new SlotImage.Silent());
    }

    @Test
    void shouldSayMalformed_whenMagicOrNodeIsWrong() {
        slot.writer.publish(SlotFixture.LOAD);
        MemorySegment magic = slot.copy();
        magic.set(SlotLayout.INT, SlotLayout.MAGIC_OFFSET, 0);

        assertThat(SlotImage.parse(magic, SlotFixture.NODE)).isInstanceOf(SlotImage.Malformed.class);
        assertThat(SlotImage.parse(slot.copy(), new NodeId(8)))
                .isEqualTo(new SlotImage.Malformed("slot of node 7 where that of node-8 should be"));
    }

    @Test
    void shouldSayMalformed_whenTheRoleWordIsNone() {
        slot.writer.publish(SlotFixture.LOAD);
        MemorySegment copy = slot.copy();
        copy.set(SlotLayout.WORD_LAYOUT, SlotLayout.ROLE_OFFSET, 0);

        assertThat(SlotImage.parse(copy, SlotFixture.NODE)).isInstanceOf(SlotImage.Malformed.class);
    }

    @Test
    void shouldStayWhole_whenAPeerChangesTheRoleWordOnly() {
        slot.writer.publish(SlotFixture.LOAD);
        RoleWord next = SlotFixture.ROLE.ordered(6, 2, dev.retier.state.Role.SPARE);
        slot.memory.set(SlotLayout.WORD_LAYOUT, SlotLayout.ROLE_OFFSET, next.encode());

        assertThat(SlotImage.parse(slot.copy(), SlotFixture.NODE))
                .isEqualTo(new SlotImage.Whole(SlotFixture.INCARNATION, 1, next, SlotFixture.LOAD, true));
    }

    @Seeded(tries = 300)
    void shouldSayTorn_whenTheCopyMixesTwoRecords(SplittableRandom random) {
        slot.writer.publish(SlotFixture.numbered(random.nextLong(1, 1000)));
        MemorySegment before = slot.copy();
        slot.writer.publish(SlotFixture.numbered(random.nextLong(1001, 2000)));
        int cut = random.nextInt(SlotLayout.NUMBER_OFFSET + 1, SlotLayout.CRC_OFFSET + 1);
        boolean newFirst = random.nextBoolean();
        MemorySegment mixed = slot.copy();
        MemorySegment.copy(
                before, newFirst ? cut : 0, mixed, newFirst ? cut : 0, newFirst ? before.byteSize() - cut : cut);

        assertThat(SlotImage.parse(mixed, SlotFixture.NODE)).isEqualTo(new SlotImage.Torn());
    }

    /** As a reader may find them that copies in any order while the writer goes on: each byte from either record. */
    @Seeded(tries = 1000)
    void shouldTakeAMixtureForNeitherRecord_whenAnyBytesAreFromEither(SplittableRandom random) {
        slot.writer.publish(SlotFixture.numbered(random.nextLong(1, 1000)));
        MemorySegment before = slot.copy();
        slot.writer.publish(SlotFixture.numbered(random.nextLong(1001, 2000)));
        MemorySegment after = slot.copy();
        MemorySegment mixed = slot.copy();
        int piece = 1 << random.nextInt(4);
        for (int at = SlotLayout.NUMBER_OFFSET; at < SlotLayout.CRC_OFFSET + Integer.BYTES; at += piece) {
            MemorySegment.copy(random.nextBoolean() ? before : after, at, mixed, at, piece);
        }

        SlotImage image = SlotImage.parse(mixed, SlotFixture.NODE);
        if (image instanceof SlotImage.Whole) {
            assertThat(image).isIn(SlotImage.parse(before, SlotFixture.NODE), SlotImage.parse(after, SlotFixture.NODE));
        } else {
            assertThat(image).isInstanceOf(SlotImage.Torn.class);
        }
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
