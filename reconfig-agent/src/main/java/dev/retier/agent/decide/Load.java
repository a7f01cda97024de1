package dev.retier.agent.decide;

import dev.retier.state.Tier;

/**
 * What one kind of load asks of a site, learnt while it lasted. A value of a few numbers.
 *
 * @param proxyUnits of proxy capacity that a request takes
 * @param appUnits of app capacity that a request takes
 * @param asked requests per second that clients want
 * @param isAnswered whether any request of it was answered so far
 */
record Load(RecentMedian proxyUnits, RecentMedian appUnits, RecentMedian asked, boolean isAnswered) {
    /** What a request takes is a matter of the mix: what comes by chance in some seconds says little about it. */
    private static final int UNITS_SAMPLES = 50;
    /** What is asked for changes from one moment to the next. */
    private static final int ASKED_SAMPLES = 5;
    /** Most of what waits is unseen where next to nothing is idle, and hardly any of it before. */
    private static final int STEEPNESS = 6;

    private static final Load NONE = new Load(RecentMedian.none(), RecentMedian.none(), RecentMedian.none(), false);
    /** A tier that is all used may be asked for any number of times what it answers. */
    private static final double MOST_UNSEEN = 64;

    static Load none() {
        return NONE;
    }

    /**
     * One look at it.
     *
     * @param answered requests per second
     * @param proxyUnits of capacity that are used per second
     * @param appUnits the same of apps
     * @param pressure of the tier that is pressed most, on the way from the threshold, 0, to all used, 1
     */
    record Look(double answered, double proxyUnits, double appUnits, double pressure) {
        /**
         * A tier shows no more use than it has, so what waits is unseen: nothing at the threshold, any number of times
         * what is answered where all is used.
         */
        private double asked() {
            double most = 1 - Math.pow(pressure, STEEPNESS);
            return answered / Math.max(1 / MOST_UNSEEN, most);
        }
    }

    /**
     * After a look. While nothing is answered, what a request takes is unknown, and so is what is asked for if a tier
     * is pressed: what was learnt of it before stays, and until something was, one request a second stands for what
     * presses.
     */
    Load with(Look look) {
        if (look.answered > 0) {
            return (isAnswered ? this : NONE).learnt(look, true);
        }
        if (look.pressure <= 0) {
            return new Load(proxyUnits, appUnits, asked.with(0, ASKED_SAMPLES), isAnswered);
        }
        return isAnswered ? this : learnt(new Look(1, look.proxyUnits, look.appUnits, look.pressure), false);
    }

    private Load learnt(Look look, boolean isTrue) {
        return new Load(
                proxyUnits.with(look.proxyUnits / look.answered, UNITS_SAMPLES),
                appUnits.with(look.appUnits / look.answered, UNITS_SAMPLES),
                asked.with(look.asked(), ASKED_SAMPLES),
                isTrue);
    }

    boolean isKnown() {
        return !asked.samples().isEmpty();
    }

    /**
     * Requests per second that tiers of these capacities answer when each is used up to {@code threshold} of itself,
     * at most what is asked for.
     */
    double answered(Capacity capacity, double threshold) {
        return Math.min(
                asked.value(),
                threshold * Math.min(carried(Tier.PROXY, capacity.proxy()), carried(Tier.APP, capacity.app())));
    }

    /** Requests per second that a tier of that capacity answers when it is all used; infinite where they need none. */
    double carried(Tier tier, double capacity) {
        double units = (tier == Tier.PROXY ? proxyUnits : appUnits).value();
        return units <= 0 ? Double.POSITIVE_INFINITY : capacity / units;
    }
}
