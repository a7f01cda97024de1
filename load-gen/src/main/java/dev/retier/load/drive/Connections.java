package dev.retier.load.drive;

/** What becomes of the clients' connections as requests follow each other and the list of targets changes. */
public enum Connections {
    /** Kept alive; when targets come or go, as few clients move as keep the targets' shares even. */
    SPREAD,
    /**
     * Kept alive, where they are: only the clients of targets that are gone move, and those whose server ends the
     * connection, to the other targets in turn.
     */
    STAY,
    /** A connection for each request. */
    NEW
}
