package dev.retier.volume.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.volume.VolumeName;
import dev.retier.volume.table.VolumeRow.Health;
import dev.retier.volume.table.VolumeRow.Load;
import dev.retier.volume.table.VolumeTable.Reading;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class VolumeTableTest {
    private static final VolumeRow ACCOUNTS = new VolumeRow(
            7,
            new VolumeName("accounts"),
            0x4000_0000L,
            5,
            "db-1 (process 12)",
            3,
            new Load(1.5, -2),
            new VolumeRow.Room(0x10000, 0x2000),
            Health.DAMAGED);
    private static final VolumeTable TABLE =
            new VolumeTable(0x0102030405060708L, 9, new VolumeTable.Room(0x11, 0x22, 0x33), 2, List.of(ACCOUNTS));

    private static ByteBuffer encoded(VolumeTable table) {
        ByteBuffer bytes = ByteBuffer.allocate(VolumeTable.bytes(table.rows().size()));
        table.encode(bytes);
        return bytes;
    }

    private static VolumeTable filled(int rows, long value) {
        return new VolumeTable(
                value,
                value,
                new VolumeTable.Room(value, value, value),
                rows,
                IntStream.range(0, rows)
                        .mapToObj(i -> new VolumeRow(
                                i,
                                new VolumeName("v" + i),
                                value,
                                (int) value,
                                "" + value,
                                (int) value,
                                new Load(value, value),
                                new VolumeRow.Room(value, value),
                                Health.GOOD))
                        .toList());
    }

    @Test
    void shouldHaveTheseBytes() {
        String header = "52545654" + "0200" + "0200" + "0900000000000000" + "0807060504030201" + "1100000000000000"
                + "2200000000000000" + "3300000000000000" + "01000000" + "02000000" + "00000000" + "00000000";
        String row = "08" + "6163636f756e7473" + "00".repeat(55) + "07000000" + "05000000" + "0000004000000000"
                + "0000010000000000" + "03000000" + "03000000" + "000000000000f83f" + "00000000000000c0"
                + "0020000000000000" + "11" + "64622d31202870726f6365737320313229" + "00".repeat(118);
        ByteBuffer bytes = encoded(TABLE);
        byte[] all = new byte[bytes.capacity()];
        bytes.putInt(60, 0).get(0, all);
        assertThat(HexFormat.of().formatHex(all)).isEqualTo(header + row);
        assertThat(VolumeTable.parse(encoded(TABLE))).isEqualTo(new Reading.Whole(TABLE));

        ByteBuffer old = ByteBuffer.allocate(VolumeTable.bytes(1));
        old.put(new byte[old.capacity()]).clear();
        Collections.nCopies(old.capacity(), (byte) -1).forEach(old::put);
        TABLE.encode(old.clear());
        assertThat(old).as("what was there before").isEqualTo(encoded(TABLE));
    }

    @Test
    void shouldTellEachHealthAndTheLongestName() {
        for (Health health : Health.values()) {
            VolumeTable table = new VolumeTable(
                    1,
                    1,
                    TABLE.room(),
                    1,
                    List.of(new VolumeRow(
                            1,
                            new VolumeName("n".repeat(63)),
                            0,
                            -1,
                            "w".repeat(100),
                            0,
                            Load.NONE,
                            ACCOUNTS.room(),
                            health)));
            assertThat(VolumeTable.parse(encoded(table))).isEqualTo(new Reading.Whole(table));
        }
    }

    /** A copy that meets the writer in the middle is of two writings, cut anywhere, in any order of pieces. */
    @Test
    void shouldBeTorn_whenItIsOfTwoWritings() {
        for (int seed = 0; seed < 500; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            int rows = random.nextInt(1, 40);
            ByteBuffer older = encoded(filled(rows, random.nextLong()));
            ByteBuffer newer = encoded(filled(rows, random.nextLong()));
            ByteBuffer copy =
                    ByteBuffer.allocate(older.capacity()).put(older.slice()).clear();
            int from = random.nextInt(copy.capacity());
            int to = random.nextInt(from + 1, copy.capacity() + (from == 0 ? 0 : 1));
            copy.put(from, newer, from, to - from);
            if (copy.equals(older) || copy.equals(newer)) {
                continue; // the same in both, there
            }
            assertThat(VolumeTable.parse(copy)).as("seed " + seed).isEqualTo(new Reading.Torn());
        }
    }

    @Test
    void shouldBeReadOnceMore_whenItIsLonger() {
        ByteBuffer all = encoded(filled(20, 3));
        assertThat(VolumeTable.parse(all.slice(0, VolumeTable.bytes(19)))).isEqualTo(new Reading.Longer(20));
        ByteBuffer more = ByteBuffer.allocate(VolumeTable.bytes(40)).put(all).clear();
        assertThat(VolumeTable.parse(more)).isEqualTo(new Reading.Whole(filled(20, 3)));
    }

    @Test
    void shouldBeMalformed_whenAnotherVersionOrCountIsTold() {
        assertThat(VolumeTable.parse(ByteBuffer.allocate(64)))
                .isEqualTo(new Reading.Malformed("no table of volumes: the magic word is missing"));
        ByteBuffer later = encoded(TABLE).order(ByteOrder.LITTLE_ENDIAN).putShort(4, (short) 3);
        assertThat(VolumeTable.parse(later))
                .isEqualTo(new Reading.Malformed("a table of versions 3 to 2, only those of 2 are read"));
        ByteBuffer former = encoded(TABLE).order(ByteOrder.LITTLE_ENDIAN).putShort(6, (short) 1);
        assertThat(VolumeTable.parse(former)).isInstanceOf(Reading.Malformed.class);
        ByteBuffer endless = encoded(TABLE).order(ByteOrder.LITTLE_ENDIAN).putInt(48, 1025);
        assertThat(VolumeTable.parse(endless)).isEqualTo(new Reading.Malformed("a table of 1025 rows"));
        ByteBuffer negative = encoded(TABLE).order(ByteOrder.LITTLE_ENDIAN).putInt(48, -1);
        assertThat(VolumeTable.parse(negative)).isInstanceOf(Reading.Malformed.class);
        assertThatThrownBy(() -> filled(1025, 1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldTellWhereItIs() {
        TableGrant grant = new TableGrant(0x0102030405060708L, 0x0a0b0c0d, 1024);
        assertThat(HexFormat.of().formatHex(grant.encode())).isEqualTo("08070605040302010d0c0b0a00040000");
        assertThat(TableGrant.parse(ByteBuffer.wrap(grant.encode()))).contains(grant);
        assertThat(TableGrant.parse(ByteBuffer.allocate(15))).isEmpty();
        assertThat(TableGrant.parse(ByteBuffer.allocate(16))).as("no rows").isEmpty();
        ByteBuffer endless =
                ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN).putInt(12, 1025);
        assertThat(TableGrant.parse(endless)).isEmpty();
    }
}
