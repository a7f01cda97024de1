package dev.retier.sim.run;

import dev.retier.agent.config.SiteConfig;
import dev.retier.sim.service.Ledger;
import dev.retier.traces.play.Promise;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What became of one site.
 *
 * @param site its name
 * @param guaranteePerSecond what it was promised; null: nothing
 * @param ledger its requests over time
 * @param intervals whole intervals until its last request ended
 * @param kept those in which the promise was kept
 */
public record SiteOutcome(String site, @Nullable Double guaranteePerSecond, Ledger ledger, int intervals, int kept) {
    /** Judges by {@link Promise}; clients of a closed loop here do not think. */
    static SiteOutcome of(SiteConfig site, Ledger ledger, boolean isOpen, Duration interval) {
        Double guarantee = site.guaranteeRequestsPerSecond();
        int buckets = (int) (interval.toNanos() / Ledger.BUCKET_NANOS);
        int intervals = (int) (ledger.seconds() * 1e9 / Ledger.BUCKET_NANOS) / buckets;
        if (guarantee == null) {
            return new SiteOutcome(site.name(), null, ledger, intervals, intervals);
        }
        Promise promise = new Promise(guarantee, interval, Promise.SECOND);
        int kept = 0;
        for (int index = 0; index < intervals; index++) {
            int first = index * buckets;
            boolean isKept = isOpen
                    ? promise.isKept(ledger.sent(first, buckets), ledger.well(first, buckets))
                    : promise.isKeptByClients(ledger.done(first, buckets), true);
            kept += isKept ? 1 : 0;
        }
        return new SiteOutcome(site.name(), guarantee, ledger, intervals, kept);
    }

    /** Share of the intervals in which the promise was kept; 1 without a promise or an interval. */
    public double keptShare() {
        return intervals == 0 ? 1 : (double) kept / intervals;
    }
}
