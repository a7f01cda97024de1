package dev.retier.iwarp.mpa;

import dev.retier.iwarp.wire.RtrKind;
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
 */
public record Agreement(
        boolean initiator,
        boolean crc,
        boolean markersToSend,
        boolean markersToReceive,
        Set<RtrKind> rtr,
        int ird,
        int ord) {
    /** Copies the set. */
    public Agreement {
        rtr = Set.copyOf(rtr);
    }

    /**
     * Whether to keep silent until the first FPDU has proved valid: a responder has to (RFC 5044 section 7.1.2).
     */
    public boolean silentAtFirst() {
        return !initiator;
    }
}
