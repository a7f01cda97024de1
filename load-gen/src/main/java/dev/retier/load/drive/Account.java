package dev.retier.load.drive;

import dev.retier.load.measure.Outcome;
import dev.retier.load.measure.RunMeter;
import dev.retier.load.measure.Work;
import dev.retier.load.record.RequestFile;
import dev.retier.load.schedule.Pacing;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of the requests of one event loop: counted, and written down where the run has a file for it. On that
 * loop.
 */
final class Account {
    private final RunMeter meter;
    private final RequestFile.@Nullable Part lines;

    Account(LoadPlan plan, @Nullable RequestFile file) {
        this.meter = new RunMeter(
                plan.interval().toNanos(), plan.answerWithin().toNanos(), plan.pacing() instanceof Pacing.OpenLoop);
        this.lines = file == null ? null : file.newPart(plan.site());
    }

    /** Any thread may read it. */
    RunMeter meter() {
        return meter;
    }

    void sent(Work work, long nowNanos) {
        meter.sent(work.event(), work.dueNanos(), nowNanos);
    }

    void over(Outcome outcome) {
        meter.over(outcome);
        if (lines != null) {
            lines.add(outcome);
        }
    }

    void rests(long nowNanos) {
        meter.rests(nowNanos);
    }

    void hasRested(long forNanos, long nowNanos) {
        meter.hasRested(forNanos, nowNanos);
    }

    void retried() {
        meter.retried();
    }

    /** Hands over the lines so far: nobody has to wait long for them. */
    void flush() {
        if (lines != null) {
            lines.flush();
        }
    }
}
