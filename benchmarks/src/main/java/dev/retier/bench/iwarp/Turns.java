package dev.retier.bench.iwarp;

import dev.retier.bench.QuietRounds;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Runs things in turn, so that what disturbs the machine disturbs all of them alike: in each block new connections,
 * over which all take turns many times, for a moment each and every other time in the opposite order. The first block
 * warms up and is not counted.
 *
 * @param rounds which of the blocks count
 * @param blocks that count
 * @param turns in each block
 * @param time of one sample
 */
record Turns(QuietRounds rounds, int blocks, int turns, Duration time) {

    /**
     * What is compared: one or more operations over iWARP, each with what TCP does instead. Operations with the same
     * opening for TCP share its samples.
     */
    static final class Group {
        private final List<Each> all = new ArrayList<>();

        private record Each(String operation, int bytes, Work.Opening tcp, Work.Opening iwarp) {}

        /** Adds an operation of so many bytes. */
        Group add(String operation, int bytes, Work.Opening overTcp, Work.Opening overIwarp) {
            all.add(new Each(operation, bytes, overTcp, overIwarp));
            return this;
        }

        /** Whether nothing has been added. */
        boolean isEmpty() {
            return all.isEmpty();
        }
    }

    /** Two samples of one turn. */
    record Both(Sample tcp, Sample iwarp) {}

    /** Measures the group: one comparison for each of it. */
    List<Comparison> run(Group group) throws Exception {
        if (group.isEmpty()) {
            return List.of();
        }
        QuietRounds.Kept<List<List<Both>>> kept = rounds.run(1, blocks, _ -> block(group));
        List<Comparison> comparisons = new ArrayList<>();
        for (int i = 0; i < group.all.size(); i++) {
            int index = i;
            Group.Each each = group.all.get(i);
            comparisons.add(new Comparison(
                    each.operation,
                    each.bytes,
                    new QuietRounds.Kept<>(
                            kept.all().stream().map(block -> block.get(index)).toList(), kept.othersShare())));
        }
        return comparisons;
    }

    /** For each of the group, its turns. */
    private List<List<Both>> block(Group group) throws Exception {
        List<List<Both>> found = new ArrayList<>();
        group.all.forEach(_ -> found.add(new ArrayList<>()));
        try (Opened opened = new Opened()) {
            for (Group.Each each : group.all) {
                opened.add(each.tcp, time);
                opened.add(each.iwarp, time);
            }
            for (int turn = 0; turn < turns; turn++) {
                Map<Work.Opening, Sample> samples = opened.measure(turn % 2 == 1);
                for (int i = 0; i < group.all.size(); i++) {
                    Group.Each each = group.all.get(i);
                    found.get(i).add(new Both(sample(samples, each.tcp), sample(samples, each.iwarp)));
                }
            }
        }
        return found;
    }

    private static Sample sample(Map<Work.Opening, Sample> samples, Work.Opening of) {
        return Objects.requireNonNull(samples.get(of), "each has been measured");
    }

    private record Counted(Work work, int count) {}

    /** The connections of a block. */
    private static final class Opened implements AutoCloseable {
        private final Map<Work.Opening, Counted> all = new LinkedHashMap<>();

        void add(Work.Opening opening, Duration time) throws Exception {
            if (all.containsKey(opening)) {
                return;
            }
            Work work = opening.open();
            all.put(opening, new Counted(work, 1));
            all.put(opening, new Counted(work, Sample.fitting(work, time)));
        }

        Map<Work.Opening, Sample> measure(boolean isReversed) throws Exception {
            List<Work.Opening> order = new ArrayList<>(all.keySet());
            if (isReversed) {
                Collections.reverse(order);
            }
            Map<Work.Opening, Sample> samples = new HashMap<>();
            for (Work.Opening opening : order) {
                Counted each = Objects.requireNonNull(all.get(opening), "opened");
                samples.put(opening, Sample.timed(each.work, each.count));
            }
            return samples;
        }

        @Override
        public void close() throws IOException {
            for (Counted each : all.values()) {
                each.work.close();
            }
        }
    }
}
