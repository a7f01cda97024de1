package dev.retier.iwarp.wire;

/**
 * The DDP control byte (RFC 5041 section 4.1).
 *
 * <pre>
 *  0 1 2 3 4 5 6 7
 * +-+-+-------+---+
 * |T|L| Rsvd  |DV |
 * +-+-+-------+---+
 * </pre>
 */
public final class DdpControl {
    /** Set for the tagged model. */
    public static final int TAGGED = 0x80;
    /** Set on the last segment of a message. */
    public static final int LAST = 0x40;
    /** Bits of the version. */
    public static final int VERSION_MASK = 0x03;
    /** The only version: 1. */
    public static final int VERSION = 0x01;

    private DdpControl() {}

    /** The control byte of a segment. Reserved bits are zero. */
    public static byte of(boolean tagged, boolean last) {
        return (byte) ((tagged ? TAGGED : 0) | (last ? LAST : 0) | VERSION);
    }

    /** Whether the segment uses the tagged model. */
    public static boolean tagged(int control) {
        return (control & TAGGED) != 0;
    }

    /** Whether the segment ends its message. */
    public static boolean last(int control) {
        return (control & LAST) != 0;
    }

    /** Whether the byte names version 1. Reserved bits are not looked at. */
    public static boolean versionKnown(int control) {
        return (control & VERSION_MASK) == VERSION;
    }
}
