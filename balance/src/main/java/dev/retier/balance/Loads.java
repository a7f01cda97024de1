package dev.retier.balance;

import java.util.List;

/**
 * What one look at the shared state told of the apps.
 *
 * @param number another one with each look
 * @param periodNanos time between two looks, above 0
 * @param stalenessNanos without another number for so long these figures are worth nothing, above 0
 * @param apps those of which something is known, at most {@link #MAX_APPS}; names are distinct
 */
public record Loads(long number, long periodNanos, long stalenessNanos, List<AppLoad> apps) {
    /** As many nodes as a cell has. */
    public static final int MAX_APPS = 256;

    /**
     * Keeps its own copy of the list.
     *
     * @throws IllegalArgumentException when a range is violated
     */
    public Loads {
        apps = List.copyOf(apps);
        if (periodNanos < 1 || stalenessNanos < 1 || apps.size() > MAX_APPS) {
            throw new IllegalArgumentException("period " + periodNanos + ", staleness " + stalenessNanos + " or "
                    + apps.size() + " apps out of range");
        }
    }
}
