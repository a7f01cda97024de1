package dev.retier.cli;

/** How log lines are written. */
public enum LogFormat {
    /** For people. */
    TEXT,
    /** One object a line, for programs. */
    JSON
}
