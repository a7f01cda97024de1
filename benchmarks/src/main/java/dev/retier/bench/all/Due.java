package dev.retier.bench.all;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A record and what is to be done about it.
 *
 * @param stale why it is stale; null if it is fresh
 * @param missing what this machine lacks to make it
 */
record Due(KnownRecord record, @Nullable String stale, List<String> missing) {
    /** Keeps its own copy. */
    Due {
        missing = List.copyOf(missing);
    }

    String state() {
        return stale == null ? "fresh" : "stale: " + stale;
    }
}
