package dev.retier.webnode.core;

import java.util.List;

/** Chooses the app node for a request: the one with the fewest requests in flight for its weight. Stateless. */
public final class Balancer {
    private Balancer() {}

    /**
     * An app node as the choice sees it.
     *
     * @param inFlight requests that this proxy has there now, 0 or more
     * @param weight its share, at least 1
     * @param benched it failed a moment ago: only chosen when no other is left
     * @param tried this request was there already: never chosen
     */
    public record Candidate(int inFlight, int weight, boolean benched, boolean tried) {}

    /**
     * The index of the best candidate, or -1 when all were tried. The lowest {@code (inFlight + 1) / weight} wins;
     * benched candidates come last, because a suspicion is better than a sure failure.
     *
     * @param turn any number that changes from call to call: spreads equal candidates
     */
    public static int pick(List<Candidate> candidates, int turn) {
        int best = -1;
        int count = candidates.size();
        for (int step = 0; step < count; step++) {
            int index = Math.floorMod(turn + step, count);
            if (!candidates.get(index).tried() && (best < 0 || isBetter(candidates.get(index), candidates.get(best)))) {
                best = index;
            }
        }
        return best;
    }

    private static boolean isBetter(Candidate left, Candidate right) {
        if (left.benched() != right.benched()) {
            return right.benched();
        }
        return (left.inFlight() + 1L) * right.weight() < (right.inFlight() + 1L) * left.weight();
    }
}
