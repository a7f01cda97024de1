package dev.retier.volume.pool;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.CRC32C;

/** CRC32C (RFC 3385) of blocks, as all that is kept and sent has it. Stateless. */
public final class Checksums {
    /** Of a block of zeros. */
    public static final int ZEROS = of(ByteBuffer.allocate(Geometry.BLOCK_BYTES));

    private Checksums() {}

    /** Of the bytes between position and limit, which do not move. */
    public static int of(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate());
        return (int) crc.getValue();
    }

    /** Of the bytes of all {@code pieces} behind each other, which do not move. */
    public static int of(List<ByteBuffer> pieces) {
        CRC32C crc = new CRC32C();
        pieces.forEach(piece -> crc.update(piece.duplicate()));
        return (int) crc.getValue();
    }

    /** Of all bytes of {@code bytes} but the four at {@code field}, where it is kept. */
    public static int around(ByteBuffer bytes, int field) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.slice(0, field));
        crc.update(bytes.slice(field + Integer.BYTES, bytes.limit() - field - Integer.BYTES));
        return (int) crc.getValue();
    }

    /** Of {@code length} bytes from {@code offset} on. */
    public static int of(ByteBuffer bytes, int offset, int length) {
        return of(bytes.slice(offset, length));
    }
}
