package dev.retier.agent.decide;

import java.util.ArrayList;
import java.util.Collections;
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
        double sum = 0;
        for (double utilisation : utilisations) {
            sum += utilisation;
        }
        return sum / Math.max(1, utilisations.size());
    }

    /** The lower median; zero of none. */
    static double reachedByMost(List<Double> utilisations) {
        if (utilisations.isEmpty()) {
            return 0;
        }
        List<Double> ascending = new ArrayList<>(utilisations);
        Collections.sort(ascending);
        return ascending.get((ascending.size() - 1) / 2);
    }
}
