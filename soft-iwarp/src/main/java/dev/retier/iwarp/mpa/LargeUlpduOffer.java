package dev.retier.iwarp.mpa;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What our own stacks say at the end of an MPA start-up frame's private data: how long a ULPDU the sender of the frame
 * takes, whatever the segment size of TCP. Peers that do not know it are sent FPDUs that fit one TCP segment, since
 * hardware may fail on longer ones.
 *
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +---------------------------------------------------------------+
 * |               Key, 8 bytes of ASCII                           |
 * |                                                               |
 * +-------------------------------+-------------------------------+
 * |        Longest ULPDU          |               0               |
 * +-------------------------------+-------------------------------+
 * </pre>
 *
 * <p>It stands last, so that a peer finds its own private data where it expects it. Whom it is said to is for the
 * program to decide ({@link LargeFpdus}): an application may check the length of what it gets.
 */
public final class LargeUlpduOffer {
    /** Bytes of the offer. */
    public static final int LENGTH = 12;
    /** Private data, offer and RFC 6581 block included, up to which it is made: Linux siw takes no more. */
    public static final int MAX_UNASKED_PRIVATE_DATA = 256;

    private static final byte[] KEY = "retierFP".getBytes(StandardCharsets.US_ASCII);
    private static final int LONGEST_OFFSET = 8;
    private static final int ZERO_OFFSET = 10;

    private LargeUlpduOffer() {}

    /** The offer at the end of {@code privateData}: 128 to 64768, or 0 if there is none. */
    public static int find(byte[] privateData) {
        int at = privateData.length - LENGTH;
        if (at < 0 || !Arrays.equals(privateData, at, at + KEY.length, KEY, 0, KEY.length)) {
            return 0;
        }
        ByteBuffer offer = ByteBuffer.wrap(privateData, at, LENGTH).slice();
        int longest = offer.getShort(LONGEST_OFFSET) & 0xFFFF;
        boolean valid = longest >= Fpdu.MIN_MULPDU && longest <= Fpdu.MAX_ULPDU && offer.getShort(ZERO_OFFSET) == 0;
        return valid ? longest : 0;
    }

    /** Writes all {@link #LENGTH} bytes at the buffer's position. */
    static void emit(ByteBuffer buffer, int longest) {
        buffer.put(KEY).putShort((short) longest).putShort((short) 0);
    }
}
