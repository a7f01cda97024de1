package dev.retier.iwarp.net;

import dev.retier.iwarp.mpa.Agreement;
import dev.retier.iwarp.mpa.TransmitBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * The segments into which TCP cuts what a connection sends, and how runs of FPDUs are handed over so that each is one.
 * TCP begins a segment with what it is given when it has sent all before; when it has not, it fills the last one up,
 * unless the system is told not to, for which Java has no call: {@link SegmentEnds}. Guarded by the queue pair's lock.
 */
final class Segments {
    private final SocketChannel channel;
    private final int bytes;
    private final boolean keepsToSegments;
    private final @Nullable SegmentEnds ends;

    private Segments(SocketChannel channel, int bytes, boolean keepsToSegments, @Nullable SegmentEnds ends) {
        this.channel = channel;
        this.bytes = bytes;
        this.keepsToSegments = keepsToSegments;
        this.ends = ends;
    }

    /** Of a connection that has agreed, over {@code io}. */
    static Segments of(Device device, SocketChannel channel, Agreement agreement, SocketIo io) throws IOException {
        int expected = device.segmentSize(channel.getLocalAddress());
        if (!agreement.keepsToSegments() || !io.keepsToSegments()) {
            return any(channel, expected);
        }
        SegmentEnds ends = SegmentEnds.of(channel, io.descriptor());
        if (ends == null) {
            return unaided(channel, expected);
        }
        int told = ends.segmentBytes();
        return new Segments(channel, told > 0 ? told : expected, true, ends);
    }

    /** Runs, as far as can be without the system's help. */
    static Segments unaided(SocketChannel channel, int bytes) {
        return new Segments(channel, bytes, true, null);
    }

    /** Of a connection that does not care. */
    static Segments any(SocketChannel channel, int bytes) {
        return new Segments(channel, bytes, false, null);
    }

    /** TCP's effective maximum segment size. */
    int bytes() {
        return bytes;
    }

    /** Bytes of a run at most, or 0 if there are none. */
    int runBytes() {
        return keepsToSegments ? bytes : 0;
    }

    /** Writes the runs of a batch, as far as TCP takes them; its pieces tell how far. */
    void write(TransmitBatch batch) throws IOException {
        if (ends != null) {
            ends.write(channel, batch);
            return;
        }
        ByteBuffer[] pieces = batch.pieces();
        int end = batch.firstPiece() + batch.pieceCount();
        boolean taken = true;
        for (int from = batch.firstPiece(); from < end && taken; ) {
            int next = batch.runEnd(from);
            if (next == from + 1) {
                channel.write(pieces[from]);
            } else {
                channel.write(pieces, from, next - from);
            }
            taken = !pieces[next - 1].hasRemaining();
            from = next;
        }
    }
}
