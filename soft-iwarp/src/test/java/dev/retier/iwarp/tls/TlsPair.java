package dev.retier.iwarp.tls;

import dev.retier.iwarp.net.JudgedPeer;
import dev.retier.verbs.TlsKeys;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.SplittableRandom;
import javax.net.ssl.SSLException;

/** Two ends and the wire between them, without sockets, threads or clock: bytes move when told, in random pieces. */
final class TlsPair {
    final End initiator;
    final End responder;
    private final SplittableRandom random;

    /** One end, and the bytes that are on their way to it. */
    static final class End {
        final JudgedPeer peer;
        final TlsStream stream;
        /** In reading mode. */
        ByteBuffer wire = ByteBuffer.allocate(1 << 20).flip();

        boolean isEstablished;
        /** Bytes that it has given to TCP. */
        long sentBytes;

        int tasks;

        End(TlsKeys keys, boolean isInitiator) {
            peer = new JudgedPeer(keys.trusted());
            stream = TlsStream.of(keys, peer, isInitiator);
        }

        /** As the driver does: how an end gets on without waiting. */
        boolean handshake() throws SSLException {
            boolean moved = false;
            for (TlsStream.Need need = stream.handshake();
                    need != TlsStream.Need.INPUT && need != TlsStream.Need.OUTPUT;
                    need = stream.handshake()) {
                moved = true;
                if (need == TlsStream.Need.NOTHING) {
                    isEstablished = true;
                    return true;
                }
                Optional<Runnable> task = stream.task();
                while (task.isPresent()) {
                    tasks++;
                    task.get().run();
                    task = stream.task();
                }
            }
            return moved;
        }
    }

    TlsPair(TlsKeys initiating, TlsKeys responding, long seed) {
        initiator = new End(initiating, true);
        responder = new End(responding, false);
        random = new SplittableRandom(seed);
    }

    /** Moves some bytes of what one end has to the wire, and from there into the other; whether any moved. */
    boolean carry(End from, End to) {
        ByteBuffer out = from.stream.outgoing();
        int leaving = out.hasRemaining() ? random.nextInt(1, out.remaining() + 1) : 0;
        to.wire.compact();
        to.wire.put(out.slice(out.position(), leaving));
        out.position(out.position() + leaving);
        from.sentBytes += leaving;
        to.wire.flip();
        ByteBuffer space = to.stream.incoming();
        int coming = to.wire.hasRemaining() ? random.nextInt(1, to.wire.remaining() + 1) : 0;
        coming = Math.min(coming, space.remaining());
        space.put(to.wire.slice(to.wire.position(), coming));
        to.wire.position(to.wire.position() + coming);
        to.stream.came();
        return leaving + coming > 0;
    }

    /** Both ends get to know each other. */
    void establish() throws SSLException {
        boolean moved = true;
        while (moved && !(initiator.isEstablished && responder.isEstablished)) {
            moved = false;
            for (End end : new End[] {initiator, responder}) {
                moved |= !end.isEstablished && end.handshake();
                moved |= carry(end, end.equals(initiator) ? responder : initiator);
            }
        }
        if (moved) {
            return;
        }
        throw new IllegalStateException("the handshake stands still");
    }

    /** Sends all of {@code bytes}, in pieces, and returns what arrives, which is taken into spaces of odd sizes. */
    byte[] send(End from, End to, byte[] bytes) throws SSLException {
        ByteArrayOutputStream arrived = new ByteArrayOutputStream();
        ByteBuffer[] pieces = {
            ByteBuffer.wrap(bytes, 0, bytes.length / 3),
            ByteBuffer.wrap(bytes, bytes.length / 3, bytes.length - bytes.length / 3)
        };
        while (arrived.size() < bytes.length) {
            from.stream.send(pieces, 0, pieces.length);
            carry(from, to);
            carry(to, from); // what a key update is answered by
            drain(to, arrived);
        }
        return arrived.toByteArray();
    }

    private void drain(End to, ByteArrayOutputStream arrived) throws SSLException {
        int taken;
        do {
            ByteBuffer[] spaces = {
                ByteBuffer.allocate(random.nextInt(0, 700)), ByteBuffer.allocate(random.nextInt(1, 40_000))
            };
            taken = to.stream.receive(spaces, 2);
            for (ByteBuffer space : spaces) {
                byte[] bytes = new byte[space.flip().remaining()];
                space.get(bytes);
                arrived.writeBytes(bytes);
            }
        } while (taken > 0);
    }
}
