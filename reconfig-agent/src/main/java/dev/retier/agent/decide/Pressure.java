package dev.retier.agent.decide;

import java.util.List;

/** How pressed some members of a tier are together. Stateless. */
public final class Pressure {
    private Pressure() {}

    /**
     * The mean of {@code utilisations}, or the one that more than half of them reach, if that is more: clients that
     * stay with the members that they have leave others idle, which help nobody. Zero of none.
     */
    public static double of(List<Double> utilisations) {
        return Math.max(mean(utilisations), reachedByMost(utilisations));
    }

    static double mean(List<Double> utilisations) {
        return utilisations.stream().mapToDouble(Double::doubleValue).sum() / Math.max(1, utilisations.size());
    }

    private static double reachedByMost(List<Double> utilisations) {
        List<Double> ascending = utilisations.stream().sorted().toList();
        return ascending.isEmpty() ? 0 : ascending.get((ascending.size() - 1) / 2);
    }
}
