package dev.retier.load.target;

/**
 * How the target list went during a run.
 *
 * @param lastEpoch epoch of the current list, 0 before the first
 * @param changes lists taken that differed from the one before, the first included
 * @param ignoredOlder lists ignored for their lower epoch
 * @param ignoredEmpty lists ignored because they named no target
 * @param ignoredOtherSite lists ignored because they named another site
 */
public record FollowReport(long lastEpoch, long changes, long ignoredOlder, long ignoredEmpty, long ignoredOtherSite) {
    /** What several generators met that followed the same site. */
    public FollowReport plus(FollowReport other) {
        return new FollowReport(
                Math.max(lastEpoch, other.lastEpoch),
                Math.max(changes, other.changes),
                ignoredOlder + other.ignoredOlder,
                ignoredEmpty + other.ignoredEmpty,
                ignoredOtherSite + other.ignoredOtherSite);
    }
}
