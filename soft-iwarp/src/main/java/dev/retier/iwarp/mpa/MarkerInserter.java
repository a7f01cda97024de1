package dev.retier.iwarp.mpa;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Puts markers into outgoing FPDUs (RFC 5044 section 4.3). One object per direction of a stream: it counts octets. */
final class MarkerInserter {
    private final CRC32C sum = new CRC32C();
    /** Octets of the stream sent, markers included. */
    private long offset;

    /** Copies an FPDU without CRC from {@code plain} into {@code batch}, with the markers due and the CRC. */
    void insert(ByteBuffer plain, TransmitBatch batch, boolean crc) {
        int markerCount = plain.remaining() / (Fpdu.MARKER_SPACING - Fpdu.MARKER_BYTES) + 2;
        ByteBuffer out = batch.room(plain.remaining() + markerCount * Fpdu.MARKER_BYTES + Fpdu.CRC_BYTES);
        int from = out.position();
        if (offset % Fpdu.MARKER_SPACING == 0) {
            putMarker(out, 0);
        }
        long lengthFieldAt = offset;
        while (plain.hasRemaining()) {
            int toMarker = Fpdu.MARKER_SPACING - (int) (offset % Fpdu.MARKER_SPACING);
            int count = Math.min(toMarker, plain.remaining());
            int limit = plain.limit();
            out.put(plain.limit(plain.position() + count));
            plain.limit(limit);
            offset += count;
            if (offset % Fpdu.MARKER_SPACING == 0) {
                putMarker(out, offset - lengthFieldAt);
            }
        }
        sum.reset();
        sum.update(batch.range(from, out.position()));
        out.putInt(crc ? Integer.reverseBytes((int) sum.getValue()) : 0);
        offset += Fpdu.CRC_BYTES;
    }

    private void putMarker(ByteBuffer out, long pointer) {
        out.putInt((int) pointer & 0xFFFF);
        offset += Fpdu.MARKER_BYTES;
    }
}
