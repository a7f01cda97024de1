package dev.retier.iwarp.mpa;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/** Takes the bytes out of a batch, as a socket would. */
public final class Pipe {
    private Pipe() {}

    /** All bytes of the batch, which is empty afterwards. */
    public static byte[] drain(TransmitBatch batch) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ByteBuffer[] pieces = batch.pieces();
        for (int i = 0; i < batch.pieceCount(); i++) {
            byte[] piece = new byte[pieces[i].remaining()];
            pieces[i].get(piece);
            bytes.writeBytes(piece);
        }
        batch.written();
        return bytes.toByteArray();
    }
}
