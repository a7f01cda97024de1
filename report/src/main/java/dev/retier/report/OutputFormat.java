package dev.retier.report;

/** The forms in which a command prints its result ({@code -o}). */
public enum OutputFormat {
    /** Aligned columns for people. */
    TABLE,
    /** One JSON document; figures carry their unit in the key. */
    JSON,
    /** A header line and one line per row. */
    CSV
}
