package dev.retier.undertow.upstream;

import dev.retier.undertow.status.Tally;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;
import org.xnio.XnioIoThread;

/**
 * One request's way through as many apps as it takes and the limits allow. An old connection that breaks is replaced
 * by a new one to the same app; an app that breaks a new one is benched and another is tried. Lives on one I/O thread.
 */
public final class Route {
    private final UpstreamPool apps;
    private final XnioIoThread thread;
    private final BitSet tried = new BitSet();
    private boolean freshOnly;

    /** The way of a request that {@code thread} serves. */
    public Route(UpstreamPool apps, XnioIoThread thread) {
        this.apps = apps;
        this.thread = thread;
    }

    /** The next app, or null when all have been tried, or as many as may be. */
    public @Nullable Upstream next() {
        int index = tried.cardinality() < apps.limits().tries() ? apps.pick(tried) : -1;
        if (index < 0) {
            return null;
        }
        if (!tried.isEmpty()) {
            apps.counters().add(Tally.RETRIES);
        }
        tried.set(index);
        freshOnly = false;
        return apps.upstream(index);
    }

    /**
     * Where to go after {@code broken} has not answered, or null when there is nowhere.
     *
     * @param reused whether the connection was an old one, so that the app itself may be well
     */
    public @Nullable Upstream after(Upstream broken, boolean reused) {
        broken.countFailure();
        broken.dropIdle(thread);
        if (reused) {
            apps.counters().add(Tally.RETRIES);
            freshOnly = true;
            return broken;
        }
        broken.bench(System.nanoTime());
        return next();
    }

    /** Whether a new connection is needed, because an old one has just broken. */
    public boolean freshOnly() {
        return freshOnly;
    }

    /** How many apps were tried. */
    public int tried() {
        return tried.cardinality();
    }
}
