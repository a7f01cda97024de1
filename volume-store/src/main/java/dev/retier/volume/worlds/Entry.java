package dev.retier.volume.worlds;

import dev.retier.volume.worlds.Promises.Change;

/** A change of a part. */
final class Entry {
    private final Change change;
    /** Among all changes of the part: that of its number, but for what a rollback brings back. */
    private final long order;

    private long answeredAt = Part.NEVER;
    /** Since when its client can no longer do it: it has been done by then, or never will be. */
    private long frozenAt = Part.NEVER;

    private boolean isSeen;

    Entry(Change change, long order) {
        this.change = change;
        this.order = order;
    }

    Change change() {
        return change;
    }

    long order() {
        return order;
    }

    /** Whether who reads the part reads that number when it has this change; 0 for zeros. */
    boolean has(long number) {
        return number == 0 ? change.isZero() : change.number() == number;
    }

    /** When it was answered, if it was, and nothing has happened since that may have taken it. */
    long answeredAt() {
        return answeredAt;
    }

    void answered(long at) {
        answeredAt = at;
    }

    /** No answer counts any more. */
    void lost() {
        answeredAt = Part.NEVER;
    }

    void freeze(long at) {
        frozenAt = Math.min(frozenAt, at);
    }

    boolean wasFrozenBefore(long at) {
        return frozenAt < at;
    }

    /** Somebody has read it. */
    void seen() {
        isSeen = true;
    }

    boolean isSeen() {
        return isSeen;
    }

    @Override
    public String toString() {
        return change.number() + (change.isZero() ? " (zeros)" : "");
    }
}
