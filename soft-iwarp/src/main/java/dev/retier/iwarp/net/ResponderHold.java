package dev.retier.iwarp.net;

import dev.retier.iwarp.mpa.Agreement;
import dev.retier.iwarp.rdmap.StreamEngine;
import java.net.SocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a responder has posted and may not send before the initiator's first FPDU (RFC 5044 section 7.1.2). Of an
 * initiator that promised no ready-to-receive, as Linux siw by default, none need ever come: it may wait for ours. So
 * this is told, and ends by itself: by then the initiator has long read the Reply. Guarded by the queue pair's lock,
 * but for the deadline.
 */
final class ResponderHold implements Timed {
    /** Keeps nothing back. */
    static final ResponderHold NONE = new ResponderHold(null, "");

    private static final Logger LOG = LoggerFactory.getLogger(ResponderHold.class);

    private final @Nullable SocketQueuePair pair;
    private final String initiator;
    private boolean isCounting;
    /** Written before the loop is told to watch. */
    private volatile long deadlineNanos;

    private ResponderHold(@Nullable SocketQueuePair pair, String initiator) {
        this.pair = pair;
        this.initiator = initiator;
    }

    /** Of a pair that has to wait for an initiator which may wait for it; it keeps nothing back of any other. */
    static ResponderHold of(SocketQueuePair pair, Agreement agreement, SocketAddress peer) {
        boolean isNeeded = agreement.silentAtFirst() && agreement.rtr().isEmpty();
        return isNeeded ? new ResponderHold(pair, peer.toString()) : NONE;
    }

    /** After whatever has happened: begins to count once there is something to keep back, and ends in time. */
    void look(StreamEngine engine) {
        if (pair == null) {
            return;
        }
        long nanos = pair.device().config().responderHold().toNanos();
        ProgressLoop loop = pair.device().loop();
        boolean isOver = engine.hasReceived() || engine.state().flushes();
        if (nanos == 0) {
            engine.speak();
        } else if (isOver && isCounting) {
            isCounting = false;
            loop.execute(() -> loop.unwatch(this));
        } else if (!isOver && !isCounting && engine.sends().size() > 0) {
            isCounting = true;
            deadlineNanos = System.nanoTime() + nanos;
            loop.execute(() -> loop.watch(this));
        }
    }

    @Override
    public long deadlineNanos() {
        return deadlineNanos;
    }

    @Override
    public void expired() {
        SocketQueuePair waiting = Objects.requireNonNull(pair);
        tell(waiting.device());
        try {
            waiting.post(StreamEngine::speak);
        } catch (IwarpException e) {
            throw new IllegalStateException(e); // nothing was posted that could be refused
        }
    }

    private void tell(Device device) {
        String text =
                "{} has promised no first message and sent none for {} ms, so what was posted towards it leaves now;"
                        + " where the server speaks first, as here, set -Dretier.iwarp.hold-millis=100";
        long millis = device.config().responderHold().toMillis();
        if (device.isFirstHold()) {
            LOG.warn(text, initiator, millis);
        } else {
            LOG.debug(text, initiator, millis);
        }
    }
}
