package dev.retier.state;

import java.util.EnumSet;
import java.util.Set;

/**
 * What a node counts since its slot, fabric or regions were opened. The agent shows those of its slot among its
 * metrics; a program with regions asks {@link dev.retier.state.region.Regions#metrics}.
 */
public enum StateMetric {
    /** See {@link #sentence()}. */
    CONNECTIONS("state.connections", Kind.GAUGE, "Nodes that this one is connected to now, itself included."),
    /** See {@link #sentence()}. */
    CONNECTIONS_LOST(
            "state.connections.lost", Kind.COUNTER, "Connections to other nodes that broke without a goodbye."),
    /** See {@link #sentence()}. */
    CONNECTIONS_LEFT("state.connections.left", Kind.COUNTER, "Connections to other nodes that said goodbye."),
    /** See {@link #sentence()}. */
    CONNECTIONS_STALLED(
            "state.connections.stalled", Kind.COUNTER, "Connections given up because an operation got no answer."),
    /** See {@link #sentence()}. */
    HANDSHAKES_REFUSED(
            "state.handshakes.refused", Kind.COUNTER, "Connections refused: no proof of the secret, or a bad message."),
    /** See {@link #sentence()}. */
    HANDSHAKES_UNPROVEN(
            "state.handshakes.unproven", Kind.COUNTER, "Connections that ended, or were dropped, without a proof."),
    /** See {@link #sentence()}. */
    KEYS_REFUSED(
            "state.keys.refused",
            Kind.COUNTER,
            "Connections ended because the peer used a key or an address that it may not use."),
    /** See {@link #sentence()}. */
    CONNECTIONS_TURNED_AWAY(
            "state.connections.turned.away", Kind.COUNTER, "Connections turned away: too many are open."),
    /** See {@link #sentence()}. */
    READS_TORN("state.reads.torn", Kind.COUNTER, "Slot reads that met a writer, and were tried again or given up."),
    /** See {@link #sentence()}. */
    READS_MISSED("state.reads.missed", Kind.COUNTER, "Slot reads without an answer within the read deadline."),
    /** See {@link #sentence()}. */
    SLOTS_MALFORMED("state.slots.malformed", Kind.COUNTER, "Slots read that were no slots of this layout."),
    /** See {@link #sentence()}. */
    SWAPS_UNRESOLVED("state.swaps.unresolved", Kind.COUNTER, "Role swaps that went out and got no answer."),
    /** See {@link #sentence()}. */
    LOCKS_TAKEN("state.locks.taken", Kind.COUNTER, "Move locks that this node has taken."),
    /** See {@link #sentence()}. */
    ANNOUNCEMENTS_HEARD("state.announcements.heard", Kind.COUNTER, "Announcements that this node has heard."),
    /** See {@link #sentence()}. */
    REGIONS_MALFORMED(
            "state.regions.malformed",
            Kind.COUNTER,
            "Messages about regions refused: a bad name, a length out of range, an unknown kind."),
    /** See {@link #sentence()}. */
    REGIONS_FORBIDDEN(
            "state.regions.forbidden", Kind.COUNTER, "Requests refused because a region's grants do not allow them."),
    /** See {@link #sentence()}. */
    REGIONS_FORCED(
            "state.regions.forced",
            Kind.COUNTER,
            "Handles that were not let go in time, so that their registrations were taken away from under them."),
    /** See {@link #sentence()}. */
    REGIONS_ORPHANS(
            "state.regions.orphans",
            Kind.COUNTER,
            "Regions found twice under one name; the later one is kept by its holders, but has no name."),
    /** See {@link #sentence()}. */
    REGIONS_RETRIED(
            "state.regions.retried", Kind.COUNTER, "Reads and writes sent again after a connection had broken."),
    /** See {@link #sentence()}. */
    REGIONS_UNKNOWN("state.regions.unknown", Kind.COUNTER, "Atomic operations whose outcome was reported as unknown.");

    /** How its figure changes. */
    public enum Kind {
        /** Only grows. */
        COUNTER,
        /** Goes up and down. */
        GAUGE
    }

    private final String id;
    private final Kind kind;
    private final String sentence;

    StateMetric(String id, Kind kind, String sentence) {
        this.id = id;
        this.kind = kind;
        this.sentence = sentence;
    }

    /** Those of any connections between nodes. */
    public static Set<StateMetric> ofConnections() {
        return EnumSet.range(CONNECTIONS, CONNECTIONS_TURNED_AWAY);
    }

    /** Those of slots, role words, the move lock and announcements, and of the connections for them. */
    public static Set<StateMetric> ofSlots() {
        return EnumSet.range(CONNECTIONS, ANNOUNCEMENTS_HEARD);
    }

    /** Those of named regions. */
    public static Set<StateMetric> ofRegions() {
        return EnumSet.range(REGIONS_MALFORMED, REGIONS_UNKNOWN);
    }

    /** Its dotted name. */
    public String id() {
        return id;
    }

    /** How it changes. */
    public Kind kind() {
        return kind;
    }

    /** What it tells, for people. */
    public String sentence() {
        return sentence;
    }
}
