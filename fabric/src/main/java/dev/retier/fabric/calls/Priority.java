package dev.retier.fabric.calls;

/** How urgent an operation is. On the wire stands its place in this list, from 0. */
public enum Priority {
    /** Goes first. */
    HIGH,
    /** Goes when it disturbs no other, and a little always. */
    LOW
}
