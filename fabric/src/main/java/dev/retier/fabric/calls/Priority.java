package dev.retier.fabric.calls;

/** How urgent an operation is. */
public enum Priority {
    /** Goes first. */
    HIGH,
    /** Goes when it disturbs no other, and a little always. */
    LOW
}
