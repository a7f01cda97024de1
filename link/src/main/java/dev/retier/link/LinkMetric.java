package dev.retier.link;

/** What a node counts of its connections to others. */
@SuppressWarnings("ImmutableEnumChecker") // a form is a record of immutable values
public enum LinkMetric implements Metric {
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
            "state.connections.turned.away", Kind.COUNTER, "Connections turned away: too many are open.");

    private final Form form;

    LinkMetric(String id, Kind kind, String sentence) {
        this.form = new Form(id, kind, sentence);
    }

    @Override
    public Form form() {
        return form;
    }
}
