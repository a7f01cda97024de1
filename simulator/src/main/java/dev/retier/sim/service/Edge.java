package dev.retier.sim.service;

import dev.retier.load.target.Assignment;
import dev.retier.load.target.Target;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What stands before the proxies of one site: the list of them, and which client goes where. Not thread-safe. */
final class Edge {
    private static final int ANY_PORT = 80;

    private final int clients;
    private @Nullable Assignment assignment;
    private int[] proxies = new int[0];
    private int[] proxyOfClient = new int[0];
    private int turn;

    /** For that many clients in a closed loop; 0 for an open one. */
    Edge(int clients) {
        this.clients = clients;
    }

    /** Takes a new list; an empty one is never taken. */
    void follow(List<Integer> nodes) {
        if (nodes.isEmpty()) {
            return;
        }
        proxies = nodes.stream().mapToInt(Integer::intValue).toArray();
        if (clients > 0) {
            List<Target> targets = nodes.stream()
                    .map(node -> new Target("node-" + node, ANY_PORT))
                    .toList();
            Assignment next = assignment == null ? Assignment.spread(clients, targets) : assignment.over(targets);
            assignment = next;
            proxyOfClient = new int[clients];
            for (int client = 0; client < clients; client++) {
                proxyOfClient[client] = proxies[targets.indexOf(next.targetOf(client))];
            }
        }
    }

    boolean isEmpty() {
        return proxies.length == 0;
    }

    /** Where this client goes: to its own proxy; if that is down, to any that works. */
    int proxyOf(int client, Station[] stations) {
        int own = proxyOfClient[client];
        return stations[own].isUp() ? own : next(stations);
    }

    /** The proxy with the fewest requests in it, of those that work; any when none does. */
    int next(Station[] stations) {
        turn++;
        int best = proxies[turn % proxies.length];
        for (int step = 0; step < proxies.length; step++) {
            int proxy = proxies[(turn + step) % proxies.length];
            boolean isBetter = stations[proxy].isUp()
                    && (!stations[best].isUp() || stations[proxy].inFlight() < stations[best].inFlight());
            best = isBetter ? proxy : best;
        }
        return best;
    }
}
