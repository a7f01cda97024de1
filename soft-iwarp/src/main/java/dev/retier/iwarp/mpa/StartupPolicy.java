package dev.retier.iwarp.mpa;

import java.util.Set;

/**
 * What one side asks for and can do when a stream starts.
 *
 * @param revision 1 (RFC 5044) or 2 (RFC 6581); a responder answers revision 1 with revision 1 whatever this says
 * @param crc whether we ask for CRCs; they are used if either side asks
 * @param markers whether we want markers in what we receive
 * @param peerToPeer whether an initiator offers to say ready-to-receive, so that the responder may speak first
 * @param rtr the ways to say ready-to-receive that we can send or understand; not empty
 * @param ird inbound reads and atomics that we can hold, 0 to 16382
 * @param ord outbound reads and atomics that we want, 0 to 16382
 * @param largeFpdus whether to agree with our own kind on FPDUs longer than a segment of TCP, by an offer at the end of
 *     the private data of revision 2
 */
public record StartupPolicy(
        int revision,
        boolean crc,
        boolean markers,
        boolean peerToPeer,
        Set<RtrKind> rtr,
        int ird,
        int ord,
        boolean largeFpdus) {
    /** Checks the ranges. */
    public StartupPolicy {
        rtr = Set.copyOf(rtr);
        if (revision != 1 && revision != 2) {
            throw new IllegalArgumentException("MPA revision " + revision + "; use 1 or 2");
        }
        if (rtr.isEmpty()) {
            throw new IllegalArgumentException("at least one way to say ready-to-receive is needed");
        }
        int limit = EnhancedBlock.NOT_NEGOTIATED;
        if (ird < 0 || ird >= limit || ord < 0 || ord >= limit) {
            throw new IllegalArgumentException("IRD " + ird + " and ORD " + ord + " must be within 0 to 16382");
        }
    }

    /** The same wishes as revision 1 can express them: no word of reads under way, and the initiator speaks first. */
    public StartupPolicy unenhanced() {
        return new StartupPolicy(1, crc, markers, false, rtr, ird, ord, false);
    }

    /** This, with or without the offer of large FPDUs. */
    public StartupPolicy withLargeFpdus(boolean offered) {
        return new StartupPolicy(revision, crc, markers, peerToPeer, rtr, ird, ord, offered);
    }

    /** Revision 2, CRC on, no markers, peer-to-peer with every kind of RTR, the given depths, large FPDUs. */
    public static StartupPolicy standard(int ird, int ord) {
        return new StartupPolicy(2, true, false, true, Set.of(RtrKind.values()), ird, ord, true);
    }
}
