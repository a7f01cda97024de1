package dev.retier.load.http;

import io.netty.buffer.ByteBuf;

/**
 * Writes a client's frames (RFC 6455 section 5.2), each a whole message and masked. Stateless.
 *
 * <pre>
 *   0               1               2               3
 *  +-+-+-+-+-------+-+-------------+-------------------------------+
 *  |F|R|R|R| opcode|M| length      | length, 16 or 64 bits, if the |
 *  |I|S|S|S|       |A| 0..125, 126 | seven before are 126 or 127   |
 *  |N|V|V|V|       |S| or 127      |                               |
 *  +-+-+-+-+-------+-+-------------+-------------------------------+
 *  | masking key, if M             | payload, each byte XORed with |
 *  | (32 bits)                     | the key's byte in turn        |
 *  +-------------------------------+-------------------------------+
 * </pre>
 */
public final class WebSocketFrame {
    /** More of a message. */
    public static final int CONTINUATION = 0x0;

    /** A message of text. */
    public static final int TEXT = 0x1;

    /** A message of bytes. */
    public static final int BINARY = 0x2;

    /** The first control frame: this side sends no more. */
    public static final int CLOSE = 0x8;

    /** Asks for a pong with the same payload. */
    public static final int PING = 0x9;

    /** Answers a ping. */
    public static final int PONG = 0xA;

    /** Longest payload of a control frame. */
    public static final int MAX_CONTROL_BYTES = 125;

    /** Status of a close frame: all is done (RFC 6455 section 7.4.1). */
    public static final int NORMAL_CLOSURE = 1000;

    static final int FINAL = 0x80;
    static final int RESERVED = 0x70;
    static final int OPCODE = 0x0F;
    static final int MASKED = 0x80;
    static final int LENGTH = 0x7F;
    static final int LENGTH_16 = 126;
    static final int LENGTH_64 = 127;
    static final int LARGEST_16 = 0xFFFF;

    private static final int MAX_HEAD_BYTES = 14;

    private WebSocketFrame() {}

    /** Bytes that {@link #write} needs at most for a payload of {@code length}. */
    public static int maxLengthBytes(int length) {
        return MAX_HEAD_BYTES + length;
    }

    /** Appends a frame of {@code payload} to {@code out}, masked with {@code key}, which should not be foreseeable. */
    public static void write(int opcode, byte[] payload, int key, ByteBuf out) {
        out.writeByte(FINAL | opcode);
        if (payload.length < LENGTH_16) {
            out.writeByte(MASKED | payload.length);
        } else if (payload.length <= LARGEST_16) {
            out.writeByte(MASKED | LENGTH_16).writeShort(payload.length);
        } else {
            out.writeByte(MASKED | LENGTH_64).writeLong(payload.length);
        }
        out.writeInt(key);
        for (int i = 0; i < payload.length; i++) {
            out.writeByte(payload[i] ^ (key >>> (8 * (3 - (i & 3)))));
        }
    }

    /** The payload of a close frame that says {@code status}. */
    public static byte[] closing(int status) {
        return new byte[] {(byte) (status >>> 8), (byte) status};
    }
}
