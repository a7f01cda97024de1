package dev.retier.volume.connect;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Bytes that lie in several places, one behind the other. The places are fixed; whoever owns them may change the bytes.
 *
 * @param all the places, each from its position to its limit
 * @param bytes of all together
 */
record Pieces(List<ByteBuffer> all, int bytes) {
    static final Pieces NONE = new Pieces(List.of(), 0);

    /** What remains of each; their positions do not move, whatever is done with these. */
    static Pieces of(List<ByteBuffer> buffers) {
        List<ByteBuffer> all = new ArrayList<>(buffers.size());
        long bytes = 0;
        for (ByteBuffer buffer : buffers) {
            if (buffer.hasRemaining()) {
                all.add(buffer.slice());
                bytes += buffer.remaining();
            }
        }
        if (bytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(bytes + " bytes in one request; ask for 2 GiB less a byte at most");
        }
        return new Pieces(all, (int) bytes);
    }

    /** Refuses places that cannot be written to with {@link IllegalArgumentException}. */
    void requireWritable() {
        if (all.stream().anyMatch(ByteBuffer::isReadOnly)) {
            throw new IllegalArgumentException("what is read cannot be put into a buffer that is read-only");
        }
    }

    /** A part of them, in the same places. */
    Pieces part(int offset, int length) {
        if (offset == 0 && length == bytes) {
            return this;
        }
        List<ByteBuffer> part = new ArrayList<>();
        int at = 0;
        for (ByteBuffer piece : all) {
            int from = Math.max(offset, at);
            int to = Math.min(offset + length, at + piece.remaining());
            if (from < to) {
                part.add(piece.slice(from - at, to - from));
            }
            at += piece.remaining();
        }
        return new Pieces(part, length);
    }

    /** The same bytes in memory of their own. */
    Pieces copied() {
        ByteBuffer own = ByteBuffer.allocate(bytes);
        copyTo(own);
        return new Pieces(List.of(own.flip()), bytes);
    }

    /** Puts them into {@code into}, from its position on. */
    void copyTo(ByteBuffer into) {
        all.forEach(piece -> into.put(piece.duplicate()));
    }

    /** Fills them with as many bytes of {@code from}. */
    void fill(ByteBuffer from) {
        int at = from.position();
        for (ByteBuffer piece : all) {
            piece.put(0, from, at, piece.remaining());
            at += piece.remaining();
        }
    }
}
