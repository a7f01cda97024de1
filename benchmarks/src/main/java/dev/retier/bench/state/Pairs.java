package dev.retier.bench.state;

import dev.retier.bench.Stats;

/**
 * Two things measured in pairs, each pair under the same conditions: how many times the one the other is, pair by pair,
 * and how sure that is. Not thread-safe.
 */
final class Pairs {
    /** So many standard deviations to each side of the middle hold 95 % of a normal distribution. */
    private static final double NORMAL_95 = 1.96;

    private static final double HALF = 0.5;

    private final Stats bases = new Stats();
    private final Stats others = new Stats();
    private final Stats quotients = new Stats();

    /** One more pair. */
    void add(double base, double other) {
        bases.add(base);
        others.add(other);
        quotients.add(other / base);
    }

    /** The median of what is compared with. */
    double base() {
        return bases.median();
    }

    /** The median of what is compared. */
    double other() {
        return others.median();
    }

    /** The median of the quotients. */
    double quotient() {
        return quotients.median();
    }

    /** So large a share of the pairs has no greater quotient. */
    double quantile(double share) {
        return quotients.quantile(share);
    }

    /** Above this the true median of the quotients lies, with 97.5 % certainty, whatever their distribution is. */
    double surelyAbove() {
        return quotients.ranked((int) Math.floor(HALF * last() - reach()));
    }

    /** Below this the true median of the quotients lies, with 97.5 % certainty, whatever their distribution is. */
    double surelyBelow() {
        return quotients.ranked((int) Math.ceil(HALF * last() + reach()));
    }

    /** How far the rank of the true median may be from the middle: it is binomially distributed. */
    private double reach() {
        return NORMAL_95 * Math.sqrt(quotients.count()) / 2;
    }

    private int last() {
        return quotients.count() - 1;
    }
}
