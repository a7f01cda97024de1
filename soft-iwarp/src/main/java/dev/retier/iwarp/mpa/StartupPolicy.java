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
 * @param largeFpdus with whom to agree on FPDUs longer than a segment of TCP, by an offer at the end of the private
 *     data of revision 2; a responder takes the offer unless this is {@link LargeFpdus#NEVER}
 */
public record StartupPolicy(
        int revision,
        boolean crc,
        boolean markers,
        boolean peerToPeer,
        Set<RtrKind> rtr,
        int ird,
        int ord,
        LargeFpdus largeFpdus) {
    /** Of who has not said how many it holds: what every peer can be expected to hold. */
    private static final int UNTOLD_READS = 1;

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
        return new StartupPolicy(1, crc, markers, false, rtr, ird, ord, LargeFpdus.NEVER);
    }

    /** This, as it is towards a peer that the program knows to be of our kind, or does not. */
    public StartupPolicy towards(boolean isKnown) {
        return largeFpdus == LargeFpdus.TO_KNOWN
                ? withLargeFpdus(isKnown ? LargeFpdus.ALWAYS : LargeFpdus.NEVER)
                : this;
    }

    /** Reads and atomics under way towards a peer that cannot tell how many it holds, as in revision 1. */
    public int untoldOrd() {
        return Math.min(ord, UNTOLD_READS);
    }

    /** This, with the offer of large FPDUs to others. */
    public StartupPolicy withLargeFpdus(LargeFpdus offered) {
        return new StartupPolicy(revision, crc, markers, peerToPeer, rtr, ird, ord, offered);
    }

    /** Revision 2, CRC on, no markers, peer-to-peer with every RTR, the given depths, large FPDUs to known peers. */
    public static StartupPolicy standard(int ird, int ord) {
        return new StartupPolicy(2, true, false, true, Set.of(RtrKind.values()), ird, ord, LargeFpdus.TO_KNOWN);
    }
}
