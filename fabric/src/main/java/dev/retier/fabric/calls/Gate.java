package dev.retier.fabric.calls;

/** Decides whether an operation may begin now. Every one that began ends once. */
public interface Gate {
    /** Whether an operation may begin; if so it counts as under way. One of high priority always may. */
    boolean tryBegin(Priority priority, long nowNanos);

    /** An operation has ended. */
    void end(Priority priority, long nowNanos);
}
