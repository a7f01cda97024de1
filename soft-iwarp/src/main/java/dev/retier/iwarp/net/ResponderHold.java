package dev.retier.iwarp.net;

import dev.retier.iwarp.mpa.Agreement;
import dev.retier.iwarp.rdmap.StreamEngine;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
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
    private static final Logger LOG = LoggerFactory.getLogger(ResponderHold.class);

    private final SocketQueuePair pair;
    private final SocketAddress initiator;
    private boolean isCounting;
    /** Written before the loop is told to watch. */
    private volatile long deadlineNanos;

    private ResponderHold(SocketQueuePair pair, SocketAddress initiator) {
        this.pair = pair;
        this.initiator = initiator;
    }

    /** Of a pair that has to wait for an initiator which may wait for it; null for any other. */
    static @Nullable ResponderHold of(SocketQueuePair pair, Agreement agreement, SocketAddress peer) {
        return agreement.silentAtFirst() && agreement.rtr().isEmpty() ? new ResponderHold(pair, peer) : null;
    }

    /** Whether it keeps nothing back any more; it begins to count once there is something. */
    boolean isOver(StreamEngine engine) {
        long nanos = pair.device().config().responderHold().toNanos();
        if (nanos == 0) {
            engine.speak();
            return true;
        }
        ProgressLoop loop = pair.device().loop();
        boolean isOver = engine.hasReceived() || engine.state().flushes();
        if (isOver && isCounting) {
            loop.execute(() -> loop.unwatch(this));
        } else if (!isOver && !isCounting && engine.sends().size() > 0) {
            isCounting = true;
            deadlineNanos = System.nanoTime() + nanos;
            tell(TimeUnit.NANOSECONDS.toMillis(nanos));
            loop.execute(() -> loop.watch(this));
        }
        return isOver;
    }

    private void tell(long millis) {
        String text = "{} has promised no ready-to-receive, so what was posted towards it is kept back until its first"
                + " message, and at most {} ms; where the server speaks first, -Dretier.iwarp.hold-millis=0 sends at"
                + " once";
        if (pair.device().isFirstHold()) {
            LOG.warn(text, initiator, millis);
        } else {
            LOG.debug(text, initiator, millis);
        }
    }

    @Override
    public long deadlineNanos() {
        return deadlineNanos;
    }

    @Override
    public void expired() {
        try {
            pair.post(StreamEngine::speak);
        } catch (IwarpException e) {
            throw new IllegalStateException(e); // nothing was posted that could be refused
        }
    }
}
