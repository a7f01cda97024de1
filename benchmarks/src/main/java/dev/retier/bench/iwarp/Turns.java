package dev.retier.bench.iwarp;

import dev.retier.bench.QuietRounds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs things in turn, round after round, so that what disturbs the machine disturbs all of them alike. The first
 * round warms up and is not counted.
 *
 * @param rounds which of them count
 * @param count rounds that count
 * @param time of one sample
 */
record Turns(QuietRounds rounds, int count, Duration time) {

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
    }

    /** Two samples of one round. */
    record Both(Sample tcp, Sample iwarp) {}

    /** Measures the group: one comparison for each of it. */
    List<Comparison> run(Group group) throws Exception {
        QuietRounds.Kept<List<Both>> kept = rounds.run(1, count, _ -> round(group));
        List<Comparison> comparisons = new ArrayList<>();
        for (int i = 0; i < group.all.size(); i++) {
            int index = i;
            Group.Each each = group.all.get(i);
            comparisons.add(new Comparison(
                    each.operation,
                    each.bytes,
                    new QuietRounds.Kept<>(
                            kept.all().stream().map(round -> round.get(index)).toList(), kept.othersShare())));
        }
        return comparisons;
    }

    private List<Both> round(Group group) throws Exception {
        Map<Work.Opening, Sample> overTcp = new LinkedHashMap<>();
        List<Both> samples = new ArrayList<>();
        for (Group.Each each : group.all) {
            Sample tcp = overTcp.get(each.tcp);
            if (tcp == null) {
                tcp = Sample.of(each.tcp, time);
                overTcp.put(each.tcp, tcp);
            }
            samples.add(new Both(tcp, Sample.of(each.iwarp, time)));
        }
        return samples;
    }
}
