package dev.retier.link;

import com.ibm.disni.verbs.IbvQP;

/** A connection in use. */
final class Use implements Connection {
    final LinkHost.Ready ready;
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
        return Math.min(oldestNanos, now);
    }

    @Override
    public void immediate(int value) {
        throw new AssertionError("nobody rings");
    }

    @Override
    public void abort(String reason) {
        over = true;
    }

    @Override
    public void freed() {
        freed = true;
    }
}
