package dev.retier.volume.pool;

import dev.retier.volume.VolumeName;
import dev.retier.volume.pool.JournalRecord.Stamp;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A record as it lies in a segment of the journal, little-endian, at a multiple of {@value #ALIGNMENT}.
 *
 * <pre>
 *   0               4       6   7   8                              16
 *  +---------------+-------+---+---+-------------------------------+
 *  | magic "RTJR"  | zero  |knd| 0 | running number                |
 *  +---------------+-------+---+---+-------------------------------+
 *  | volume        | epoch         | sequence                      |
 *  +---------------+---------------+-------------------------------+
 *  | first block, parent, or maker | blocks, bytes, client, source |
 *  +-------------------------------+---------------+---------------+
 *  | body bytes    | CRC of body   | zero          | CRC of header |
 *  +---------------+---------------+---------------+---------------+
 *  | body: for each block its CRC, then the blocks; or a name      |
 * </pre>
 *
 * <p>A record is good with both of its checksums and the running number that is due: so neither a torn one nor what a
 * segment held before is taken for one. Stateless.
 */
public final class JournalCodec {
    /** Of what lies before a body. */
    public static final int HEADER_BYTES = 64;

    /** Where records begin. */
    public static final int ALIGNMENT = 64;

    private static final int MAGIC = 0x524A_5452;
    private static final int KIND = 6;
    private static final int NUMBER = 8;
    private static final int VOLUME = 16;
    private static final int EPOCH = 20;
    private static final int SEQUENCE = 24;
    private static final int FIRST = 32;
    private static final int AMOUNT = 40;
    private static final int BODY_BYTES = 48;
    private static final int BODY_CRC = 52;
    private static final int HEADER_CRC = 60;

    private static final byte WRITTEN = 1;
    private static final byte ZEROED = 2;
    private static final byte CREATED = 3;
    private static final byte DELETED = 4;
    private static final byte RESIZED = 5;
    private static final byte ATTACHED = 6;
    private static final byte COPIED = 7;
    private static final byte ROLLED_BACK = 8;

    private JournalCodec() {}

    /**
     * A record that was found.
     *
     * @param dataOffset where in the segment the first block of a {@link JournalRecord.Written} lies
     * @param end where the next record begins
     */
    public record Found(JournalRecord record, int dataOffset, int end) {}

    /** Parts of a segment that could not be read. */
    public interface Gaps {
        /** Whether one touches these bytes. */
        boolean touches(long offset, int bytes);
    }

    /** How many bytes of a segment {@code record} takes. */
    public static int lengthBytes(JournalRecord record) {
        return align(HEADER_BYTES + bodyBytes(record));
    }

    private static int align(int bytes) {
        return (bytes + ALIGNMENT - 1) & -ALIGNMENT;
    }

    private static int bodyBytes(JournalRecord record) {
        return switch (record) {
            case JournalRecord.Written written -> written.blocks() * (Integer.BYTES + Geometry.BLOCK_BYTES);
            case JournalRecord.Created created -> created.name().value().length();
            case JournalRecord.Copied copied -> copied.name().value().length();
            case JournalRecord.Zeroed _,
                    JournalRecord.Deleted _,
                    JournalRecord.Resized _,
                    JournalRecord.Attached _,
                    JournalRecord.RolledBack _ -> 0;
        };
    }

    /** Where in the record of so many blocks the first of these lies. */
    public static int dataOffset(int blocks) {
        return HEADER_BYTES + blocks * Integer.BYTES;
    }

    /** Puts {@code record} at the position of {@code out}, which is {@link #lengthBytes} further behind it. */
    public static void emit(long number, JournalRecord record, ByteBuffer out) {
        ByteBuffer to = out.slice(out.position(), lengthBytes(record)).order(ByteOrder.LITTLE_ENDIAN);
        to.putInt(0, MAGIC);
        to.putLong(NUMBER, number);
        to.putInt(VOLUME, record.volume());
        to.put(KIND, emitFields(record, to));
        int body = bodyBytes(record);
        to.putInt(BODY_BYTES, body);
        to.putInt(BODY_CRC, bodyCrc(to, record instanceof JournalRecord.Written written ? written.blocks() : 0, body));
        to.putInt(HEADER_CRC, Checksums.of(to, 0, HEADER_CRC));
        out.position(out.position() + lengthBytes(record));
    }

    private static byte emitFields(JournalRecord record, ByteBuffer to) {
        return switch (record) {
            case JournalRecord.Written written -> {
                emitStamp(written.stamp(), to);
                to.putLong(FIRST, written.firstBlock());
                to.putLong(AMOUNT, written.blocks());
                emitBlocks(written, to);
                yield WRITTEN;
            }
            case JournalRecord.Zeroed zeroed -> {
                emitStamp(zeroed.stamp(), to);
                to.putLong(FIRST, zeroed.firstBlock());
                to.putLong(AMOUNT, zeroed.blocks());
                yield ZEROED;
            }
            case JournalRecord.Created created -> {
                to.putLong(AMOUNT, created.bytes());
                to.putLong(FIRST, created.maker().client());
                to.putLong(SEQUENCE, created.maker().sequence());
                to.put(HEADER_BYTES, created.name().value().getBytes(StandardCharsets.US_ASCII));
                yield CREATED;
            }
            case JournalRecord.Deleted _ -> DELETED;
            case JournalRecord.Resized resized -> {
                to.putLong(AMOUNT, resized.bytes());
                yield RESIZED;
            }
            case JournalRecord.Attached attached -> {
                to.putInt(EPOCH, attached.epoch());
                to.putLong(AMOUNT, attached.client());
                yield ATTACHED;
            }
            case JournalRecord.Copied copied -> {
                to.putLong(FIRST, copied.parent());
                to.putLong(AMOUNT, copied.source());
                to.put(HEADER_BYTES, copied.name().value().getBytes(StandardCharsets.US_ASCII));
                yield COPIED;
            }
            case JournalRecord.RolledBack rolled -> {
                to.putLong(AMOUNT, rolled.source());
                yield ROLLED_BACK;
            }
        };
    }

    private static void emitStamp(Stamp stamp, ByteBuffer to) {
        to.putInt(EPOCH, stamp.epoch());
        to.putLong(SEQUENCE, stamp.sequence());
    }

    private static void emitBlocks(JournalRecord.Written written, ByteBuffer to) {
        ByteBuffer data = written.data();
        for (int block = 0; block < written.blocks(); block++) {
            int at = data.position() + block * Geometry.BLOCK_BYTES;
            to.putInt(HEADER_BYTES + block * Integer.BYTES, Checksums.of(data, at, Geometry.BLOCK_BYTES));
        }
        to.put(dataOffset(written.blocks()), data, data.position(), data.remaining());
    }

    /** The checksums of blocks stand for these. */
    private static int bodyCrc(ByteBuffer record, int blocks, int bodyBytes) {
        return Checksums.of(record, HEADER_BYTES, blocks > 0 ? blocks * Integer.BYTES : bodyBytes);
    }

    /** The running number of the record that begins at {@code offset}, if its header is good. */
    public static OptionalLong numberAt(ByteBuffer segment, int offset) {
        return header(segment, offset)
                .map(header -> OptionalLong.of(header.getLong(NUMBER)))
                .orElse(OptionalLong.empty());
    }

    /**
     * The record of that running number at {@code offset}, if a good one lies there. Its data share the memory of
     * {@code segment}. One is good without the blocks that could not be read, as its checksums stand for them.
     *
     * @param segment from its first byte to as much as was read
     */
    public static Optional<Found> parse(ByteBuffer segment, int offset, long number, Gaps gaps) {
        return header(segment, offset, number)
                .flatMap(header -> record(header, (at, bytes) -> gaps.touches(offset + at, bytes)))
                .map(record -> found(record, offset));
    }

    /** Whether the record of that number, of which none is good, may lie there in a part that could not be read. */
    public static boolean mayLieIn(Gaps gaps, ByteBuffer segment, int offset, long number) {
        boolean isLong = segment.capacity() - offset >= HEADER_BYTES;
        return isLong
                && (gaps.touches(offset, HEADER_BYTES)
                        || header(segment, offset, number)
                                .map(header -> gaps.touches(offset + HEADER_BYTES, checkedBytes(header)))
                                .orElse(false));
    }

    /** How much of the body its own checksum is of. */
    private static int checkedBytes(ByteBuffer header) {
        int body = header.getInt(BODY_BYTES);
        return header.get(KIND) == WRITTEN ? body / (Integer.BYTES + Geometry.BLOCK_BYTES) * Integer.BYTES : body;
    }

    private static Optional<ByteBuffer> header(ByteBuffer segment, int offset, long number) {
        return header(segment, offset).filter(header -> header.getLong(NUMBER) == number);
    }

    /** What a segment has from there on, if it begins with a good header. */
    private static Optional<ByteBuffer> header(ByteBuffer segment, int offset) {
        ByteBuffer bytes = segment.duplicate().clear().order(ByteOrder.LITTLE_ENDIAN);
        if (offset < 0 || bytes.capacity() - offset < HEADER_BYTES) {
            return Optional.empty();
        }
        ByteBuffer header = bytes.slice(offset, bytes.capacity() - offset).order(ByteOrder.LITTLE_ENDIAN);
        int body = header.getInt(BODY_BYTES);
        boolean isHeader = header.getInt(0) == MAGIC
                && header.getInt(HEADER_CRC) == Checksums.of(header, 0, HEADER_CRC)
                && body >= 0
                && body <= header.capacity() - HEADER_BYTES;
        return isHeader ? Optional.of(header) : Optional.empty();
    }

    private static Found found(JournalRecord record, int offset) {
        int blocks = record instanceof JournalRecord.Written written ? written.blocks() : 0;
        return new Found(record, offset + dataOffset(blocks), offset + lengthBytes(record));
    }

    private static Optional<JournalRecord> record(ByteBuffer header, Gaps gaps) {
        int body = header.getInt(BODY_BYTES);
        int volume = header.getInt(VOLUME);
        long amount = header.getLong(AMOUNT);
        Stamp stamp = new Stamp(header.getInt(EPOCH), header.getLong(SEQUENCE));
        long first = header.getLong(FIRST);
        byte kind = header.get(KIND);
        if (kind == WRITTEN) {
            return blocks(header, body, amount, gaps)
                    .map(data -> new JournalRecord.Written(volume, stamp, first, data));
        }
        if (header.getInt(BODY_CRC) != Checksums.of(header, HEADER_BYTES, body)) {
            return Optional.empty();
        }
        return switch (kind) {
            case ZEROED -> Optional.of(new JournalRecord.Zeroed(volume, stamp, first, amount));
            case CREATED ->
                VolumeName.parse(text(header, body))
                        .map(name -> new JournalRecord.Created(
                                volume, name, amount, new JournalRecord.Maker(first, stamp.sequence())));
            case DELETED -> Optional.of(new JournalRecord.Deleted(volume));
            case RESIZED -> Optional.of(new JournalRecord.Resized(volume, amount));
            case ATTACHED -> Optional.of(new JournalRecord.Attached(volume, stamp.epoch(), amount));
            case COPIED ->
                VolumeName.parse(text(header, body))
                        .map(name -> new JournalRecord.Copied(volume, (int) amount, (int) first, name));
            case ROLLED_BACK -> Optional.of(new JournalRecord.RolledBack(volume, (int) amount));
            default -> Optional.empty();
        };
    }

    private static String text(ByteBuffer header, int bytes) {
        byte[] text = new byte[bytes];
        header.get(HEADER_BYTES, text);
        return new String(text, StandardCharsets.US_ASCII);
    }

    private static Optional<ByteBuffer> blocks(ByteBuffer header, int body, long amount, Gaps gaps) {
        if (amount < 1 || amount * (Integer.BYTES + Geometry.BLOCK_BYTES) != body) {
            return Optional.empty();
        }
        int blocks = (int) amount;
        if (header.getInt(BODY_CRC) != bodyCrc(header, blocks, body)) {
            return Optional.empty();
        }
        int data = dataOffset(blocks);
        for (int block = 0; block < blocks; block++) {
            int sum = header.getInt(HEADER_BYTES + block * Integer.BYTES);
            int at = data + block * Geometry.BLOCK_BYTES;
            if (!gaps.touches(at, Geometry.BLOCK_BYTES) && sum != Checksums.of(header, at, Geometry.BLOCK_BYTES)) {
                return Optional.empty();
            }
        }
        return Optional.of(header.slice(data, blocks * Geometry.BLOCK_BYTES));
    }
}
