package dev.retier.load.drive;

/** The time in which one client waits although there may be work, as connections fail. On its event loop. */
final class RestTime {
    private final LoopDriver driver;
    private boolean isRunning;
    private long sinceNanos;

    RestTime(LoopDriver driver) {
        this.driver = driver;
    }

    boolean isRunning() {
        return isRunning;
    }

    /** Begins, unless it has, or the run ends. */
    void begin(long nowNanos) {
        if (!isRunning && !driver.isEnding()) {
            isRunning = true;
            sinceNanos = nowNanos;
            driver.account().rests(nowNanos);
            driver.work().rests(nowNanos);
        }
    }

    /** Ends, if it has begun. */
    void end(long nowNanos) {
        if (isRunning) {
            isRunning = false;
            driver.account().hasRested(nowNanos - sinceNanos, nowNanos);
            driver.work().hasRested(nowNanos);
        }
    }
}
