package dev.retier.sim.run;

import dev.retier.agent.config.SiteConfig;
import dev.retier.sim.service.Ledger;
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
    /**
     * Judges as the load generator does: an interval is kept when the site answered what it was promised; or, in an
     * open loop, when less than that was asked for and nothing failed.
     */
    static SiteOutcome of(SiteConfig site, Ledger ledger, boolean isOpen, Duration interval) {
        Double guarantee = site.guaranteeRequestsPerSecond();
        int buckets = (int) (interval.toNanos() / Ledger.BUCKET_NANOS);
        int intervals = (int) (ledger.seconds() * 1e9 / Ledger.BUCKET_NANOS) / buckets;
        int kept = 0;
        double wanted = guarantee == null ? 0 : guarantee * buckets * Ledger.BUCKET_NANOS / 1e9;
        for (int index = 0; index < intervals; index++) {
            int first = index * buckets;
            boolean isLittleAsked =
                    isOpen && ledger.sent(first, buckets) < wanted && ledger.failed(first, buckets) == 0;
            kept += ledger.done(first, buckets) >= wanted || isLittleAsked ? 1 : 0;
        }
        return new SiteOutcome(site.name(), guarantee, ledger, intervals, kept);
    }

    /** Share of the intervals in which the promise was kept; 1 without a promise or an interval. */
    public double keptShare() {
        return intervals == 0 ? 1 : (double) kept / intervals;
    }
}
