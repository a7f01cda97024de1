package dev.retier.iwarp.net;

import dev.retier.iwarp.mpa.TransmitBatch;
import dev.retier.iwarp.rdmap.StreamEngine;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The socket under a stream in full operation, never blocking. Guarded by the queue pair's lock. */
final class StreamSocket {
    /** Reads per call at most, so that one stream cannot keep the thread. */
    private static final int READS = 8;
    /** Batches per call at most, for the same reason. */
    private static final int BATCHES = 64;

    private static final Logger LOG = LoggerFactory.getLogger(StreamSocket.class);

    private final SocketChannel channel;
    private final SocketIo io;
    private final SelectionKey key;
    private final StreamEngine engine;
    private final Segments segments;
    private final TransmitBatch batch = new TransmitBatch();
    private @Nullable Tap tap;
    private boolean more;
    private boolean isOutputEnded;
    /** Whether the last read left no space, so that there may be more. */
    private boolean filled;

    StreamSocket(SocketChannel channel, SocketIo io, SelectionKey key, StreamEngine engine, Segments segments) {
        this.channel = channel;
        this.io = io;
        this.key = key;
        this.engine = engine;
        this.segments = segments;
        batch.keepWithin(segments.runBytes());
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
        return batch.isEmpty() && !io.holdsUnsent();
    }

    /** Bytes of memory of the buffers, both ways. */
    long heldBytes() {
        return (long) engine.heldBytes() + batch.capacity() + io.heldBytes();
    }

    /** Whether there is something to {@link #receive} of which no selector will tell. */
    boolean holdsReceived() {
        return io.holdsReceived();
    }

    /** Reads and processes what has arrived. Returns how many bytes, or -1 at the end of the stream. */
    int receive() throws IOException {
        int total = 0;
        for (int i = 0; i < READS || io.holdsReceived(); i++) { // what is held is not more than a few records
            ByteBuffer[] spaces = engine.spaces();
            int spaceCount = engine.spaceCount();
            int count = 0;
            try {
                count = read(spaces, spaceCount);
            } finally {
                if (count != 0 || spaceCount > 1) {
                    engine.arrived();
                }
            }
            if (count < 0) {
                return -1;
            }
            total += count;
            if (count == 0 || !filled) {
                return total;
            }
        }
        return total;
    }

    private int read(ByteBuffer[] spaces, int count) throws IOException {
        Tap observer = tap;
        int first = spaces[0].position();
        int second = spaces[count - 1].position();
        int bytes = io.read(spaces, count);
        if (observer != null && bytes > 0) {
            show(observer, spaces[0], first);
            if (count > 1) {
                show(observer, spaces[1], second);
            }
        }
        filled = !spaces[count - 1].hasRemaining();
        return bytes;
    }

    private static void show(Tap observer, ByteBuffer space, int from) {
        if (space.position() > from) {
            observer.received(space.duplicate().flip().position(from));
        }
    }

    /**
     * Sends what the engine has, as far as TCP takes it.
     *
     * @param arm whether the loop is to go on when TCP takes more; otherwise a poller comes back soon
     */
    void transmit(boolean arm) throws IOException {
        if (!engine.resume()) {
            throw new IOException("memory was deregistered while it was being sent");
        }
        more = false;
        for (int i = 0; i < BATCHES; i++) {
            engine.fill(batch);
            if (drained()) {
                return;
            }
            write();
            if (!batch.written()) {
                engine.suspend();
                break;
            }
            engine.flushed();
            if (io.holdsUnsent()) {
                break;
            }
        }
        more = true;
        if (arm) {
            wantWrite();
        }
    }

    /** Whether there is more to send than TCP took, or than was sent in one go. */
    boolean hasMore() {
        return more || io.holdsUnsent();
    }

    private void write() throws IOException {
        ByteBuffer[] pieces = batch.pieces();
        int first = batch.firstPiece();
        int count = batch.pieceCount();
        Tap observer = tap;
        if (observer == null) {
            write(pieces, first, count);
            return;
        }
        int[] from = new int[count];
        for (int i = 0; i < count; i++) {
            from[i] = pieces[first + i].position();
        }
        write(pieces, first, count);
        for (int i = 0; i < count && pieces[first + i].position() > from[i]; i++) {
            observer.sent(pieces[first + i].duplicate().flip().position(from[i]));
        }
    }

    private void write(ByteBuffer[] pieces, int first, int count) throws IOException {
        if (segments.runBytes() > 0) {
            segments.write(batch);
        } else {
            io.write(pieces, first, count);
        }
    }

    private void wantWrite() {
        if ((key.interestOpsOr(SelectionKey.OP_WRITE) & SelectionKey.OP_WRITE) == 0) {
            key.selector().wakeup();
        }
    }

    /** Wants to be read by the loop again. */
    void wantRead() {
        if (key.isValid()) {
            key.interestOpsOr(SelectionKey.OP_READ);
        }
    }

    /** Says that no more will be sent, once all has reached TCP. */
    void endOutput() throws IOException {
        if (!isOutputEnded && drained()) {
            isOutputEnded = io.endOutput();
            if (!isOutputEnded) {
                wantWrite();
            }
        }
    }

    /** Closes the socket. */
    void close() {
        closeQuietly(channel);
        Tap observer = tap;
        if (observer != null) {
            observer.closed();
        }
    }

    /** The system's number of it; -1 where that is not known. */
    int descriptor() {
        return io.descriptor();
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
