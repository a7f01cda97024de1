package dev.retier.iwarp.net;

import dev.retier.iwarp.tls.TlsStream;
import dev.retier.verbs.TlsKeys;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLException;

/**
 * By TLS 1.3 over TCP, both ends of which show a certificate. What is written is given to TCP as whole records; what
 * of them TCP does not take at once is held here.
 *
 * <p>Guarded by who owns the connection: the loop's thread, later the queue pair's lock.
 */
final class TlsIo implements SocketIo {
    private final SocketIo tcp;
    private final JudgedPeer peer;
    private final TlsStream stream;
    private final ByteBuffer[] one = new ByteBuffer[1];
    private boolean isTcpEnded;

    /** Over a connected socket, before a byte of it was read or written. */
    TlsIo(SocketChannel channel, TlsKeys keys, boolean isInitiator) throws IOException {
        this.tcp = SocketIo.of(channel);
        this.peer = new JudgedPeer(keys.trusted());
        this.stream = TlsStream.of(keys, peer, isInitiator);
    }

    /** What the peer has shown, its own certificate first; believed once the handshake is over. */
    List<X509Certificate> certificates() {
        return peer.shown();
    }

    /**
     * Goes on with the handshake as far as it goes without waiting.
     *
     * @return what it waits for
     * @throws IOException if it failed, in words; the peer has been told by an alert, if it speaks TLS
     */
    TlsStream.Need handshake() throws IOException {
        try {
            while (true) {
                TlsStream.Need need = stream.handshake();
                boolean goesOn = switch (need) {
                    case OUTPUT -> flushed();
                    case INPUT -> came();
                    case TASK -> false;
                    case NOTHING -> false;
                };
                if (!goesOn) {
                    return need;
                }
            }
        } catch (SSLException failed) {
            throw refused(failed);
        }
    }

    /** What takes long, once {@link #handshake} waits for it. */
    Optional<Runnable> task() {
        return stream.task();
    }

    /** In words, after the alert that tells the peer has been given to TCP as far as it takes it. */
    private IOException refused(SSLException failed) {
        String why = peer.why(failed);
        try {
            stream.alert();
            flushed();
        } catch (IOException alsoFailed) {
            failed.addSuppressed(alsoFailed);
        }
        return new TlsException(why, failed);
    }

    /** Whether TCP has all. */
    private boolean flushed() throws IOException {
        ByteBuffer outgoing = stream.outgoing();
        if (outgoing.hasRemaining()) {
            one[0] = outgoing;
            tcp.write(one, 0, 1);
        }
        return !outgoing.hasRemaining();
    }

    /** Whether TCP had bytes. */
    private boolean came() throws IOException {
        one[0] = stream.incoming();
        int bytes;
        try {
            bytes = tcp.read(one, 1);
        } finally {
            stream.came();
        }
        if (bytes < 0) {
            stream.inputEnded();
            isTcpEnded = true;
        }
        return bytes > 0;
    }

    @Override
    public int read(ByteBuffer[] spaces, int count) throws IOException {
        try {
            int bytes = stream.receive(spaces, count);
            if (bytes == 0 && came()) {
                bytes = stream.receive(spaces, count);
            }
            return bytes == 0 && isTcpEnded ? -1 : bytes;
        } catch (SSLException failed) {
            throw refused(failed);
        }
    }

    @Override
    public void write(ByteBuffer[] pieces, int first, int count) throws IOException {
        try {
            boolean goesOn = flushed();
            while (goesOn) {
                stream.send(pieces, first, count);
                goesOn = stream.outgoing().hasRemaining() && flushed();
            }
        } catch (SSLException failed) {
            throw refused(failed);
        }
    }

    @Override
    public boolean holdsReceived() {
        return stream.holdsReceived();
    }

    @Override
    public boolean holdsUnsent() {
        return stream.outgoing().hasRemaining();
    }

    @Override
    public boolean endOutput() throws IOException {
        if (!flushed()) {
            return false;
        }
        if (!stream.isOutputEnded()) {
            stream.endOutput();
        }
        return stream.isOutputEnded() && flushed() && tcp.endOutput();
    }

    @Override
    public boolean keepsToSegments() {
        return false;
    }

    @Override
    public long heldBytes() {
        return stream.heldBytes();
    }

    @Override
    public int descriptor() {
        return tcp.descriptor();
    }
}
