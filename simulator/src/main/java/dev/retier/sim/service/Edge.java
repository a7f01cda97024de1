package dev.retier.sim.service;

import dev.retier.agent.render.LetGo;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What stands before the proxies of one site: the list of them, and which client of which load goes where. Not
 * thread-safe.
 */
final class Edge {
    /** By load; none for one in an open loop. */
    private final List<Optional<Placing>> placings;

    private int[] proxies = new int[0];
    private int turn;

    /** For loads of those clients. */
    Edge(Clients... loads) {
        this.placings = Stream.of(loads)
                .map(load -> load.isOpen() ? Optional.<Placing>empty() : Optional.of(new Placing(load)))
                .toList();
    }

    /** Takes a new list; an empty one is never taken. Each load is spread by itself. */
    void follow(List<Integer> nodes) {
        if (!nodes.isEmpty()) {
            proxies = nodes.stream().mapToInt(Integer::intValue).toArray();
            placings.forEach(placing -> placing.ifPresent(clients -> clients.follow(nodes)));
        }
    }

    boolean isEmpty() {
        return proxies.length == 0;
    }

    /** Where this client goes: to its own proxy; if that is down, to any that works. */
    int proxyOf(int load, int client, Station[] stations) {
        int own = placings.get(load).orElseThrow().proxyOf(client);
        return stations[own].isUp() ? own : next(stations);
    }

    /** A proxy that lets these connections go has answered a client. */
    void answered(int load, int client, int proxy, LetGo letGo) {
        placings.get(load).orElseThrow().answered(client, proxy, letGo);
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
