package dev.retier.sim.faults;

import java.util.Optional;

/** The first thing in a world that must never be and was. Not thread-safe. */
final class Verdict {
    private final Timeline timeline;
    private Optional<String> violation = Optional.empty();

    Verdict(Timeline timeline) {
        this.timeline = timeline;
    }

    void violated(String what) {
        if (violation.isEmpty()) {
            violation = Optional.of(what);
            timeline.note("BROKEN", () -> what);
        }
    }

    Optional<String> violation() {
        return violation;
    }
}
