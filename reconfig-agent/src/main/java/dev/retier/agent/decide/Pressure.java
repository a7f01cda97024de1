package dev.retier.agent.decide;

import java.util.List;

/** How pressed some members of a tier are together. Stateless. */
public final class Pressure {
    private Pressure() {}

    /** The mean of {@code utilisations}; zero of none. */
    public static double of(List<Double> utilisations) {
        double sum = 0;
        for (double utilisation : utilisations) {
            sum += utilisation;
        }
        return sum / Math.max(1, utilisations.size());
    }
}
