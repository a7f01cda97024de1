package dev.retier.volume.connect;

/** How a thread that waits for a volume learns that what it waits for has ended. */
public enum CompletionMode {
    /** It takes answers itself until its own is there, and never sleeps: the shortest way, and a processor's work. */
    POLL,
    /** It sleeps at once, and is woken. */
    WAIT,
    /** It takes answers itself for as long as {@link Completion#pollFor}, where that was of use lately, then sleeps. */
    ADAPTIVE
}
