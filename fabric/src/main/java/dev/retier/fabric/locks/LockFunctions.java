package dev.retier.fabric.locks;

/** The function numbers that locks and barriers take on every node. */
final class LockFunctions {
    static final int LOCK_WORDS = 0xFE00;
    static final int SHARED_LOCK = 0xFE01;
    static final int BARRIER = 0xFE02;
    /** A note to who waits: ask again now. */
    static final int NUDGE = 0xFE03;

    private LockFunctions() {}
}
