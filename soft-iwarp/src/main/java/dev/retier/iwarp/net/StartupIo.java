package dev.retier.iwarp.net;

import dev.retier.verbs.TlsKeys;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a connection in start-up: TCP's, or those of TLS over it, whose handshake comes before MPA's. Owned by
 * the loop's thread.
 */
final class StartupIo {
    /** The first byte of a record with a handshake, and of one with an alert (RFC 8446 section 5.1). */
    private static final int TLS_HANDSHAKE = 0x16;

    private static final int TLS_ALERT = 0x15;

    private final SocketChannel channel;
    private final @Nullable TlsIo tls;
    private final SocketIo bytes;
    private final ByteBuffer[] one = new ByteBuffer[1];
    private boolean isSecured;
    private boolean isAtWork;
    private volatile boolean isGivenUp;

    /**
     * Of a connected socket of which nothing was read or written.
     *
     * @param keys for TLS; null to have none
     */
    StartupIo(SocketChannel channel, @Nullable TlsKeys keys, boolean isInitiator) throws IOException {
        this.channel = channel;
        this.tls = keys == null ? null : new TlsIo(channel, keys, isInitiator);
        this.bytes = tls == null ? new ChannelIo(channel) : tls;
        this.isSecured = tls == null;
    }

    /** Whose connection is in start-up, and what it does once the handshake can go on. */
    record Owner(ProgressLoop loop, boolean isExpected, Runnable goOn) {}

    /**
     * Goes on with the handshake of TLS, if there is one, and sees to it that the owner is called when it can go on
     * further.
     *
     * @return whether MPA can begin
     * @throws IOException if TLS failed, in words
     */
    boolean advance(SelectionKey key, Owner owner) throws IOException {
        TlsIo handshaking = tls;
        if (isSecured || handshaking == null) {
            return true;
        }
        if (isAtWork) {
            return false;
        }
        switch (handshaking.handshake()) {
            case INPUT -> key.interestOps(SelectionKey.OP_READ);
            case OUTPUT -> key.interestOps(SelectionKey.OP_WRITE);
            case TASK -> {
                isAtWork = true;
                key.interestOps(0);
                owner.loop().handshakes().run(owner.isExpected(), () -> work(handshaking, owner));
            }
            case NOTHING -> isSecured = true;
        }
        return isSecured;
    }

    /** On the thread of tasks, which has the engine for itself. */
    private void work(TlsIo handshaking, Owner owner) {
        try {
            Optional<Runnable> task = handshaking.task();
            while (task.isPresent() && !isGivenUp) {
                task.get().run();
                task = handshaking.task();
            }
        } finally {
            owner.loop().execute(() -> {
                isAtWork = false;
                owner.goOn().run();
            });
        }
    }

    /** Nobody needs it any more: what waits for the processor is left out. */
    void giveUp() {
        isGivenUp = true;
    }

    /** Reads into {@code space} what is there; how many bytes, -1 at the end of the stream. */
    int read(ByteBuffer space) throws IOException {
        one[0] = space;
        return bytes.read(one, 1);
    }

    /** Whether all of {@code frame} has reached TCP, which has taken nothing before. */
    boolean write(byte[] frame) throws IOException {
        one[0] = ByteBuffer.wrap(frame);
        bytes.write(one, 0, 1);
        return !one[0].hasRemaining() && !bytes.holdsUnsent();
    }

    /** Whether what has come without TLS is a record of TLS. */
    boolean isForeign(ByteBuffer received) {
        if (tls != null || received.position() == 0) {
            return false;
        }
        int first = received.get(0);
        return first == TLS_HANDSHAKE || first == TLS_ALERT;
    }

    /** What the peer has shown under TLS, its own certificate first. */
    List<X509Certificate> certificates() {
        return tls == null ? List.of() : tls.certificates();
    }

    boolean isTls() {
        return tls != null;
    }

    /** The stream in full operation. */
    SocketIo operating() throws IOException {
        return tls == null ? SocketIo.of(channel) : tls;
    }
}
