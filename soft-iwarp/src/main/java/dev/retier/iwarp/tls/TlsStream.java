package dev.retier.iwarp.tls;

import dev.retier.verbs.TlsKeys;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * One end of a TLS connection as bytes. First {@link #handshake} until it needs nothing; then {@link #receive} and
 * {@link #send}. What TCP brings is put into {@link #incoming}, followed by {@link #came}; what TCP is to have is in
 * {@link #outgoing}. Holds one record each way at first and {@value #RECORDS} when there is much to carry, and of what
 * has been unwrapped less than one record.
 *
 * <p>A key update of either side (RFC 8446 section 4.6.3) goes by unseen. After an {@link SSLException} the stream is
 * of no use, but for the alert in {@link #outgoing}. Owned by one thread at a time.
 */
public final class TlsStream {
    /** Records that one call of TCP carries at most. */
    static final int RECORDS = 4;

    private static final String PROTOCOL = "TLSv1.3";
    private static final int HEADER_BYTES = 5;
    private static final int LENGTH_AT = 3;
    /** What MPA's frames begin with, and no record does. */
    private static final byte MPA = 'M';

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    private static final ByteBuffer[] NO_PIECES = {};

    private final SSLEngine engine;
    private final int recordBytes;
    // All are in reading mode between two calls, but for in between incoming() and came().
    private ByteBuffer in;
    private ByteBuffer out;
    private ByteBuffer unwrapped = NOTHING;
    private boolean isInputEnded;
    private boolean isEstablished;

    /** What a handshake waits for. */
    public enum Need {
        /** More bytes of the peer. */
        INPUT,
        /** That TCP takes what is outgoing. */
        OUTPUT,
        /** That {@link #task} was run. */
        TASK,
        /** Nothing: it is over, and both are who their certificates say. */
        NOTHING
    }

    /**
     * A stream that has said nothing yet. Nothing is resumed: each has a context of its own, so that the peer's
     * certificate is judged by what is trusted now.
     *
     * @param judge of this peer, in the place of what the keys say
     */
    public static TlsStream of(TlsKeys keys, X509ExtendedTrustManager judge, boolean isInitiator) {
        try {
            SSLContext context = SSLContext.getInstance(PROTOCOL);
            context.init(new KeyManager[] {keys.own()}, new TrustManager[] {judge}, null);
            SSLEngine engine = context.createSSLEngine();
            engine.setUseClientMode(isInitiator);
            engine.setEnabledProtocols(new String[] {PROTOCOL});
            engine.setNeedClientAuth(true);
            engine.beginHandshake();
            return new TlsStream(engine);
        } catch (GeneralSecurityException | SSLException missing) {
            throw new IllegalStateException("this JDK has no " + PROTOCOL, missing);
        }
    }

    /** Over an engine that has begun its handshake. */
    TlsStream(SSLEngine engine) {
        this.engine = engine;
        this.recordBytes = engine.getSession().getPacketBufferSize();
        this.in = ByteBuffer.allocateDirect(recordBytes).flip();
        this.out = ByteBuffer.allocateDirect(recordBytes).flip();
    }

    /** Space for what TCP has; {@link #came} must follow. There is some, once what is held has been taken. */
    public ByteBuffer incoming() {
        return in.compact();
    }

    /** What was put into {@link #incoming} is there. */
    public void came() {
        boolean isFull = !in.hasRemaining();
        in.flip();
        if (isFull && in.capacity() == recordBytes && isEstablished) {
            in = larger(in);
        }
    }

    /** What TCP is to have next; how much of it was taken is told by its position. */
    public ByteBuffer outgoing() {
        return out;
    }

    /** Bytes of memory that the buffers hold. */
    public int heldBytes() {
        return in.capacity() + out.capacity() + unwrapped.capacity();
    }

    private boolean isHandshaking() {
        return engine.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING;
    }

    private ByteBuffer larger(ByteBuffer from) {
        return ByteBuffer.allocateDirect(RECORDS * recordBytes).put(from).flip();
    }

    /**
     * Goes on with the handshake as far as it goes.
     *
     * @throws SSLException if the peer is not believed, does not believe this side, or speaks no TLS 1.3
     */
    public Need handshake() throws SSLException {
        while (true) {
            if (out.hasRemaining()) {
                return Need.OUTPUT;
            }
            switch (engine.getHandshakeStatus()) {
                case NEED_TASK -> {
                    return Need.TASK;
                }
                case NEED_WRAP -> {
                    if (!wrap(NO_PIECES, 0, 0) && engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
                        throw new SSLException("the TLS handshake stands still");
                    }
                }
                case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                    if (in.hasRemaining() && in.get(in.position()) == MPA) {
                        endOutput(); // a record, by which the peer knows what is spoken here
                        throw new NoTlsException();
                    }
                    if (unwrapOne() == Status.BUFFER_UNDERFLOW) {
                        refuseTooLong();
                        return Need.INPUT;
                    }
                    if (isInputEnded) {
                        throw new SSLException("the peer ended the connection during the TLS handshake");
                    }
                }
                case FINISHED, NOT_HANDSHAKING -> {
                    isEstablished = true;
                    unwrapped = NOTHING;
                    return Need.NOTHING;
                }
            }
        }
    }

    /** An engine may wait for a record that is twice as long as RFC 8446 allows: for that there is no space. */
    private void refuseTooLong() throws SSLException {
        if (in.remaining() == in.capacity()) {
            throw new SSLException("a record of the handshake is too long");
        }
    }

    /** What takes long (signatures, certificates): to be run once, by whatever thread, while nothing else is done. */
    public Optional<Runnable> task() {
        return Optional.ofNullable(engine.getDelegatedTask());
    }

    /** Unwraps a record into memory of this stream, which is empty. */
    private Status unwrapOne() throws SSLException {
        if (unwrapped.capacity() == 0) {
            unwrapped = ByteBuffer.allocate(recordBytes).flip();
        }
        unwrapped.clear();
        try {
            SSLEngineResult result = engine.unwrap(in, unwrapped);
            isInputEnded |= result.getStatus() == Status.CLOSED;
            return result.getStatus();
        } finally {
            unwrapped.flip();
        }
    }

    /**
     * Unwraps what has come into the first {@code count} spaces, one after the other, as far as there is space.
     *
     * @return how many bytes; -1 if there are no more and the peer has said so (close_notify)
     * @throws SSLException if it is not what the peer has sent, or the peer says by an alert that it gives up
     */
    public int receive(ByteBuffer[] spaces, int count) throws SSLException {
        int total = handOver(spaces, count);
        while (!isInputEnded && haveRemaining(spaces, 0, count) && holdsRecord()) {
            int before = in.remaining();
            SSLEngineResult result = engine.unwrap(in, spaces, 0, count);
            total += result.bytesProduced();
            isInputEnded |= result.getStatus() == Status.CLOSED;
            if (result.getStatus() == Status.BUFFER_OVERFLOW) {
                unwrapOne();
                total += handOver(spaces, count);
            }
            answer();
            if (in.remaining() == before && !unwrapped.hasRemaining()) {
                break; // an engine that takes nothing of a whole record waits for something else
            }
        }
        return total == 0 && isInputEnded && !unwrapped.hasRemaining() ? -1 : total;
    }

    /** Does what a record after the handshake asks for: the answer to a key update leaves with the next bytes. */
    private void answer() throws SSLException {
        if (engine.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
            task().ifPresent(Runnable::run);
        }
        if (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
            send(NO_PIECES, 0, 0);
        }
    }

    private int handOver(ByteBuffer[] spaces, int count) {
        int total = 0;
        for (int i = 0; i < count && unwrapped.hasRemaining(); i++) {
            int some = Math.min(spaces[i].remaining(), unwrapped.remaining());
            spaces[i].put(spaces[i].position(), unwrapped, unwrapped.position(), some);
            spaces[i].position(spaces[i].position() + some);
            unwrapped.position(unwrapped.position() + some);
            total += some;
        }
        return total;
    }

    /** Whether {@link #receive} has something to give without more of TCP. */
    public boolean holdsReceived() {
        return unwrapped.hasRemaining() || (!isInputEnded && holdsRecord());
    }

    private boolean holdsRecord() {
        return in.remaining() >= HEADER_BYTES
                && in.remaining() >= HEADER_BYTES + (in.getShort(in.position() + LENGTH_AT) & 0xFFFF);
    }

    /**
     * TCP has no more to give.
     *
     * @throws SSLException if the peer has not said so first: anybody on the way can end TCP (RFC 8446 section 6.1)
     */
    public void inputEnded() throws SSLException {
        if (!isInputEnded) {
            throw new SSLException("it was cut off: TCP ended without TLS's close_notify");
        }
    }

    /** Wraps pieces, from {@code first} on, as far as there is room for records; their positions tell how far. */
    public void send(ByteBuffer[] pieces, int first, int count) throws SSLException {
        boolean goesOn = true;
        while (goesOn && hasRoom()) {
            boolean hasMore =
                    haveRemaining(pieces, first, count) || engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP;
            goesOn = hasMore && wrap(pieces, first, count);
        }
    }

    private static boolean haveRemaining(ByteBuffer[] pieces, int first, int count) {
        for (int i = first + count - 1; i >= first; i--) {
            if (pieces[i].hasRemaining()) {
                return true;
            }
        }
        return false;
    }

    /** Whether one more record fits behind what is outgoing; makes room if there is much to send. */
    private boolean hasRoom() {
        if (out.capacity() - out.remaining() < recordBytes && out.capacity() == recordBytes && !isHandshaking()) {
            out = larger(out);
        }
        return out.capacity() - out.remaining() >= recordBytes;
    }

    /** Makes one record; whether anything came of it. */
    private boolean wrap(ByteBuffer[] pieces, int first, int count) throws SSLException {
        out.compact();
        try {
            SSLEngineResult result = engine.wrap(pieces, first, count, out);
            if (result.getStatus() == Status.CLOSED && count > 0) {
                throw new SSLException("the connection was ended by this side");
            }
            return result.bytesProduced() > 0;
        } finally {
            out.flip();
        }
    }

    /** No more is sent: close_notify is outgoing behind all else, once there is room for it. */
    public void endOutput() throws SSLException {
        engine.closeOutbound();
        send(NO_PIECES, 0, 0);
    }

    /** Whether close_notify is outgoing, or was. */
    public boolean isOutputEnded() {
        return engine.isOutboundDone();
    }

    /** After an {@link SSLException}: what tells the peer why is outgoing, if there is room for it. */
    public void alert() throws SSLException {
        send(NO_PIECES, 0, 0);
    }
}
