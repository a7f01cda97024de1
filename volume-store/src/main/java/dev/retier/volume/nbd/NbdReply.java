package dev.retier.volume.nbd;

import dev.retier.volume.Volume.Extent;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Answers to requests: heads, which data may follow. Stateless. */
public final class NbdReply {
    private static final int SIMPLE_MAGIC = 0x6744_6698;
    private static final int CHUNK_MAGIC = 0x668e_33ef;
    private static final int SIMPLE_BYTES = 16;
    private static final int CHUNK_BYTES = 20;
    private static final short DONE = 1;
    private static final short NONE = 0;
    private static final short OFFSET_DATA = 1;
    private static final short STATUS = 5;
    private static final short ERROR = (short) 0x8001;

    private static final int HOLE = 1;
    private static final int ZERO = 2;

    private NbdReply() {}

    /** It was done, and there is nothing to say. */
    public static ByteBuffer done(NbdRequest request, boolean isStructured) {
        return isStructured ? chunk(request, NONE, 0, 0).flip() : simple(request, 0);
    }

    private static ByteBuffer simple(NbdRequest request, int error) {
        return ByteBuffer.allocate(SIMPLE_BYTES)
                .putInt(SIMPLE_MAGIC)
                .putInt(error)
                .putLong(request.cookie())
                .flip();
    }

    /** With room for {@code here} bytes of the {@code length} that follow. */
    private static ByteBuffer chunk(NbdRequest request, short type, int here, int length) {
        return ByteBuffer.allocate(CHUNK_BYTES + here)
                .putInt(CHUNK_MAGIC)
                .putShort(DONE)
                .putShort(type)
                .putLong(request.cookie())
                .putInt(length);
    }

    /** What lies before the data of a read, all of it in one piece. */
    public static ByteBuffer data(NbdRequest request, boolean isStructured) {
        return isStructured
                ? chunk(request, OFFSET_DATA, Long.BYTES, Long.BYTES + request.length())
                        .putLong(request.offset())
                        .flip()
                : simple(request, 0);
    }

    /** It was not done. */
    public static ByteBuffer error(NbdRequest request, NbdError error, String why, boolean isStructured) {
        if (!isStructured) {
            return simple(request, error.number());
        }
        byte[] text = why.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(text.length, 255);
        return chunk(request, ERROR, 6 + length, 6 + length)
                .putInt(error.number())
                .putShort((short) length)
                .put(text, 0, length)
                .flip();
    }

    /** Which parts hold something, from the request's offset on. */
    public static ByteBuffer extents(NbdRequest request, List<Extent> extents) {
        int bytes = Integer.BYTES + extents.size() * 2 * Integer.BYTES;
        ByteBuffer chunk = chunk(request, STATUS, bytes, bytes).putInt(Negotiation.ALLOCATION_ID);
        extents.forEach(extent -> chunk.putInt((int) extent.bytes()).putInt(extent.isHole() ? HOLE | ZERO : 0));
        return chunk.flip();
    }
}
