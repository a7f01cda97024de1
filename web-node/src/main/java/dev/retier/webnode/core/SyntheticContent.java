package dev.retier.webnode.core;

import java.nio.charset.StandardCharsets;

/** Static files that need no disk: the same path and length always give the same printable bytes. Stateless. */
public final class SyntheticContent {
    private static final byte[] ALPHABET =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-\n".getBytes(StandardCharsets.US_ASCII);
    private static final int BITS_PER_BYTE = 6;
    private static final int BYTES_PER_WORD = 10;
    private static final int MASK = 63;
    /** Increment and mixing constants of SplitMix64 (Steele, Lea, Flood: Fast splittable generators, 2014). */
    private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

    private static final long MIX_1 = 0xBF58476D1CE4E5B9L;
    private static final long MIX_2 = 0x94D049BB133111EBL;
    private static final long FNV_OFFSET = 0xCBF29CE484222325L;
    private static final long FNV_PRIME = 0x100000001B3L;

    private SyntheticContent() {}

    /** The file {@code path} of {@code lengthBytes} (0 or more). */
    public static byte[] body(String path, int lengthBytes) {
        byte[] body = new byte[lengthBytes];
        long state = hash(path);
        for (int from = 0; from < lengthBytes; from += BYTES_PER_WORD) {
            state += GOLDEN_GAMMA;
            long word = mix(state);
            int end = Math.min(lengthBytes, from + BYTES_PER_WORD);
            for (int i = from; i < end; i++) {
                body[i] = ALPHABET[(int) (word & MASK)];
                word >>>= BITS_PER_BYTE;
            }
        }
        return body;
    }

    /** A strong entity tag of that file, with its quotes (RFC 9110 section 8.8.3). */
    public static String entityTag(String path, int lengthBytes) {
        return "\"" + Long.toHexString(mix(hash(path) + lengthBytes)) + "-" + Integer.toHexString(lengthBytes) + "\"";
    }

    private static long hash(String path) {
        long hash = FNV_OFFSET;
        for (int i = 0; i < path.length(); i++) {
            hash = (hash ^ path.charAt(i)) * FNV_PRIME;
        }
        return hash;
    }

    private static long mix(long z) {
        long first = (z ^ (z >>> 30)) * MIX_1;
        long second = (first ^ (first >>> 27)) * MIX_2;
        return second ^ (second >>> 31);
    }
}
