package dev.retier.agent.decide;

import java.util.Collections;
import java.util.List;

/**
 * What a change is worth, over the time for which it is looked at, in order of weight: members that tiers lack;
 * promised requests of each site, in order of priority; requests of all sites, as shares of those of the site that
 * takes. The first part that is not about zero decides, whatever the others are. A
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
        return new Gains(Collections.nCopies(sites + 2, 0.0));
    }

    /**
     * Whether it is worth making: of requests alone only what is more than {@code tolerance}.
     */
    boolean isWorthIt(double tolerance) {
        for (int part = 0; part < parts.size(); part++) {
            double gain = parts.get(part);
            if (gain < -ABOUT_ZERO || gain > (part < parts.size() - 1 ? ABOUT_ZERO : tolerance)) {
                return gain > 0;
            }
        }
        return false;
    }

    /** Whether it is decided by members that tiers get. */
    boolean bringsMembers() {
        return decisive() == 0 && parts.getFirst() > 0;
    }

    /** Whether it is decided by a promise that is kept better. */
    boolean keepsPromise() {
        return isOfPromise(decisive()) && parts.get(decisive()) > 0;
    }

    /** Whether it is decided by a promise that is kept worse. */
    boolean breaksPromise() {
        return isOfPromise(decisive()) && parts.get(decisive()) < 0;
    }

    private boolean isOfPromise(int part) {
        return part > 0 && part < parts.size() - 1;
    }

    /** The first part that is not about zero; the last one if there is none. */
    private int decisive() {
        int part = 0;
        while (part < parts.size() - 1 && Math.abs(parts.get(part)) <= ABOUT_ZERO) {
            part++;
        }
        return part;
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
