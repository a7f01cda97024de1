package dev.retier.fabric.calls;

/**
 * Lets urgent operations go before others: while there were urgent ones lately, only a few of low priority may be under
 * way at once; when there were none, as many as like to. A few always may, so that low never starves. Not thread-safe.
 */
public final class PriorityGate implements Gate {
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

    @Override
    public boolean tryBegin(Priority priority, long nowNanos) {
        return switch (priority) {
            case HIGH -> {
                urgentUnderWay++;
                seen(nowNanos);
                yield true;
            }
            case LOW -> {
                boolean may = lowUnderWay < lowWhileBusy || !isBusy(nowNanos);
                lowUnderWay += may ? 1 : 0;
                yield may;
            }
        };
    }

    @Override
    public void end(Priority priority, long nowNanos) {
        switch (priority) {
            case HIGH -> {
                urgentUnderWay--;
                seen(nowNanos);
            }
            case LOW -> lowUnderWay--;
        }
    }

    /** Whether low priority is limited now. */
    public boolean isBusy(long nowNanos) {
        return urgentUnderWay > 0 || (everUrgent && nowNanos - lastUrgentNanos < busyNanos);
    }

    private void seen(long nowNanos) {
        everUrgent = true;
        lastUrgentNanos = nowNanos;
    }
}
