package dev.retier.link.auth;

import dev.retier.link.NodeId;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The four messages by which a connection is authenticated, big-endian, each with the same first eight bytes.
 *
 * <pre>
 *  0               4       6   7   8
 * +---------------+-------+---+---+
 * | magic "RTHS"  |version|typ|rgt|   rgt: right asked for (HELLO) or granted (WELCOME), else 0
 * +---------------+-------+---+---+
 * version 3 goes on with: lowest 1 | highest 1 | key hint 2, then
 *  HELLO      initiator: node 2 | node called 2 | incarnation 8 | nonce 16 | MAC 16         = 56 bytes
 *  CHALLENGE  responder: node 2 | zero 2 | incarnation 8 | nonce 16 | digest 32 | MAC 32    = 104 bytes
 *  PROOF      initiator: zero 4 | digest 32 | MAC 32                                        = 80 bytes
 *  WELCOME    responder: zero 2 | length n 2 | grant n | MAC 32                             = 48 + n bytes
 * version 2 (of commit c429564) goes on with
 *  HELLO      initiator: node 4 | node called 4 | incarnation 8 | nonce 16                  = 40 bytes
 *  CHALLENGE  responder: node 4 | lowest 1 | highest 1 | zero 2 | incarnation 8 | nonce 16 | MAC 32 = 72 bytes
 *  PROOF      initiator: MAC 32                                                             = 40 bytes
 *  WELCOME    responder: grant 32 | MAC 32                                                  = 72 bytes
 * </pre>
 *
 * <p>In a CHALLENGE of version 2 the range stands where a node of that version alone writes zeroes and reads nothing.
 * Each MAC is HMAC-SHA256 over the message type (one octet) and all bytes of the handshake before the MAC, so it covers
 * both nonces, node ids, incarnations and ranges; that of a HELLO is its first half. Stateless.
 */
final class Messages {
    static final int NONCE_LENGTH_BYTES = 16;
    static final int TYPE_OFFSET = 6;

    static final byte HELLO = 1;
    static final byte CHALLENGE = 2;
    static final byte PROOF = 3;
    static final byte WELCOME = 4;

    private static final int MAGIC = 0x5254_4853;
    private static final int VERSION_OFFSET = 4;
    private static final int RIGHT_OFFSET = 7;
    private static final int HELLO_MAC_BYTES = 16;
    private static final int FORMER_HEADER_BYTES = 8;
    private static final int HEADER_BYTES = 12;
    /** The most that a network pads private data to. */
    private static final int MOST_PADDED_BYTES = 196;

    private static final int[] FORMER_LENGTHS = {40, 72, 40, 72};
    private static final int[] LENGTHS = {56, 104, 80, 48};

    private Messages() {}

    /** What the sender of a message says of itself beside the message's own fields. */
    record Header(int version, byte type, int right, Versions spoken, int hint) {}

    private static int length(int version, byte type) {
        return (version == Versions.FORMER ? FORMER_LENGTHS : LENGTHS)[type - 1];
    }

    /** How many bytes of MAC a message ends with. */
    static int macBytes(int version, byte type) {
        if (type != HELLO) {
            return ClusterSecret.MAC_LENGTH_BYTES;
        }
        return version == Versions.FORMER ? 0 : HELLO_MAC_BYTES;
    }

    /** A message with its header, {@code more} bytes longer than usual. */
    static ByteBuffer begin(Header header, int more) {
        ByteBuffer message = ByteBuffer.allocate(length(header.version(), header.type()) + more)
                .putInt(MAGIC)
                .putShort((short) header.version())
                .put(header.type())
                .put((byte) header.right());
        if (header.version() != Versions.FORMER) {
            putRange(message, header.spoken()).putShort((short) header.hint());
        }
        return message;
    }

    /** A node id, as wide as {@code version} has it. */
    static ByteBuffer putNode(ByteBuffer message, int version, int node) {
        return version == Versions.FORMER ? message.putInt(node) : message.putShort((short) node);
    }

    static ByteBuffer putRange(ByteBuffer message, Versions spoken) {
        return message.put((byte) spoken.lowest()).put((byte) spoken.highest());
    }

    /** The version of a message, if it is one of ours. */
    static int version(byte[] message) throws BadMessage {
        ByteBuffer fields = ByteBuffer.wrap(message);
        if (message.length < FORMER_HEADER_BYTES || fields.getInt(0) != MAGIC) {
            throw new BadMessage("not a retier node: the magic word is missing");
        }
        return Short.toUnsignedInt(fields.getShort(VERSION_OFFSET));
    }

    /**
     * What was sent, of what came as private data: InfiniBand and RoCE pad that with zeros, to 56 bytes of a request
     * and 196 of an answer (rdma_connect(3), rdma_accept(3)). What is no message stays as it is, but for zeros alone.
     */
    static byte[] unpadded(byte[] data) {
        ByteBuffer fields = ByteBuffer.wrap(data);
        int sent = data.length;
        if (data.length >= FORMER_HEADER_BYTES && fields.getInt(0) == MAGIC) {
            byte type = data[TYPE_OFFSET];
            int version = Short.toUnsignedInt(fields.getShort(VERSION_OFFSET));
            sent = type >= HELLO && type <= WELCOME ? length(version, type) : sent;
        } else if (isZero(data, 0)) {
            sent = 0;
        }
        return sent < data.length && data.length <= MOST_PADDED_BYTES && isZero(data, sent)
                ? Arrays.copyOf(data, sent)
                : data;
    }

    private static boolean isZero(byte[] data, int from) {
        for (int index = from; index < data.length; index++) {
            if (data[index] != 0) {
                return false;
            }
        }
        return true;
    }

    /** Checks what all messages have in common; {@code fields}, which wrap all of one, stand behind it afterwards. */
    @SuppressWarnings("ByteBufferBackingArray") // as said
    static Header open(ByteBuffer fields, byte type, Versions spoken) throws BadMessage {
        byte[] message = fields.array();
        int version = version(message);
        if (!spoken.has(version)) {
            throw new BadMessage(
                    "protocol version " + version + ", ours are " + spoken.lowest() + " to " + spoken.highest());
        }
        int length = length(version, type);
        if (type == WELCOME && version != Versions.FORMER && message.length >= length) {
            length += Short.toUnsignedInt(fields.getShort(HEADER_BYTES + Short.BYTES));
        }
        if (message.length != length) {
            throw new BadMessage("message of " + message.length + " bytes where " + length + " are due");
        }
        if (message[TYPE_OFFSET] != type) {
            throw new BadMessage("message type " + message[TYPE_OFFSET] + " where " + type + " is due");
        }
        int right = Byte.toUnsignedInt(message[RIGHT_OFFSET]);
        fields.position(FORMER_HEADER_BYTES);
        return version == Versions.FORMER
                ? new Header(version, type, right, Versions.only(version), 0)
                : new Header(version, type, right, range(fields), Short.toUnsignedInt(fields.getShort()));
    }

    /** A range; only the version that it stands in if there is none. */
    static Versions range(ByteBuffer fields) throws BadMessage {
        int lowest = Byte.toUnsignedInt(fields.get());
        int highest = Byte.toUnsignedInt(fields.get());
        if (highest == 0) {
            return Versions.only(Versions.FORMER);
        }
        if (lowest < 1 || lowest > highest) {
            throw new BadMessage("a range of versions from " + lowest + " to " + highest);
        }
        return new Versions(lowest, highest);
    }

    static int nodeValue(ByteBuffer fields, int version) {
        return version == Versions.FORMER ? fields.getInt() : Short.toUnsignedInt(fields.getShort());
    }

    static NodeId node(int value) throws BadMessage {
        if (value < 1 || value > NodeId.MAX_VALUE) {
            throw new BadMessage("node id " + value + " is out of range");
        }
        return new NodeId(value);
    }
}
