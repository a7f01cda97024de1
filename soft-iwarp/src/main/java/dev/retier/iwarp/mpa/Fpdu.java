package dev.retier.iwarp.mpa;

/**
 * Sizes of an FPDU (RFC 5044 sections 4.1 and 4.5).
 *
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +-------------------------------+-------------------------------+
 * |         ULPDU_Length          |           ULPDU ...           |
 * +-------------------------------+               +---------------+
 * |                                               |  PAD (0..3)   |
 * +-----------------------------------------------+---------------+
 * |           CRC32c, least significant byte first                |
 * +---------------------------------------------------------------+
 * </pre>
 */
public final class Fpdu {
    /** Bytes of the length field. */
    public static final int LENGTH_BYTES = 2;
    /** Bytes of the CRC field, which is there even when CRCs are off. */
    public static final int CRC_BYTES = 4;
    /** The longest ULPDU that a sender may use (RFC 5044 section 4.1). */
    public static final int MAX_ULPDU = 64768;
    /** The least MULPDU that may be advertised to DDP. */
    public static final int MIN_MULPDU = 128;
    /** Bytes of the longest FPDU, without markers. */
    public static final int MAX_TOTAL = LENGTH_BYTES + MAX_ULPDU + 3 + CRC_BYTES;
    /** Distance from marker to marker in the TCP stream, markers included. */
    public static final int MARKER_SPACING = 512;
    /** Bytes of a marker. */
    public static final int MARKER_BYTES = 4;

    private Fpdu() {}

    /** PAD bytes behind a ULPDU of this length: length, ULPDU and PAD together are a multiple of 4. */
    public static int padLength(int ulpduLength) {
        return -(LENGTH_BYTES + ulpduLength) & 3;
    }

    /** Bytes of the whole FPDU without markers. */
    public static int totalLength(int ulpduLength) {
        return LENGTH_BYTES + ulpduLength + padLength(ulpduLength) + CRC_BYTES;
    }

    /**
     * The longest ULPDU whose FPDU fits one TCP segment.
     *
     * @param emss effective maximum segment size in bytes, above 128
     * @param markers whether we insert markers
     * @return within 128 to 64768
     */
    public static int mulpdu(int emss, boolean markers) {
        int markerBytes = markers ? MARKER_BYTES * ((emss + MARKER_SPACING - 1) / MARKER_SPACING) : 0;
        int limit = emss - (LENGTH_BYTES + CRC_BYTES + markerBytes + emss % 4);
        return Math.clamp(limit, MIN_MULPDU, MAX_ULPDU);
    }
}
