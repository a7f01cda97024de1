package dev.retier.fabric.regions;

import dev.retier.link.Metric;

/** What a node counts of its named regions. */
@SuppressWarnings("ImmutableEnumChecker") // a form is a record of immutable values
public enum RegionMetric implements Metric {
    /** See {@link #sentence()}. */
    REGIONS_MALFORMED(
            "state.regions.malformed",
            "Messages about regions refused: a bad name, a length out of range, an unknown kind."),
    /** See {@link #sentence()}. */
    REGIONS_FORBIDDEN("state.regions.forbidden", "Requests refused because a region's grants do not allow them."),
    /** See {@link #sentence()}. */
    REGIONS_FORCED(
            "state.regions.forced",
            "Handles that were not let go in time, so that their registrations were taken away from under them."),
    /** See {@link #sentence()}. */
    REGIONS_ORPHANS(
            "state.regions.orphans",
            "Regions found twice under one name; the later one is kept by its holders, but has no name."),
    /** See {@link #sentence()}. */
    REGIONS_RETRIED("state.regions.retried", "Reads and writes sent again after a connection had broken."),
    /** See {@link #sentence()}. */
    REGIONS_UNKNOWN("state.regions.unknown", "Atomic operations whose outcome was reported as unknown.");

    private final Form form;

    RegionMetric(String id, String sentence) {
        this.form = new Form(id, Kind.COUNTER, sentence);
    }

    @Override
    public Form form() {
        return form;
    }
}
