package dev.retier.bench.scale;

import dev.retier.sim.cluster.Traffic;
import dev.retier.state.slot.SlotLayout;

/**
 * Bytes on an Ethernet wire, by the formats: an FPDU has 2 bytes of length and 4 of CRC (RFC 5044), a tagged segment 14
 * bytes of header and an untagged one 18 (RFC 5041), a read request 28 more (RFC 5040), an atomic request 52 and its
 * response 12 (RFC 7306); no markers. Each message goes in a TCP segment of its own, and each answer is acknowledged by
 * one without data. Stateless.
 */
final class Wire {
    /** Ethernet 14, IPv4 20, TCP 20 and 12 of time stamps. */
    private static final int SEGMENT = 66;

    private static final int FPDU = 6;
    private static final int TAGGED = 14;
    private static final int UNTAGGED = 18;
    private static final int WORD = 8;

    /** One slot, read from another node. */
    static final long SLOT_READ =
            (FPDU + UNTAGGED + 28) + (FPDU + TAGGED + SlotLayout.LENGTH_BYTES) + 3 * (long) SEGMENT;

    /** One word, read or swapped. */
    static final long WORD_OPERATION = (FPDU + UNTAGGED + 52) + (FPDU + UNTAGGED + 12) + 3 * (long) SEGMENT;

    /** One node told. */
    static final long ANNOUNCEMENT = (FPDU + TAGGED + WORD) + 2 * (long) SEGMENT;

    private Wire() {}

    static long bytes(Traffic traffic) {
        return (traffic.slotReads() + traffic.glances()) * SLOT_READ
                + traffic.wordOperations() * WORD_OPERATION
                + traffic.announcements() * ANNOUNCEMENT;
    }
}
