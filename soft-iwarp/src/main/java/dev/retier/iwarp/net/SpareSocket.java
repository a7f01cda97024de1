package dev.retier.iwarp.net;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * A socket kept for when the process has no descriptor left: strangers who take all of them must not keep this node
 * from connecting to others. Owned by the loop's thread, which also accepts: what becomes free is kept here first.
 */
final class SpareSocket {
    private final Opener opener;
    private @Nullable SocketChannel spare;

    /** Asks the system for a socket. */
    @FunctionalInterface
    interface Opener {
        SocketChannel open() throws IOException;
    }

    /** None is kept yet. */
    SpareSocket(Opener opener) {
        this.opener = opener;
    }

    /**
     * A socket that is not connected: a new one, or the spare one if the system gives none.
     *
     * @throws IOException if there is no spare one either
     */
    SocketChannel open() throws IOException {
        try {
            return opener.open();
        } catch (IOException none) {
            SocketChannel kept = spare;
            if (kept == null) {
                throw none;
            }
            spare = null;
            return kept;
        }
    }

    /** Keeps one, if none is kept and the system gives one. Call it before sockets are taken for others. */
    void keepOne() {
        if (spare == null) {
            try {
                spare = opener.open();
            } catch (IOException _) {
                spare = null; // perhaps the next time
            }
        }
    }

    /** Gives it back. */
    void close() {
        if (spare != null) {
            StreamSocket.closeQuietly(spare);
        }
    }
}
