package dev.retier.state.auth;

import dev.retier.state.NodeId;
import java.nio.ByteBuffer;

/**
 * The four messages by which a connection is authenticated, big-endian, each with the same first eight bytes.
 *
 * <pre>
 *  0               4       6   7   8
 * +---------------+-------+---+---+
 * | magic "RTHS"  |version|typ|rgt|   rgt: rights asked for (HELLO) or granted (WELCOME), else 0
 * +---------------+-------+---+---+
 *  HELLO      initiator: node 4 | node called 4 | incarnation 8 | nonce 16                  = 40 bytes
 *  CHALLENGE  responder: node 4 | zero 4 | incarnation 8 | nonce 16 | MAC 32                = 72 bytes
 *  PROOF      initiator: MAC 32                                                             = 40 bytes
 *  WELCOME    responder: grant 32 | MAC 32                                                  = 72 bytes
 * </pre>
 *
 * <p>Each MAC is HMAC-SHA256 over the sender's part (one octet: the message type) and all bytes of the handshake
 * before the MAC, so it covers both nonces, node ids and incarnations.
 */
final class Messages {
    static final int NONCE_LENGTH_BYTES = 16;
    static final int HELLO_LENGTH_BYTES = 40;
    static final int CHALLENGE_LENGTH_BYTES = 72;
    static final int PROOF_LENGTH_BYTES = 40;
    static final int WELCOME_LENGTH_BYTES = 72;

    static final byte HELLO = 1;
    static final byte CHALLENGE = 2;
    static final byte PROOF = 3;
    static final byte WELCOME = 4;

    private static final int MAGIC = 0x5254_4853;
    private static final short VERSION = 2;
    private static final int VERSION_OFFSET = 4;
    private static final int TYPE_OFFSET = 6;
    private static final int RIGHTS_OFFSET = 7;
    private static final int HEADER_LENGTH_BYTES = 8;

    private Messages() {}

    static ByteBuffer begin(byte type, byte rights, int length) {
        return ByteBuffer.allocate(length)
                .putInt(MAGIC)
                .putShort(VERSION)
                .put(type)
                .put(rights);
    }

    /** The fields of a message, after its header has been checked. */
    static ByteBuffer open(byte[] message, byte type, int length) throws BadMessage {
        if (message.length != length) {
            throw new BadMessage("message of " + message.length + " bytes where " + length + " are due");
        }
        ByteBuffer fields = ByteBuffer.wrap(message);
        if (fields.getInt(0) != MAGIC) {
            throw new BadMessage("not a retier node: the magic word is missing");
        }
        if (fields.getShort(VERSION_OFFSET) != VERSION) {
            throw new BadMessage("protocol version " + fields.getShort(VERSION_OFFSET) + ", ours is " + VERSION);
        }
        if (message[TYPE_OFFSET] != type) {
            throw new BadMessage("message type " + message[TYPE_OFFSET] + " where " + type + " is due");
        }
        return fields.position(HEADER_LENGTH_BYTES);
    }

    static Rights rights(byte[] message) throws BadMessage {
        return Rights.decode(message[RIGHTS_OFFSET]);
    }

    static NodeId node(int value) throws BadMessage {
        if (value < 1 || value > NodeId.MAX_VALUE) {
            throw new BadMessage("node id " + value + " is out of range");
        }
        return new NodeId(value);
    }
}
