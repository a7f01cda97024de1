package dev.retier.iwarp.net;

import dev.retier.iwarp.rdmap.StreamEngine;
import dev.retier.iwarp.wire.ReceivedTerminate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the listener of a queue pair is told, each at most once: that the stream is established, and why it ended.
 * Guarded by the queue pair's lock.
 */
final class PairEvents {
    private static final Logger LOG = LoggerFactory.getLogger(PairEvents.class);

    private final int pairNumber;
    private final QueuePairListener listener;
    private boolean established;
    private boolean ended;

    PairEvents(int pairNumber, QueuePairListener listener) {
        this.pairNumber = pairNumber;
        this.listener = listener;
    }

    boolean isEstablished() {
        return established;
    }

    void established() {
        established = true;
        listener.established();
    }

    void ended(String why) {
        if (!ended) {
            ended = true;
            LOG.debug("queue pair {}: {}", pairNumber, why);
            listener.disconnected(why);
        }
    }

    /** Why a stream ended that still has its TCP connection. */
    static String reason(StreamEngine engine, @Nullable String memoryRefusal) {
        if (memoryRefusal != null) {
            return memoryRefusal;
        }
        ReceivedTerminate told = engine.remoteTerminate();
        if (told != null) {
            return "the peer ended it: " + told;
        }
        return engine.failure() == null ? "disconnected" : "the stream failed: " + engine.failure();
    }
}
