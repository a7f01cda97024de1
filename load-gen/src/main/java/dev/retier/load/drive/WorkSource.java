package dev.retier.load.drive;

import org.jspecify.annotations.Nullable;

/** Where the clients of one event loop get their requests. On that loop. */
interface WorkSource {
    /** Gets going, once the clients exist. */
    void start();

    /** The next request for {@code client}; null when there is none now, in which case the client parks. */
    @Nullable
    Work take(Client client, long nowNanos);

    /** Whether a parked client has nothing more to wait for. */
    boolean isOver();

    /** The run ends: what waits is given up. */
    void end(long nowNanos);
}
