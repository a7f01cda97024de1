package dev.retier.state;

/** What a node's shared state counts since it was opened. The agent shows all of them among its metrics. */
public enum StateMetric {
    /** See {@link #sentence()}. */
    CONNECTIONS("state.connections", Kind.GAUGE, "Nodes whose slot can be read now, this one included."),
    /** See {@link #sentence()}. */
    CONNECTIONS_LOST("state.connections.lost", Kind.COUNTER, "Connections to slots that broke without a goodbye."),
    /** See {@link #sentence()}. */
    CONNECTIONS_LEFT("state.connections.left", Kind.COUNTER, "Connections to slots whose node said goodbye."),
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
    ANNOUNCEMENTS_HEARD("state.announcements.heard", Kind.COUNTER, "Announcements that this node has heard.");

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
