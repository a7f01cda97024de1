package dev.retier.agent.control;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes connections until the listener is closed or its thread interrupted. A failing {@code accept} is tried again
 * after a rest, and told once until a connection comes. Stateless.
 */
final class AcceptLoop {
    private static final Logger LOG = LoggerFactory.getLogger("dev.retier.agent");

    private AcceptLoop() {}

    /** Takes one connection and hands it on. */
    interface Listener {
        /**
         * Waits for a connection.
         *
         * @throws ClosedChannelException when there will be none any more
         * @throws IOException when the system refuses one
         */
        void accept() throws IOException;
    }

    /** Lets time pass. */
    interface Rest {
        /** Returns after {@code duration}. */
        void rest(Duration duration) throws InterruptedException;
    }

    /**
     * Runs until the listener is closed.
     *
     * @param name of the listener, for the log
     */
    static void run(String name, Listener listener, Rest rest) {
        AcceptBackoff backoff = new AcceptBackoff();
        while (!Thread.currentThread().isInterrupted()) {
            try {
                listener.accept();
                backoff.succeeded();
            } catch (ClosedChannelException e) {
                LOG.debug("{} was closed", name);
                return;
            } catch (IOException e) {
                AcceptBackoff.Failure failure = backoff.failed();
                if (failure.isFirst()) {
                    LOG.warn(
                            "{} takes no connections: {}; it tries again, ever more rarely, and says no more until it"
                                    + " succeeds",
                            name,
                            e.toString());
                }
                try {
                    rest.rest(failure.rest());
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }
}
