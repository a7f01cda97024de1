package dev.retier.iwarp.mpa;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/** Takes the bytes out of a batch, as a socket would. */
public final class Pipe {
    private Pipe() {}

    /** All bytes of the batch, which is empty afterwards. */
    public static byte[] drain(TransmitBatch batch) {
        return take(batch, Integer.MAX_VALUE);
    }

    /** The first bytes of the batch, {@code most} at most, as if TCP took no more. */
    public static byte[] take(TransmitBatch batch, int most) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ByteBuffer[] pieces = batch.pieces();
        int end = batch.firstPiece() + batch.pieceCount();
        for (int i = batch.firstPiece(); i < end; i++) {
            byte[] piece = new byte[Math.min(pieces[i].remaining(), most - bytes.size())];
            pieces[i].get(piece);
            bytes.writeBytes(piece);
        }
        batch.written();
        return bytes.toByteArray();
    }
}
