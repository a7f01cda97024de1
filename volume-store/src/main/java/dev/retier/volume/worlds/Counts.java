package dev.retier.volume.worlds;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** How often what has happened. */
final class Counts {
    private final Map<Counted, Long> counts = new EnumMap<>(Counted.class);

    void count(Counted what) {
        add(what, 1);
    }

    void add(Counted what, long times) {
        counts.merge(what, times, Long::sum);
    }

    /** All, in one order, by their words. */
    Map<String, Long> byWord() {
        Map<String, Long> all = new LinkedHashMap<>();
        for (Counted each : Counted.values()) {
            all.put(each.word(), counts.getOrDefault(each, 0L));
        }
        return all;
    }
}
