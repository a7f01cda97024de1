package dev.retier.fabric;

import dev.retier.fabric.calls.Message;

/** Where messages to a node go: offered one by one, in their order, and sent together. Thread-safe. */
@FunctionalInterface
interface Outlet {
    /** Takes {@code message}, which leaves by the next {@link #flush} at the latest. Does not block. */
    void offer(Message message);

    /** Sends what was offered, by whomever, as soon as there is room. Called with no lock held. */
    default void flush() {}
}
