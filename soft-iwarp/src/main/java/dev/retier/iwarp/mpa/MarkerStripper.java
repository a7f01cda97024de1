package dev.retier.iwarp.mpa;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * Takes the markers out of a stream and puts each FPDU together without them (RFC 5044 sections 4.2 and 4.3).
 *
 * <p>A marker stands at stream offset 0 and then every 512 octets, itself counted; it points back to the length field
 * of the FPDU around it. Markers, and one between two FPDUs as part of the second, are covered by the CRC.
 */
final class MarkerStripper {
    /** Low bits of FPDUPTR that a receiver ignores. */
    private static final int POINTER_MASK = 0xFFFC;

    private final boolean crc;
    private final CRC32C sum = new CRC32C();
    private final ByteBuffer fpdu = ByteBuffer.allocate(Fpdu.MAX_TOTAL).order(ByteOrder.BIG_ENDIAN);
    private final ByteBuffer marker = ByteBuffer.allocate(Fpdu.MARKER_BYTES).order(ByteOrder.BIG_ENDIAN);
    /** Octets of the stream consumed. */
    private long offset;
    /** Stream offset of the length field of the FPDU under way. */
    private long lengthFieldAt;

    MarkerStripper(boolean crc) {
        this.crc = crc;
    }

    ByteBuffer assembled() {
        return fpdu;
    }

    int ulpduLength() {
        return fpdu.getShort(0) & 0xFFFF;
    }

    /** Consumes raw bytes until an FPDU is whole or they run out. */
    FpduDecoder.Status next(ByteBuffer raw) {
        if (fpdu.position() == goal() && fpdu.position() > 0) {
            fpdu.clear();
            sum.reset();
        }
        while (fpdu.position() < goal()) {
            if (!raw.hasRemaining()) {
                return FpduDecoder.Status.NEED_MORE;
            }
            if (markerDue()) {
                if (!takeMarker(raw)) {
                    return FpduDecoder.Status.MARKER_MISMATCH;
                }
            } else if (!takeData(raw)) {
                return FpduDecoder.Status.MARKER_MISMATCH;
            }
        }
        return crcMatches() ? FpduDecoder.Status.ULPDU : FpduDecoder.Status.CRC_MISMATCH;
    }

    private boolean markerDue() {
        return offset % Fpdu.MARKER_SPACING == 0 || marker.position() > 0;
    }

    private int goal() {
        return fpdu.position() < Fpdu.LENGTH_BYTES ? Fpdu.LENGTH_BYTES : Fpdu.totalLength(ulpduLength());
    }

    private boolean takeMarker(ByteBuffer raw) {
        while (marker.hasRemaining() && raw.hasRemaining()) {
            marker.put(raw.get());
            offset++;
        }
        if (marker.hasRemaining()) {
            return true;
        }
        int pointer = marker.getShort(2) & POINTER_MASK;
        long expected = fpdu.position() == 0 ? 0 : offset - Fpdu.MARKER_BYTES - lengthFieldAt;
        marker.flip();
        sum.update(marker);
        marker.clear();
        return pointer == (expected & POINTER_MASK);
    }

    private boolean takeData(ByteBuffer raw) {
        if (fpdu.position() == 0) {
            lengthFieldAt = offset;
        }
        int toMarker = Fpdu.MARKER_SPACING - (int) (offset % Fpdu.MARKER_SPACING);
        int beforeCrc = fpdu.position() < Fpdu.LENGTH_BYTES ? goal() : goal() - Fpdu.CRC_BYTES;
        int wanted = (fpdu.position() < beforeCrc ? beforeCrc : goal()) - fpdu.position();
        int count = Math.min(Math.min(toMarker, wanted), raw.remaining());
        boolean covered = fpdu.position() < beforeCrc;
        int limit = raw.limit();
        raw.limit(raw.position() + count);
        if (covered) {
            int from = raw.position();
            sum.update(raw);
            raw.position(from);
        }
        fpdu.put(raw);
        raw.limit(limit);
        offset += count;
        return fpdu.position() < Fpdu.LENGTH_BYTES || ulpduLength() <= Fpdu.MAX_ULPDU;
    }

    private boolean crcMatches() {
        int crcAt = fpdu.position() - Fpdu.CRC_BYTES;
        return !crc || Integer.reverseBytes(fpdu.getInt(crcAt)) == (int) sum.getValue();
    }
}
