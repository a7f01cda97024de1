package dev.retier.iwarp.wire;

/**
 * The RDMAP control byte (RFC 5040 section 4.1).
 *
 * <pre>
 *  0 1 2 3 4 5 6 7
 * +---+---+-------+
 * |RV |Rsv|Opcode |
 * +---+---+-------+
 * </pre>
 */
public final class RdmapControl {
    /** Bits of the opcode. */
    public static final int OPCODE_MASK = 0x0F;
    /** Bits of the version. */
    public static final int VERSION_MASK = 0xC0;
    /** The only version: 1. */
    public static final int VERSION = 0x40;

    private RdmapControl() {}

    /** The control byte of a message of this opcode. */
    public static byte of(RdmapOpcode opcode) {
        return (byte) (VERSION | opcode.code());
    }

    /** Whether the byte names version 1. */
    public static boolean versionKnown(int control) {
        return (control & VERSION_MASK) == VERSION;
    }
}
