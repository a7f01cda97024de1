package dev.retier.state;

import dev.retier.link.Metric;

/** What a node counts of slots, role words, the move lock and announcements. */
@SuppressWarnings("ImmutableEnumChecker") // a form is a record of immutable values
public enum StateMetric implements Metric {
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
    LOCK_WORDS_REFUSED(
            "state.lock_words.refused", Kind.COUNTER, "Lock words seen that no node of the cell can have written."),
    /** See {@link #sentence()}. */
    ANNOUNCEMENTS_HEARD("state.announcements.heard", Kind.COUNTER, "Announcements that this node has heard.");

    private final Form form;

    StateMetric(String id, Kind kind, String sentence) {
        this.form = new Form(id, kind, sentence);
    }

    @Override
    public Form form() {
        return form;
    }
}
