package dev.retier.iwarp.net;

import dev.retier.iwarp.mpa.TransmitBatch;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * Writes to a socket so that each run of a batch ends a segment, whatever TCP has not sent yet: Linux's
 * {@code sendmmsg} with {@code MSG_EOR}. The layouts are those of 64-bit systems. Guarded by the queue
 * pair's lock, under which the socket is closed, too: its descriptor is this connection's for as long as it is open.
 */
final class SegmentEnds {
    /** Messages, which are runs, of one call at most. */
    private static final int MESSAGES = 32;
    /** Pieces of one call at most; a run that has more, of very many elements, is cut. */
    private static final int PIECES = 128;

    // struct mmsghdr: a struct msghdr, whose third and fourth field are the pieces and their number, and a length.
    private static final long MESSAGE_BYTES = 64;
    private static final long PIECES_AT = 16;
    private static final long PIECE_COUNT_AT = 24;
    private static final long LENGTH_AT = 56;
    private static final long MESSAGES_BYTES = MESSAGES * MESSAGE_BYTES;
    private static final long PIECES_BYTES = PIECES * Pieces.BYTES;

    private final int descriptor;
    private final MemorySegment memory = Arena.ofAuto().allocate(MESSAGES_BYTES + PIECES_BYTES, Long.BYTES);
    private final MemorySegment state = Arena.ofAuto().allocate(SocketCalls.STATE);
    /** At each index the piece behind the run. */
    private final int[] runEnds = new int[MESSAGES];

    private SegmentEnds(int descriptor) {
        this.descriptor = descriptor;
    }

    /**
     * Of a connected socket; null where the system or the program does not allow it.
     *
     * @param known its number, or -1 if that has not been found yet
     */
    static @Nullable SegmentEnds of(SocketChannel channel, int known) throws IOException {
        int descriptor = known < 0 && SocketCalls.areAllowed() ? SocketDescriptors.of(channel, true) : known;
        return descriptor < 0 ? null : new SegmentEnds(descriptor);
    }

    /** TCP's maximum segment size now, options not counted; 0 if the system does not tell. */
    int segmentBytes() {
        return SocketCalls.segmentBytes(descriptor);
    }

    /** Writes what TCP takes; the positions of the pieces tell how much. */
    void write(SocketChannel channel, TransmitBatch batch) throws IOException {
        if (!channel.isOpen()) {
            throw new ClosedChannelException();
        }
        ByteBuffer[] pieces = batch.pieces();
        int end = batch.firstPiece() + batch.pieceCount();
        int from = batch.firstPiece();
        while (from < end) {
            int messages = prepare(batch, pieces, from, end);
            int sent = SocketCalls.send(descriptor, memory, messages, state);
            for (int i = 0; i < sent; i++) {
                int length = memory.get(ValueLayout.JAVA_INT, i * MESSAGE_BYTES + LENGTH_AT);
                Pieces.taken(pieces, from, runEnds[i], length);
                from = runEnds[i];
            }
            if (sent < messages || pieces[runEnds[messages - 1] - 1].hasRemaining()) {
                return;
            }
        }
    }

    /** Describes runs from the piece {@code from} on, as many as fit. Returns how many. */
    private int prepare(TransmitBatch batch, ByteBuffer[] pieces, int from, int end) {
        int messages = 0;
        int used = 0;
        int next = from;
        while (next < end && messages < MESSAGES && (used == 0 || batch.runEnd(next) - next <= PIECES - used)) {
            int runEnd = Math.min(batch.runEnd(next), next + PIECES);
            long message = messages * MESSAGE_BYTES;
            long pieceAt = MESSAGES_BYTES + used * Pieces.BYTES;
            memory.set(ValueLayout.JAVA_LONG, message + PIECES_AT, memory.address() + pieceAt);
            memory.set(ValueLayout.JAVA_LONG, message + PIECE_COUNT_AT, runEnd - next);
            for (int i = next; i < runEnd; i++) {
                Pieces.describe(memory, MESSAGES_BYTES + used * Pieces.BYTES, pieces[i]);
                used++;
            }
            runEnds[messages] = runEnd;
            messages++;
            next = runEnd;
        }
        return messages;
    }
}
