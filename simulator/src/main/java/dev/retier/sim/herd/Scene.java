package dev.retier.sim.herd;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Proxies, apps and what is asked of them.
 *
 * @param proxies how many, at least 1
 * @param apps what each does and says that it does
 * @param load requests asked for as a share of what all apps can do, above 0; of no account when there are clients
 * @param clients in a closed loop, each with one request at a time; 0: requests come by chance
 */
public record Scene(int proxies, List<App> apps, double load, int clients) {
    /** What a request takes on average: half of them 4 less, half 4 more. */
    static final double UNITS = 10;

    static final double SPREAD_UNITS = 4;

    /**
     * An app.
     *
     * @param toldCapacity units per second that its status tells
     * @param capacity units per second that it does
     */
    public record App(double toldCapacity, double capacity) {}

    /** Keeps its own copy of the list. */
    public Scene {
        apps = List.copyOf(apps);
        if (proxies < 1 || apps.isEmpty() || !(load > 0) || clients < 0) {
            throw new IllegalArgumentException(
                    proxies + " proxies, " + apps.size() + " apps, load " + load + ", " + clients + " clients");
        }
    }

    /** Apps of 1000 units/s. */
    public static List<App> equal(int count) {
        return IntStream.range(0, count).mapToObj(_ -> new App(1000, 1000)).toList();
    }

    /** Of every four, one of 2000 units/s, one of 500, two of 1000. */
    public static List<App> unequal(int count) {
        double[] capacities = {2000, 500, 1000, 1000};
        return IntStream.range(0, count)
                .mapToDouble(index -> capacities[index % capacities.length])
                .mapToObj(capacity -> new App(capacity, capacity))
                .toList();
    }

    /** Apps of 1000 units/s, of which the first does half of what it says. */
    public static List<App> oneSlow(int count) {
        return IntStream.range(0, count)
                .mapToObj(index -> new App(1000, index == 0 ? 500 : 1000))
                .toList();
    }

    double capacity() {
        return apps.stream().mapToDouble(App::capacity).sum();
    }
}
