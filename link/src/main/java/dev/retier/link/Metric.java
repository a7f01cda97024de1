package dev.retier.link;

/** A figure that a node keeps since it was opened: an enum constant of the module that keeps it. */
public interface Metric {
    /** How a figure changes. */
    enum Kind {
        /** Only grows. */
        COUNTER,
        /** Goes up and down. */
        GAUGE,
        /** How long each of something takes, told to a listener as it ends. */
        TIMER
    }

    /**
     * What is said of a figure; a constant of each enum holds one.
     *
     * @param id its dotted name
     * @param kind how it changes
     * @param sentence what it tells, for people
     */
    record Form(String id, Kind kind, String sentence) {}

    /** What is said of it. */
    Form form();

    /** Its dotted name. */
    default String id() {
        return form().id();
    }

    /** How it changes. */
    default Kind kind() {
        return form().kind();
    }

    /** What it tells, for people. */
    default String sentence() {
        return form().sentence();
    }
}
