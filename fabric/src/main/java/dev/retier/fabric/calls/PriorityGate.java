package dev.retier.fabric.calls;

/**
 * Lets urgent operations go before others: while there were urgent ones lately, only a few of low priority may be under
 * way at once; when there were none, as many as like to. A few always may, so that low never starves. Every operation
 * that began ends once. Thread-safe.
 */
public final class PriorityGate {
    /** How long a node counts as busy: enough to bridge the gap between two operations of one busy thread. */
    public static final long BUSY_NANOS = 1_000_000;

    private final int lowWhileBusy;
    private final long busyNanos;
    private boolean everUrgent;
    private long lastUrgentNanos;
    private int urgentUnderWay;
    private int lowUnderWay;

    /**
     * Nothing is under way.
     *
     * @param lowWhileBusy operations of low priority that may be under way while urgent ones are, 1 at least
     * @param busyNanos how long after the last urgent one it still counts as busy
     */
    public PriorityGate(int lowWhileBusy, long busyNanos) {
        if (lowWhileBusy < 1 || busyNanos < 0) {
            throw new IllegalArgumentException("a gate for " + lowWhileBusy + " within " + busyNanos + " ns");
        }
        this.lowWhileBusy = lowWhileBusy;
        this.busyNanos = busyNanos;
    }

    /** Whether an operation may begin now; if so it counts as under way. One of high priority always may. */
    public synchronized boolean tryBegin(Priority priority, long nowNanos) {
        if (priority == Priority.LOW && lowUnderWay >= lowWhileBusy && isBusy(nowNanos)) {
            return false;
        }
        count(priority, 1, nowNanos);
        return true;
    }

    /** An operation has ended. */
    public synchronized void end(Priority priority, long nowNanos) {
        count(priority, -1, nowNanos);
    }

    private void count(Priority priority, int change, long nowNanos) {
        if (priority == Priority.LOW) {
            lowUnderWay += change;
        } else {
            urgentUnderWay += change;
            everUrgent = true;
            lastUrgentNanos = nowNanos;
        }
    }

    private boolean isBusy(long nowNanos) {
        return urgentUnderWay > 0 || (everUrgent && nowNanos - lastUrgentNanos < busyNanos);
    }
}
