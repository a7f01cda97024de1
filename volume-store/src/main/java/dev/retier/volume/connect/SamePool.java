package dev.retier.volume.connect;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a server has the pool that it had when its client connected first. In another one, as of a disk that is not
 * mounted, the numbers of what is attached are other volumes. Thread-safe.
 */
final class SamePool {
    private static final Logger LOG = LoggerFactory.getLogger(SamePool.class);

    /** Guarded by this, as what follows. */
    private @Nullable UUID first;

    private boolean isTold;

    /** Refuses a connection to a server with another one, as one that is not there; tells people once each time. */
    synchronized void require(InetSocketAddress server, UUID now) throws IOException {
        UUID before = first == null ? now : first;
        first = before;
        if (before.equals(now)) {
            isTold = false;
            return;
        }
        String what = "the volume server at " + server + " has another pool (" + now + ") than before (" + before + ")";
        if (!isTold) {
            LOG.warn("{}: is its disk mounted, and was it started with its file? Requests wait for that pool", what);
        }
        isTold = true;
        throw new IOException(what);
    }
}
