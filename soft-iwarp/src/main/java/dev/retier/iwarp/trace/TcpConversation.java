package dev.retier.iwarp.trace;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * Wraps the two byte streams of a connection into IPv4 and TCP packets that a dissector can put together again
 * (RFC 791, RFC 9293). Pure: packets go to a consumer. IPv6 addresses are shown by their last four bytes.
 *
 * <pre>
 * | IPv4 header, 20 bytes | TCP header, 20 bytes | payload, at most 60,000 bytes |
 * </pre>
 */
public final class TcpConversation {
    private static final int HEADER_BYTES = 40;
    private static final int MAX_PAYLOAD = 60_000;
    private static final int FIN = 0x01;
    private static final int SYN = 0x02;
    private static final int PUSH = 0x08;
    private static final int ACK = 0x10;

    private final Side initiator;
    private final Side responder;
    private final Consumer<ByteBuffer> packets;

    private static final class Side {
        private final int address;
        private final int port;
        private int sequence;

        Side(InetSocketAddress socket, int sequence) {
            byte[] bytes = socket.getAddress().getAddress();
            this.address = ByteBuffer.wrap(bytes).getInt(bytes.length - Integer.BYTES);
            this.port = socket.getPort();
            this.sequence = sequence;
        }
    }

    /** A conversation that begins: its three-way handshake is written at once. */
    public TcpConversation(InetSocketAddress initiator, InetSocketAddress responder, Consumer<ByteBuffer> packets) {
        this.initiator = new Side(initiator, 1000);
        this.responder = new Side(responder, 5000);
        this.packets = packets;
        packet(this.initiator, this.responder, SYN, ByteBuffer.allocate(0));
        packet(this.responder, this.initiator, SYN | ACK, ByteBuffer.allocate(0));
        packet(this.initiator, this.responder, ACK, ByteBuffer.allocate(0));
    }

    /** Bytes from one side, position to limit; the buffer is not changed. */
    public void data(boolean fromInitiator, ByteBuffer bytes) {
        Side from = fromInitiator ? initiator : responder;
        Side to = fromInitiator ? responder : initiator;
        ByteBuffer left = bytes.duplicate();
        while (left.hasRemaining()) {
            int count = Math.min(left.remaining(), MAX_PAYLOAD);
            packet(from, to, PUSH | ACK, left.slice(left.position(), count));
            left.position(left.position() + count);
        }
    }

    /** Both sides end. */
    public void end() {
        packet(initiator, responder, FIN | ACK, ByteBuffer.allocate(0));
        packet(responder, initiator, FIN | ACK, ByteBuffer.allocate(0));
    }

    private void packet(Side from, Side to, int flags, ByteBuffer payload) {
        ByteBuffer packet = ByteBuffer.allocate(HEADER_BYTES + payload.remaining());
        int count = payload.remaining();
        packet.put((byte) 0x45).put((byte) 0).putShort((short) packet.capacity());
        packet.putShort((short) 0).putShort((short) 0x4000);
        packet.put((byte) 64).put((byte) 6).putShort((short) 0);
        packet.putInt(from.address).putInt(to.address);
        packet.putShort(10, checksum(packet));
        packet.putShort((short) from.port).putShort((short) to.port);
        packet.putInt(from.sequence).putInt((flags & ACK) == 0 ? 0 : to.sequence);
        packet.put((byte) 0x50).put((byte) flags).putShort((short) 0xFFFF);
        packet.putShort((short) 0).putShort((short) 0);
        packet.put(payload).flip();
        from.sequence += count + ((flags & (SYN | FIN)) == 0 ? 0 : 1);
        packets.accept(packet);
    }

    private static short checksum(ByteBuffer header) {
        int sum = 0;
        for (int at = 0; at < 20; at += Short.BYTES) {
            sum += header.getShort(at) & 0xFFFF;
        }
        return (short) ~((sum & 0xFFFF) + (sum >>> 16));
    }
}
