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
 * @param isLikeUs whether the peer understands every way to say ready-to-receive, as this stack does and Linux siw, to
 *     whose ways some care is owed, does not
 */
public record Agreement(
        boolean initiator,
        boolean crc,
        boolean markersToSend,
        boolean markersToReceive,
        Set<RtrKind> rtr,
        int ird,
        int ord,
        int peerUlpdu,
        boolean isLikeUs) {
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

    /** Whether nothing tells that the peer is of our kind. */
    public boolean isWithStranger() {
        return peerUlpdu == 0 && !isLikeUs;
    }

    /**
     * Whether each of our FPDUs is to lie within one segment of TCP (RFC 5044 section 5.1). Who is like us does not
     * mind where they lie; without CRCs nobody has been seen to, and markers are there for who does.
     */
    public boolean keepsToSegments() {
        return isWithStranger() && crc && !markersToSend;
    }

    /**
     * Whether to keep silent until the first FPDU has proved valid: a responder has to (RFC 5044 section 7.1.2).
     */
    public boolean silentAtFirst() {
        return !initiator;
    }
}
