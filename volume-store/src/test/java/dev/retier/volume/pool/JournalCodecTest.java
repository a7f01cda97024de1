package dev.retier.volume.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.volume.VolumeName;
import dev.retier.volume.pool.JournalRecord.Stamp;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JournalCodecTest {
    private static final List<JournalRecord> RECORDS = List.of(
            new JournalRecord.Created(
                    1, new VolumeName("accounts"), 20L << 30, new JournalRecord.Maker(Long.MIN_VALUE, 9)),
            new JournalRecord.Attached(1, 7, Long.MAX_VALUE - 3),
            new JournalRecord.Written(1, new Stamp(7, 1), 5, blocks(3)),
            new JournalRecord.Zeroed(1, new Stamp(7, 2), 6, 1L << 40),
            new JournalRecord.Resized(1, 4096),
            new JournalRecord.Copied(2, 1, 1, new VolumeName("before-upgrade")),
            new JournalRecord.RolledBack(1, 2),
            new JournalRecord.Deleted(1));

    @Test
    void shouldFindEachRecordBehindTheOneBefore() {
        ByteBuffer segment = segment();
        int offset = 0;
        long number = 100;
        for (JournalRecord record : RECORDS) {
            JournalCodec.Found found = parsed(segment, offset, number++).orElseThrow();
            assertThat(found.record()).isEqualTo(record);
            assertThat(found.end() - offset).isEqualTo(JournalCodec.lengthBytes(record));
            if (record instanceof JournalRecord.Written written) {
                assertThat(segment.slice(found.dataOffset(), written.data().remaining()))
                        .isEqualTo(written.data());
            }
            offset = found.end();
        }
        assertThat(parsed(segment, offset, number)).isEmpty();
    }

    @Test
    void shouldFindNone_whenAnotherNumberIsDue() {
        assertThat(parsed(segment(), 0, 99)).isEmpty();
        assertThat(parsed(segment(), 0, 101)).isEmpty();
    }

    /** Any bit, also one of the data. */
    @Test
    void shouldFindNone_whenAnyByteIsNotWhatWasWritten() {
        for (JournalRecord record : RECORDS) {
            ByteBuffer bytes = ByteBuffer.allocate(JournalCodec.lengthBytes(record));
            JournalCodec.emit(1, record, bytes);
            int good = JournalCodec.HEADER_BYTES + bodyBytes(record);
            for (int at = 0; at < good; at++) {
                bytes.put(at, (byte) (bytes.get(at) ^ 1 << at % 8));
                assertThat(parsed(bytes, 0, 1)).as("%s at %d", record, at).isEqualTo(Optional.empty());
                bytes.put(at, (byte) (bytes.get(at) ^ 1 << at % 8));
            }
            assertThat(parsed(bytes, 0, 1)).isPresent();
        }
    }

    /** Each block of it is good, and the record is not. */
    @Test
    void shouldFindNone_whenABlockAndItsChecksumAreOfAnotherRecord() {
        ByteBuffer[] both = new ByteBuffer[2];
        for (int i = 0; i < both.length; i++) {
            ByteBuffer data = ByteBuffer.allocate(2 * Geometry.BLOCK_BYTES).putInt(0, i);
            JournalRecord record = new JournalRecord.Written(1, new Stamp(1, 1), 0, data);
            both[i] = ByteBuffer.allocate(JournalCodec.lengthBytes(record));
            JournalCodec.emit(1, record, both[i]);
        }
        both[1].put(JournalCodec.HEADER_BYTES, both[0], JournalCodec.HEADER_BYTES, Integer.BYTES);
        int data = JournalCodec.dataOffset(2);
        both[1].put(data, both[0], data, Geometry.BLOCK_BYTES);

        assertThat(parsed(both[0], 0, 1)).isPresent();
        assertThat(parsed(both[1], 0, 1)).isEmpty();
    }

    @Test
    void shouldFindNone_whenItIsCutAnywhere() {
        JournalRecord record = RECORDS.get(2);
        ByteBuffer bytes = ByteBuffer.allocate(JournalCodec.lengthBytes(record));
        JournalCodec.emit(1, record, bytes);
        for (int length = 0; length < JournalCodec.HEADER_BYTES + bodyBytes(record); length++) {
            assertThat(parsed(bytes.slice(0, length), 0, 1)).isEmpty();
        }
    }

    /** A record of several blocks is known with the checksums of those that cannot be read. */
    @Test
    void shouldFindIt_whenBlocksCannotBeRead() {
        JournalRecord record = new JournalRecord.Written(1, new Stamp(1, 1), 0, blocks(3));
        int begin = 128;
        ByteBuffer segment = ByteBuffer.allocate(1 << 15).position(begin);
        JournalCodec.emit(1, record, segment);
        int second = begin + JournalCodec.dataOffset(3) + Geometry.BLOCK_BYTES;
        segment.put(second + 7, new byte[64]);
        JournalCodec.Gaps gap = (offset, bytes) -> offset < second + 71 && second + 7 < offset + bytes;

        assertThat(parsed(segment, begin, 1)).isEmpty();
        assertThat(JournalCodec.parse(segment, begin, 1, gap))
                .hasValueSatisfying(
                        found -> assertThat(found.end() - begin).isEqualTo(JournalCodec.lengthBytes(record)));

        segment.put(second - 1, (byte) 0); // of the first block
        assertThat(JournalCodec.parse(segment, begin, 1, gap)).isEmpty();
        assertThat(JournalCodec.mayLieIn(gap, segment, begin, 1)).isFalse();
    }

    @Test
    void shouldSayThatOneMayLieThere_whenHeaderOrChecksumsCannotBeRead() {
        JournalRecord record = new JournalRecord.Written(1, new Stamp(1, 1), 0, blocks(3));
        int body = JournalCodec.HEADER_BYTES;
        for (int at : new int[] {0, 63, body, body + 11, body + 12}) {
            ByteBuffer segment = ByteBuffer.allocate(1 << 15);
            JournalCodec.emit(1, record, segment);
            segment.put(at, (byte) ~segment.get(at));
            JournalCodec.Gaps gap = (offset, bytes) -> offset <= at && at < offset + bytes;
            boolean isBlock = at == body + 12;
            assertThat(JournalCodec.parse(segment, 0, 1, gap).isPresent())
                    .as("at %d", at)
                    .isEqualTo(isBlock);
            assertThat(JournalCodec.mayLieIn(gap, segment, 0, 1))
                    .as("at %d", at)
                    .isEqualTo(!isBlock);
        }
    }

    private static Optional<JournalCodec.Found> parsed(ByteBuffer segment, int offset, long number) {
        return JournalCodec.parse(segment, offset, number, (_, _) -> false);
    }

    private static int bodyBytes(JournalRecord record) {
        return switch (record) {
            case JournalRecord.Written written -> written.blocks() * (Integer.BYTES + Geometry.BLOCK_BYTES);
            case JournalRecord.Created created -> created.name().value().length();
            case JournalRecord.Copied copied -> copied.name().value().length();
            default -> 0;
        };
    }

    private static ByteBuffer segment() {
        ByteBuffer segment = ByteBuffer.allocate(1 << 16);
        long number = 100;
        for (JournalRecord record : RECORDS) {
            JournalCodec.emit(number++, record, segment);
        }
        return segment;
    }

    private static ByteBuffer blocks(int count) {
        ByteBuffer data = ByteBuffer.allocate(count * Geometry.BLOCK_BYTES);
        for (int at = 0; data.hasRemaining(); at++) {
            data.put((byte) at);
        }
        return data.flip();
    }
}
