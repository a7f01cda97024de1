package dev.retier.state.slot;

import dev.retier.state.LoadRecord.Health;
import java.util.List;

/** The numbers of {@link Health} in a slot; the order of the enum may change, these may not. Stateless. */
final class HealthCode {
    /** The first is 1. */
    private static final List<Health> NUMBERED =
            List.of(Health.UP, Health.DOWN, Health.LEAVING, Health.MUTE, Health.UNMOVABLE);

    private HealthCode() {}

    static int of(Health health) {
        return NUMBERED.indexOf(health) + 1;
    }

    static Health decode(int code) {
        if (code < 1 || code > NUMBERED.size()) {
            throw new IllegalArgumentException("server health " + code + " is not known");
        }
        return NUMBERED.get(code - 1);
    }
}
