package dev.retier.state.verbs.region;

import dev.retier.state.region.RegionCounter;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What is counted on this node. Thread-safe. */
final class Counters {
    private final Map<RegionCounter, LongAdder> counts = new EnumMap<>(RegionCounter.class);

    Counters() {
        for (RegionCounter counter : RegionCounter.values()) {
            counts.put(counter, new LongAdder());
        }
    }

    void add(RegionCounter counter) {
        counterOf(counter).increment();
    }

    long count(RegionCounter counter) {
        return counterOf(counter).sum();
    }

    private LongAdder counterOf(RegionCounter counter) {
        LongAdder count = counts.get(counter);
        if (count == null) {
            throw new IllegalStateException(counter + " is not counted");
        }
        return count;
    }
}
