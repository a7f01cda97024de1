package dev.retier.link;

import com.ibm.disni.verbs.IbvQP;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A connection in use. */
final class Use implements Connection {
    final LinkHost.Ready ready;
    /** What the peer has announced. */
    final List<String> heard = new ArrayList<>();
    /** Why it is over. */
    String reason = "";
    /** Thrown when it is told that it is over. */
    @Nullable
    RuntimeException fault;

    /** Thrown when it is asked for its oldest operation. */
    @Nullable
    RuntimeException asked;

    /** Done when it is told that nothing can touch its memory any more. */
    Runnable whenFreed = () -> {};

    boolean over;
    boolean freed;
    long oldestNanos = Long.MAX_VALUE;

    Use(LinkHost.Ready ready) {
        this.ready = ready;
    }

    IbvQP pair() {
        return ready.pair().pair();
    }

    @Override
    public long oldestNanos(long now) {
        RuntimeException failure = asked;
        asked = null;
        if (failure != null) {
            throw failure;
        }
        return Math.min(oldestNanos, now);
    }

    @Override
    public void immediate(int value) {
        heard.add("rung " + value);
    }

    @Override
    public void nudged() {
        heard.add("nudged");
    }

    @Override
    public void abort(String reason) {
        over = true;
        this.reason = reason;
        if (fault != null) {
            throw fault;
        }
    }

    @Override
    public void freed() {
        freed = true;
        whenFreed.run();
    }
}
