package dev.retier.sim.service;

import dev.retier.traces.play.Assignment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * What stands before the proxies of one site: the list of them, and which client of which load goes where. Not
 * thread-safe.
 */
final class Edge {
    /** By load: how many clients ask in a closed loop; 0 for an open one. */
    private final int[] clients;

    private final List<Optional<Assignment<Integer>>> assignments;
    private final int[][] proxyOfClient;
    private int[] proxies = new int[0];
    private int turn;

    /** For loads of that many clients. */
    Edge(int[] clients) {
        this.clients = clients.clone();
        this.assignments = new ArrayList<>(Collections.nCopies(clients.length, Optional.empty()));
        this.proxyOfClient = new int[clients.length][];
    }

    /** Takes a new list; an empty one is never taken. */
    void follow(List<Integer> nodes) {
        if (nodes.isEmpty()) {
            return;
        }
        proxies = nodes.stream().mapToInt(Integer::intValue).toArray();
        for (int load = 0; load < clients.length; load++) {
            if (clients[load] > 0) {
                assign(load, nodes);
            }
        }
    }

    /** Each load is spread evenly by itself. */
    private void assign(int load, List<Integer> nodes) {
        Assignment<Integer> next = assignments
                .get(load)
                .map(before -> before.over(nodes))
                .orElseGet(() -> Assignment.spread(clients[load], nodes));
        assignments.set(load, Optional.of(next));
        proxyOfClient[load] = new int[clients[load]];
        for (int client = 0; client < clients[load]; client++) {
            proxyOfClient[load][client] = next.targetOf(client);
        }
    }

    boolean isEmpty() {
        return proxies.length == 0;
    }

    /** Where this client goes: to its own proxy; if that is down, to any that works. */
    int proxyOf(int load, int client, Station[] stations) {
        int own = proxyOfClient[load][client];
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
