package dev.retier.bench.iwarp;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs things in turn, round after round, so that what disturbs the machine disturbs all of them alike. The first
 * round warms up and is not counted.
 *
 * @param count rounds that count
 * @param time of one sample
 */
record Rounds(int count, Duration time) {

    /**
     * What is compared: one or more operations over iWARP, each with what TCP does instead. Operations with the same
     * opening for TCP share its samples.
     */
    static final class Group {
        private final List<Comparison> comparisons = new ArrayList<>();
        private final List<Work.Opening> tcp = new ArrayList<>();
        private final List<Work.Opening> iwarp = new ArrayList<>();

        /** Adds an operation of so many bytes. */
        Group add(String operation, int bytes, Work.Opening overTcp, Work.Opening overIwarp) {
            comparisons.add(new Comparison(operation, bytes));
            tcp.add(overTcp);
            iwarp.add(overIwarp);
            return this;
        }
    }

    /** Measures the group. */
    List<Comparison> run(Group group) throws Exception {
        for (int round = -1; round < count; round++) {
            Map<Work.Opening, Sample> overTcp = new LinkedHashMap<>();
            for (int i = 0; i < group.comparisons.size(); i++) {
                Work.Opening opening = group.tcp.get(i);
                if (!overTcp.containsKey(opening)) {
                    overTcp.put(opening, Sample.of(opening, time));
                }
                Sample overIwarp = Sample.of(group.iwarp.get(i), time);
                if (round >= 0) {
                    group.comparisons.get(i).add(overTcp.get(opening), overIwarp);
                }
            }
        }
        return List.copyOf(group.comparisons);
    }
}
