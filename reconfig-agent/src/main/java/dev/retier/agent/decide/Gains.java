package dev.retier.agent.decide;

import java.util.Collections;
import java.util.List;

/**
 * What a change is worth, over the time for which it is looked at, in order of weight: members that tiers lack;
 * promised requests of each site, in order of priority; requests of sites without a promise; requests of all sites, as
 * shares of those of the site that takes. The first part that is not about zero decides, whatever the others are. A
 * value.
 *
 * @param parts in that order
 */
record Gains(List<Double> parts) {
    /** Of a promise; and between two changes that are both worth making. */
    private static final double ABOUT_ZERO = 0.01;

    /** Keeps its own copy. */
    Gains {
        parts = List.copyOf(parts);
    }

    /** Nothing changes. */
    static Gains none(int sites) {
        return new Gains(Collections.nCopies(sites + 3, 0.0));
    }

    /** Whether it is worth making: of requests alone only what is more than {@code tolerance}. */
    boolean isWorthIt(double tolerance) {
        for (int part = 0; part < parts.size(); part++) {
            double zero = part < parts.size() - 2 ? ABOUT_ZERO : tolerance;
            if (Math.abs(parts.get(part)) > zero) {
                return parts.get(part) > 0;
            }
        }
        return false;
    }

    /** Whether it is worth more than {@code other}. */
    boolean isAbove(Gains other) {
        for (int part = 0; part < parts.size(); part++) {
            double difference = parts.get(part) - other.parts.get(part);
            if (Math.abs(difference) > ABOUT_ZERO) {
                return difference > 0;
            }
        }
        return false;
    }
}
