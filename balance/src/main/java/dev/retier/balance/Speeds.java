package dev.retier.balance;

import org.jspecify.annotations.Nullable;

/**
 * How much an app does against what its capacity says: 1 is as told. Nodes of two kinds tell capacities of two kinds,
 * and a machine may be held up by its neighbours. What is measured is the requests that it gets per time that it works,
 * against the same of all apps together, a twentieth of it with each look; and it counts only once it is further from
 * what was told than chance brings it. Not thread-safe.
 */
final class Speeds {
    /** Against the chance of which request comes when: some twenty requests are in one figure. */
    private static final double WEIGHT = 0.05;

    /** Below, too few requests are in a figure. */
    private static final double LEAST_UTILISATION = 0.3;

    /** Chance alone leaves some 4 % after {@link #WEIGHT}; at 1/8 it still cost a twentieth of the mean wait. */
    private static final double CHANCE = Math.log(1.25);

    private static final double MOST = Math.log(4);

    private final double[] logs;

    Speeds(int apps) {
        this.logs = new double[apps];
    }

    /** Goes on with what was learnt of an app under another index. */
    void inherit(int index, Speeds before, int indexBefore) {
        logs[index] = before.logs[indexBefore];
    }

    /** Learns from a look; what is not known is null, of the others the capacity is above 0. */
    void learn(@Nullable AppLoad[] apps) {
        double requests = 0;
        double worked = 0;
        for (int index = 0; index < apps.length; index++) {
            AppLoad app = apps[index];
            if (app != null) {
                requests += app.requestsPerSecond();
                worked += app.utilisation() * app.capacity() * Math.exp(logs[index]);
            }
        }
        for (int index = 0; index < apps.length && worked > 0; index++) {
            AppLoad app = apps[index];
            if (app != null && app.utilisation() >= LEAST_UTILISATION && app.requestsPerSecond() > 0) {
                double done = app.requestsPerSecond() / app.utilisation() / app.capacity();
                double log = Math.clamp(Math.log(done * worked / requests), -MOST, MOST);
                logs[index] += WEIGHT * (log - logs[index]);
            }
        }
    }

    /** Of one app. */
    double of(int index) {
        return Math.abs(logs[index]) > CHANCE ? Math.exp(logs[index]) : 1;
    }
}
