package dev.retier.undertow.status;

import java.util.Arrays;

/** Counts events over the last second, in steps of a tenth. Guarded by the caller's lock. */
public final class RateWindow {
    private static final long STEP_NANOS = 100_000_000;
    private static final int STEPS = 10;

    /** One more slot than the window has steps: the step that is still filling is not part of the answer. */
    private final long[] counts = new long[STEPS + 1];

    private final long startNanos;
    private long currentStep;

    /** An empty window that starts at {@code nowNanos}. */
    public RateWindow(long nowNanos) {
        this.startNanos = nowNanos;
    }

    /** Counts one event. */
    public void record(long nowNanos) {
        advance(nowNanos);
        counts[slot(currentStep)]++;
    }

    /** Events per second over the last ten full steps. */
    public double perSecond(long nowNanos) {
        advance(nowNanos);
        return Arrays.stream(counts).sum() - counts[slot(currentStep)];
    }

    private void advance(long nowNanos) {
        long step = (nowNanos - startNanos) / STEP_NANOS;
        if (step - currentStep > STEPS) {
            Arrays.fill(counts, 0);
            currentStep = step;
        }
        while (currentStep < step) {
            currentStep++;
            counts[slot(currentStep)] = 0;
        }
    }

    private int slot(long step) {
        return (int) (step % counts.length);
    }
}
