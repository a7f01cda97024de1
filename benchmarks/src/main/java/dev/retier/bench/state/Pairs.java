package dev.retier.bench.state;

import java.util.ArrayList;
import java.util.List;

/**
 * Two things measured in pairs, each pair under the same conditions: how many times the one the other is, pair by pair,
 * and how sure that is. Not thread-safe.
 */
final class Pairs {
    /** So many standard deviations to each side of the middle hold 95 % of a normal distribution. */
    private static final double NORMAL_95 = 1.96;

    private static final double HALF = 0.5;

    private final List<Double> bases = new ArrayList<>();
    private final List<Double> others = new ArrayList<>();
    private final List<Double> quotients = new ArrayList<>();

    /** One more pair. */
    void add(double base, double other) {
        bases.add(base);
        others.add(other);
        quotients.add(other / base);
    }

    /** The median of what is compared with. */
    double base() {
        return at(bases, HALF * last());
    }

    /** The median of what is compared. */
    double other() {
        return at(others, HALF * last());
    }

    /** The median of the quotients. */
    double quotient() {
        return quantile(HALF);
    }

    /** So large a share of the pairs has a lower quotient. */
    double quantile(double share) {
        return at(quotients, share * last());
    }

    /** Above this the true median of the quotients lies, with 97.5 % certainty, whatever their distribution is. */
    double surelyAbove() {
        return at(quotients, Math.floor(HALF * last() - reach()));
    }

    /** Below this the true median of the quotients lies, with 97.5 % certainty, whatever their distribution is. */
    double surelyBelow() {
        return at(quotients, Math.ceil(HALF * last() + reach()));
    }

    /** How far the rank of the true median may be from the middle: it is binomially distributed. */
    private double reach() {
        return NORMAL_95 * Math.sqrt(quotients.size()) / 2;
    }

    private int last() {
        return quotients.size() - 1;
    }

    private double at(List<Double> values, double rank) {
        List<Double> sorted = values.stream().sorted().toList();
        return sorted.get(Math.clamp(Math.round(rank), 0, last()));
    }
}
