package dev.retier.link;

/** A figure that a node counts since it was opened: an enum constant of the module that counts it. */
public interface Metric {
    /** How a figure changes. */
    enum Kind {
        /** Only grows. */
        COUNTER,
        /** Goes up and down. */
        GAUGE
    }

    /** Its dotted name. */
    String id();

    /** How it changes. */
    Kind kind();

    /** What it tells, for people. */
    String sentence();
}
