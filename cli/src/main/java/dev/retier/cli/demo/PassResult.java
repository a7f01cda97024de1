package dev.retier.cli.demo;

import dev.retier.load.measure.Burst;
import dev.retier.load.report.LoadResult;
import dev.retier.sim.model.Split;
import java.util.List;
import java.util.function.Predicate;

/**
 * What one pass over the trace gave.
 *
 * @param name {@code rigid} or {@code reconfigured}
 * @param start the split at its beginning
 * @param load what the load generator measured
 * @param sizes tier sizes over time, the first at 0 s
 * @param moves the moves that ended, in order
 * @param incidents servers and agents that went or came back, one line each
 */
public record PassResult(
        String name,
        Split start,
        LoadResult load,
        List<TierSizes> sizes,
        List<EndedMove> moves,
        List<String> incidents) {
    /** Copies the lists. */
    public PassResult {
        sizes = List.copyOf(sizes);
        moves = List.copyOf(moves);
        incidents = List.copyOf(incidents);
    }

    /** How many nodes serve in each tier from {@code seconds} on. */
    public record TierSizes(double seconds, int proxies, int apps) {}

    /**
     * One move.
     *
     * @param seconds when it was ordered, since the start of the pass
     * @param node which node
     * @param from what it left
     * @param to what it was ordered to
     * @param outcome {@code active} or {@code rolled back}
     * @param millis from the order to the outcome
     */
    public record EndedMove(double seconds, String node, String from, String to, String outcome, double millis) {}

    /** From the first send to the last completion. */
    public double elapsedSeconds() {
        return load.elapsedMillis() / 1000;
    }

    /** Good answers per second over all bursts. */
    public double perSecond() {
        return load.answeredPerSecond();
    }

    /** Good answers per second in the bursts of {@code kind}; 0 if there are none. */
    public double perSecond(Burst.Kind kind) {
        List<Burst> bursts = load.bursts();
        double millis = 0;
        long answered = 0;
        for (int index = 0; index < bursts.size(); index++) {
            if (bursts.get(index).kind() == kind) {
                millis += endMillis(index) - bursts.get(index).firstSentMillis();
                answered += bursts.get(index).answered();
            }
        }
        return millis > 0 ? answered * 1000 / millis : 0;
    }

    /** Whether the trace had bursts of {@code kind}. */
    public boolean has(Burst.Kind kind) {
        Predicate<Burst> ofKind = burst -> burst.kind() == kind;
        return load.bursts().stream().anyMatch(ofKind);
    }

    /** A burst ends where the next one begins, so that the bursts add up to the pass. */
    double endMillis(int burst) {
        List<Burst> bursts = load.bursts();
        return burst + 1 < bursts.size()
                ? bursts.get(burst + 1).firstSentMillis()
                : bursts.get(burst).lastDoneMillis();
    }
}
