package dev.retier.state.region;

/** What is counted about regions, in number of events since the start. */
public enum RegionCounter {
    /** Messages that did not parse: a bad name, a length out of range, an unknown kind. Each was refused. */
    MALFORMED("retier_region_malformed_total"),
    /** Requests that the region's grants did not allow. Each was refused. */
    FORBIDDEN("retier_region_forbidden_total"),
    /** Handles whose holders did not let go in time, so that their registrations were taken away from under them. */
    FORCED("retier_region_forced_total"),
    /** Regions of one name that were found twice; the later one is kept by its holders, but has no name. */
    ORPHANS("retier_region_orphans_total"),
    /** Reads and writes that were sent again after a connection had broken. */
    RETRIED("retier_region_retried_total"),
    /** Atomic operations whose outcome was reported as unknown. */
    UNKNOWN("retier_region_unknown_total");

    private final String label;

    RegionCounter(String label) {
        this.label = label;
    }

    /** Its name among metrics. */
    public String label() {
        return label;
    }
}
