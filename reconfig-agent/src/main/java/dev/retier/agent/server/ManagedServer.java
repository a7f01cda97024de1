package dev.retier.agent.server;

import dev.retier.agent.render.Rendering;
import dev.retier.agent.status.Observation;
import java.io.IOException;
import java.time.Duration;

/** The server beside an agent. {@link #observe} is called by one thread, the others by another. */
public interface ManagedServer extends AutoCloseable {
    /** Begins whatever runs by itself. */
    default void start() {}

    /** How closely it may be asked without that being a load of its own. */
    long closestIntervalNanos();

    /** Whether whoever opened it hears when an installation has ended, see {@link InstallerEvents}. */
    boolean tellsOfFiles();

    /**
     * One look at the server. In its status, role, stamp and refusal speak of the files that were installed.
     *
     * @param timeout for the whole look
     */
    Observation observe(Duration timeout);

    /**
     * Makes the server take a file, at once or soon; {@link #observe} shows when it has, or why not. Of several that
     * wait only the newest is installed.
     *
     * @throws IOException when it cannot be handed over; the file is as it was
     */
    void install(Rendering rendering) throws IOException;

    /** Stamp of the newest file on disk, 0 for none: an older one is never installed. */
    long installedStamp();

    /** Stops what runs by itself; the server and its file stay as they are. */
    @Override
    void close();
}
