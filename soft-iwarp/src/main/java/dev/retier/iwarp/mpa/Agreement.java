package dev.retier.iwarp.mpa;

import java.util.Set;

/**
 * What two sides settled on.
 *
 * @param initiator whether we sent the Request
 * @param crc whether CRCs are computed and checked
 * @param markersToSend whether the peer wants markers
 * @param markersToReceive whether we asked for markers
 * @param rtr initiator: the one message to send before anything else; responder: those that may come; empty if none
 * @param ird inbound reads and atomics that we must hold
 * @param ord outbound reads and atomics that we may have under way
 * @param peerUlpdu how long a ULPDU the peer takes whatever TCP's segment size, or 0 if it did not say
 */
public record Agreement(
        boolean initiator,
        boolean crc,
        boolean markersToSend,
        boolean markersToReceive,
        Set<RtrKind> rtr,
        int ird,
        int ord,
        int peerUlpdu) {
    /** Copies the set. */
    public Agreement {
        rtr = Set.copyOf(rtr);
    }

    /**
     * How long the ULPDUs that we send may be: as the peer said, or else as fits one segment of TCP
     * (RFC 5044 section 5.1).
     *
     * @param emss TCP's effective maximum segment size in bytes
     * @param most our own limit
     */
    public int mulpdu(int emss, int most) {
        return Math.min(most, peerUlpdu > 0 ? peerUlpdu : Fpdu.mulpdu(emss, markersToSend));
    }

    /**
     * Whether each of our FPDUs is to lie within one segment of TCP (RFC 5044 section 5.1): not towards a peer that
     * takes longer ones. Without CRCs nobody has been seen to mind, and markers are there for who does.
     */
    public boolean keepsToSegments() {
        return crc && !markersToSend && peerUlpdu == 0;
    }

    /**
     * Whether to keep silent until the first FPDU has proved valid: a responder has to (RFC 5044 section 7.1.2).
     */
    public boolean silentAtFirst() {
        return !initiator;
    }
}
