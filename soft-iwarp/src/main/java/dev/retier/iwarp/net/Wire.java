package dev.retier.iwarp.net;

import dev.retier.iwarp.mpa.Agreement;
import dev.retier.iwarp.mpa.FpduDecoder;
import dev.retier.iwarp.mpa.TransmitBatch;
import dev.retier.iwarp.stream.StreamEngine;
import dev.retier.iwarp.wire.TerminateReason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The socket under a stream in full operation, never blocking. Guarded by the queue pair's lock. */
final class Wire {
    /** Reads per call at most, so that one stream cannot keep the thread. */
    private static final int READS = 8;
    /** Batches per call at most, for the same reason. */
    private static final int BATCHES = 64;

    private static final Logger LOG = LoggerFactory.getLogger(Wire.class);

    private final SocketChannel channel;
    private final SelectionKey key;
    private final StreamEngine engine;
    private final FpduDecoder decoder;
    private final TransmitBatch batch = new TransmitBatch();
    private @Nullable Tap tap;

    Wire(SocketChannel channel, SelectionKey key, StreamEngine engine, Agreement agreement) {
        this.channel = channel;
        this.key = key;
        this.engine = engine;
        this.decoder = new FpduDecoder(agreement.crc(), agreement.markersToReceive());
    }

    /** Puts a start-up frame before all FPDUs. */
    void append(byte[] frame) {
        batch.append(frame);
    }

    /** Shows all bytes to {@code observer} from now on. */
    void tap(Tap observer) {
        tap = observer;
    }

    /** Whether everything handed over so far has reached TCP. */
    boolean drained() {
        return batch.isEmpty();
    }

    /** Bytes of memory of the buffers, both ways. */
    long heldBytes() {
        return (long) decoder.capacity() + batch.capacity();
    }

    /** Reads and processes what has arrived. Returns how many bytes, or -1 at the end of the stream. */
    int receive() throws IOException {
        int total = 0;
        for (int i = 0; i < READS; i++) {
            ByteBuffer space = decoder.space();
            int from = space.position();
            int count = channel.read(space);
            if (count < 0) {
                return -1;
            }
            if (count == 0) {
                return total;
            }
            total += count;
            show(space, from);
            boolean full = !space.hasRemaining();
            decode();
            if (!full) {
                return total;
            }
        }
        return total;
    }

    private void decode() {
        while (true) {
            switch (decoder.next()) {
                case NEED_MORE -> {
                    return;
                }
                case ULPDU -> engine.receive(decoder.ulpduBuffer(), decoder.ulpduOffset(), decoder.ulpduLength());
                case CRC_MISMATCH -> {
                    engine.framingError(TerminateReason.MPA_CRC);
                    decoder.discard();
                    return;
                }
                case MARKER_MISMATCH -> {
                    engine.framingError(TerminateReason.MPA_MARKER);
                    decoder.discard();
                    return;
                }
            }
        }
    }

    /** Sends what the engine has, as far as TCP takes it. */
    void transmit() throws IOException {
        if (!engine.resume()) {
            throw new IOException("memory was deregistered while it was being sent");
        }
        for (int i = 0; i < BATCHES; i++) {
            engine.fill(batch);
            if (batch.isEmpty()) {
                return;
            }
            write();
            if (!batch.written()) {
                engine.suspend();
                break;
            }
            engine.flushed();
        }
        wantWrite();
    }

    private void show(ByteBuffer space, int from) {
        Tap observer = tap;
        if (observer != null) {
            observer.received(space.duplicate().flip().position(from));
        }
    }

    private void write() throws IOException {
        ByteBuffer[] pieces = batch.pieces();
        int first = batch.firstPiece();
        int count = batch.pieceCount();
        Tap observer = tap;
        if (observer != null) {
            writeShowing(pieces, first, count, observer);
        } else if (count == 1) {
            channel.write(pieces[first]);
        } else {
            channel.write(pieces, first, count);
        }
    }

    private void writeShowing(ByteBuffer[] pieces, int first, int count, Tap observer) throws IOException {
        for (int i = first; i < first + count; i++) {
            ByteBuffer before = pieces[i].duplicate();
            channel.write(pieces[i]);
            observer.sent(before.limit(pieces[i].position()));
            if (pieces[i].hasRemaining()) {
                return;
            }
        }
    }

    private void wantWrite() {
        if ((key.interestOpsOr(SelectionKey.OP_WRITE) & SelectionKey.OP_WRITE) == 0) {
            key.selector().wakeup();
        }
    }

    /** Says that no more will be sent. */
    void endOutput() throws IOException {
        channel.shutdownOutput();
    }

    /** Closes the socket. */
    void close() {
        closeQuietly(channel);
        Tap observer = tap;
        if (observer != null) {
            observer.closed();
        }
    }

    SocketChannel channel() {
        return channel;
    }

    SelectionKey key() {
        return key;
    }

    /** Closes a socket; that it fails is of interest to nobody. */
    static void closeQuietly(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            LOG.debug("closing a socket failed", e);
        }
    }
}
