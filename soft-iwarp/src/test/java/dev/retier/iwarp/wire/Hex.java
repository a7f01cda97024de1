package dev.retier.iwarp.wire;

import java.nio.ByteBuffer;
import java.util.HexFormat;

/** Bytes written as people write them. */
public final class Hex {
    private Hex() {}

    /** The bytes of a hex text; blanks are left out. */
    public static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    /** What lies between position 0 and the buffer's position. */
    public static byte[] written(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.position()];
        buffer.get(0, bytes);
        return bytes;
    }

    /** The hex text of bytes. */
    public static String of(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}
