package dev.retier.system.exchange;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/** Bytes that both ends know, by a number. */
final class Pattern {
    private Pattern() {}

    /** Fills {@code length} bytes from {@code offset} with the bytes of {@code number}. */
    static void fill(ByteBuffer target, int offset, int length, long number) {
        target.put(offset, bytes(length, number), 0, length);
    }

    static byte[] bytes(int length, long number) {
        byte[] bytes = new byte[length];
        new SplittableRandom(number).nextBytes(bytes);
        return bytes;
    }

    /** Refuses bytes that are not those of {@code number}, and says where. */
    static void require(ByteBuffer source, int offset, int length, long number, String what) throws Wrong {
        require(source.slice(offset, length), ByteBuffer.wrap(bytes(length, number)), what);
    }

    /** Refuses bytes that are not the expected ones, and says where. */
    static void require(ByteBuffer found, ByteBuffer expected, String what) throws Wrong {
        int at = found.mismatch(expected);
        if (at >= 0) {
            throw new Wrong(what + ": byte " + at + " of " + expected.remaining() + " is not what was sent");
        }
    }
}
