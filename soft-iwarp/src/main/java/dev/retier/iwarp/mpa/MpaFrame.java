package dev.retier.iwarp.mpa;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An MPA start-up frame: Request or Reply (RFC 5044 section 7.1.1, RFC 6581 section 6).
 *
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +---------------------------------------------------------------+
 * |           Key, 16 bytes of ASCII                              |
 * +-+-+-+-+-------+---------------+-------------------------------+
 * |M|C|R|S|  Res  |      Rev      |          PD_Length            |
 * +-+-+-+-+-------+---------------+-------------------------------+
 * |           Private Data, 0 to 512 bytes                        |
 * +---------------------------------------------------------------+
 * </pre>
 *
 * @param reply whether this is a Reply
 * @param markers M: the sender of this frame wants markers in what it receives
 * @param crc C: the sender of this frame wants CRCs
 * @param rejected R: a Reply that refuses; ignored in a Request
 * @param enhanced the RFC 6581 block (then S is set), or null
 * @param revision 0 to 255
 * @param privateData the ULP's own, without block and offer; at most 512 bytes with them
 * @param longestUlpdu what its sender takes according to {@link LargeUlpduOffer}, or 0 if it does not say
 */
@SuppressWarnings("ArrayRecordComponent") // bytes of the wire, never compared
public record MpaFrame(
        boolean reply,
        boolean markers,
        boolean crc,
        boolean rejected,
        @Nullable EnhancedBlock enhanced,
        int revision,
        byte[] privateData,
        int longestUlpdu) {
    /** Bytes before the private data. */
    public static final int HEADER_LENGTH = 20;
    /** Bytes of private data at most, the block included. */
    public static final int MAX_PRIVATE_DATA = 512;
    /** Bytes of the ULP's private data at most beside an RFC 6581 block. */
    public static final int MAX_ENHANCED_PRIVATE_DATA = MAX_PRIVATE_DATA - EnhancedBlock.LENGTH;

    static final int KEY_LENGTH = 16;
    static final int FLAGS_OFFSET = 16;
    static final int REVISION_OFFSET = 17;
    static final int PRIVATE_LENGTH_OFFSET = 18;
    static final int MARKERS = 0x80;
    static final int CRC = 0x40;
    static final int REJECTED = 0x20;
    static final int ENHANCED = 0x10;

    private static final byte[] REQUEST_KEY = "MPA ID Req Frame".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] REPLY_KEY = "MPA ID Rep Frame".getBytes(StandardCharsets.US_ASCII);

    /** Refuses private data that does not fit. */
    public MpaFrame {
        int limit = (enhanced == null ? MAX_PRIVATE_DATA : MAX_ENHANCED_PRIVATE_DATA)
                - (longestUlpdu == 0 ? 0 : LargeUlpduOffer.LENGTH);
        if (privateData.length > limit) {
            throw new IllegalArgumentException(
                    "private data of " + privateData.length + " bytes; at most " + limit + " fit");
        }
    }

    /** The private data's bytes on the wire beside the ULP's own: of a block, and of an offer. */
    public static int extraPrivateData(boolean enhanced, boolean offer) {
        return (enhanced ? EnhancedBlock.LENGTH : 0) + (offer ? LargeUlpduOffer.LENGTH : 0);
    }

    /** Whether the bytes seen so far can still become a frame, and where they fail otherwise. */
    public enum Problem {
        /** Neither of the two keys. */
        KEY,
        /** PD_Length above 512. */
        PRIVATE_DATA_LENGTH,
        /** S is set, but the private data has no room for the block. */
        ENHANCED_BLOCK
    }

    /** What is wrong with the first {@code buffer.remaining()} bytes of a frame, or null if nothing is so far. */
    public static @Nullable Problem problem(ByteBuffer buffer) {
        if (!startsWithKey(buffer, REQUEST_KEY) && !startsWithKey(buffer, REPLY_KEY)) {
            return Problem.KEY;
        }
        if (buffer.remaining() < HEADER_LENGTH) {
            return null;
        }
        int length = privateLength(buffer);
        if (length > MAX_PRIVATE_DATA) {
            return Problem.PRIVATE_DATA_LENGTH;
        }
        boolean block = (buffer.get(buffer.position() + FLAGS_OFFSET) & ENHANCED) != 0 && revision(buffer) >= 2;
        return block && length < EnhancedBlock.LENGTH ? Problem.ENHANCED_BLOCK : null;
    }

    /** Bytes of the frame that starts at the buffer's position, or -1 while fewer than 20 bytes are there. */
    public static int lengthOf(ByteBuffer buffer) {
        return buffer.remaining() < HEADER_LENGTH ? -1 : HEADER_LENGTH + privateLength(buffer);
    }

    /** Reads a whole, problem-free frame and moves the position behind it. */
    public static MpaFrame parse(ByteBuffer buffer) {
        int at = buffer.position();
        int flags = buffer.get(at + FLAGS_OFFSET);
        int revision = revision(buffer);
        byte[] data = new byte[privateLength(buffer)];
        buffer.get(at + HEADER_LENGTH, data);
        boolean block = (flags & ENHANCED) != 0 && revision >= 2;
        EnhancedBlock enhanced =
                block ? EnhancedBlock.parse(ByteBuffer.wrap(data).getInt()) : null;
        int longest = block ? LargeUlpduOffer.find(data) : 0; // revision 1 has private data only
        int from = block ? EnhancedBlock.LENGTH : 0;
        int to = data.length - (longest == 0 ? 0 : LargeUlpduOffer.LENGTH);
        buffer.position(at + HEADER_LENGTH + data.length);
        return new MpaFrame(
                startsWithKey(buffer.duplicate().position(at), REPLY_KEY),
                (flags & MARKERS) != 0,
                (flags & CRC) != 0,
                (flags & REJECTED) != 0,
                enhanced,
                revision,
                Arrays.copyOfRange(data, from, Math.max(from, to)),
                longest);
    }

    /** The frame's bytes. */
    public byte[] emit() {
        int length = extraPrivateData(enhanced != null, longestUlpdu != 0) + privateData.length;
        ByteBuffer buffer = ByteBuffer.allocate(HEADER_LENGTH + length);
        buffer.put(reply ? REPLY_KEY : REQUEST_KEY);
        int flags = (markers ? MARKERS : 0) | (crc ? CRC : 0) | (rejected ? REJECTED : 0);
        buffer.put((byte) (flags | (enhanced == null ? 0 : ENHANCED)));
        buffer.put((byte) revision);
        buffer.putShort((short) length);
        if (enhanced != null) {
            buffer.putInt(enhanced.word());
        }
        buffer.put(privateData);
        if (longestUlpdu != 0) {
            LargeUlpduOffer.emit(buffer, longestUlpdu);
        }
        return buffer.array();
    }

    private static int privateLength(ByteBuffer buffer) {
        return buffer.getShort(buffer.position() + PRIVATE_LENGTH_OFFSET) & 0xFFFF;
    }

    private static int revision(ByteBuffer buffer) {
        return buffer.get(buffer.position() + REVISION_OFFSET) & 0xFF;
    }

    private static boolean startsWithKey(ByteBuffer buffer, byte[] key) {
        int known = Math.min(KEY_LENGTH, buffer.remaining());
        for (int i = 0; i < known; i++) {
            if (buffer.get(buffer.position() + i) != key[i]) {
                return false;
            }
        }
        return true;
    }
}
