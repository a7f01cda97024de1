package dev.retier.iwarp.mpa;

import java.util.Set;

/**
 * The four bytes at the start of revision 2's private data (RFC 6581 section 6).
 *
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +-+-+---------------------------+-+-+---------------------------+
 * |A|B|        IRD (14)           |C|D|        ORD (14)           |
 * +-+-+---------------------------+-+-+---------------------------+
 * </pre>
 *
 * @param peerToPeer A: the initiator will say ready-to-receive, so that the responder may speak first
 * @param rtr B, C, D: the ways to say so
 * @param ird inbound reads that the sender of this frame can hold, 0 to 0x3FFF
 * @param ord outbound reads that it wants to have under way, 0 to 0x3FFF
 */
public record EnhancedBlock(boolean peerToPeer, Set<RtrKind> rtr, int ird, int ord) {
    /** Bytes of the block. */
    public static final int LENGTH = 4;
    /** An IRD or ORD that is not to be negotiated. */
    public static final int NOT_NEGOTIATED = 0x3FFF;

    private static final int HIGH = 0x8000;
    private static final int SECOND = 0x4000;
    private static final int DEPTH_MASK = 0x3FFF;

    /** Copies the set; a block that is not peer-to-peer has none. */
    public EnhancedBlock {
        rtr = peerToPeer ? Set.copyOf(rtr) : Set.of();
        if (ird < 0 || ird > DEPTH_MASK || ord < 0 || ord > DEPTH_MASK) {
            throw new IllegalArgumentException("IRD " + ird + " and ORD " + ord + " must be within 0 to 16383");
        }
    }

    /** Reads the block from the first 4 bytes of {@code word}. B, C and D are ignored without A. */
    public static EnhancedBlock parse(int word) {
        int inbound = word >>> 16;
        int outbound = word & 0xFFFF;
        var kinds = java.util.EnumSet.noneOf(RtrKind.class);
        if ((inbound & SECOND) != 0) {
            kinds.add(RtrKind.SEND);
        }
        if ((outbound & HIGH) != 0) {
            kinds.add(RtrKind.WRITE);
        }
        if ((outbound & SECOND) != 0) {
            kinds.add(RtrKind.READ);
        }
        return new EnhancedBlock((inbound & HIGH) != 0, kinds, inbound & DEPTH_MASK, outbound & DEPTH_MASK);
    }

    /** Whether its sender understands every way to say ready-to-receive: Linux siw answers with the one it chooses. */
    public boolean hasEveryRtr() {
        return rtr.size() == RtrKind.values().length;
    }

    /** The block as a big-endian word. */
    public int word() {
        int inbound = ird | (peerToPeer ? HIGH : 0) | (rtr.contains(RtrKind.SEND) ? SECOND : 0);
        int outbound = ord | (rtr.contains(RtrKind.WRITE) ? HIGH : 0) | (rtr.contains(RtrKind.READ) ? SECOND : 0);
        return inbound << 16 | outbound;
    }
}
