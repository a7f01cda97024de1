package dev.retier.iwarp.rdmap;

import dev.retier.iwarp.ddp.ScatterList;

/** One receive work request in the queue's ring. Reused; guarded by the stream owner's lock. */
public final class ReceiveWork {
    /** The poster's identifier. */
    public long workId;

    private final ScatterList scatter;

    ReceiveWork(int maxElements) {
        scatter = new ScatterList(maxElements);
    }

    /** The buffers. */
    public ScatterList scatter() {
        return scatter;
    }
}
