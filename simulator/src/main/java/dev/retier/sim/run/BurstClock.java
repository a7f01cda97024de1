package dev.retier.sim.run;

import dev.retier.sim.service.Demand;
import dev.retier.sim.service.Service;
import dev.retier.sim.service.Workload.Piece;
import java.util.ArrayList;
import java.util.List;

/** Notes when each burst of the first load begins. Not thread-safe. */
final class BurstClock implements Service.Listener {
    private final Service service;
    private final List<Piece> pieces;
    private final List<Double> begins = new ArrayList<>();
    private Service.Listener next = (_, _) -> {};

    BurstClock(List<Demand> demands, Service service) {
        this.service = service;
        var workload = demands.getFirst().workload();
        this.pieces = workload.hasBursts() ? workload.pieces(1) : List.of();
    }

    /** Who hears of requests after this. */
    void then(Service.Listener listener) {
        next = listener;
    }

    @Override
    public void sending(int demand, int index) {
        boolean isFirst = demand == 0
                && begins.size() < pieces.size()
                && pieces.get(begins.size()).first() == index;
        if (isFirst) {
            begins.add(seconds());
        }
        next.sending(demand, index);
    }

    private double seconds() {
        return service.elapsedNanos() / 1e9;
    }

    /** The bursts that have begun; the last one ends now. */
    List<BurstSeen> seen() {
        List<BurstSeen> seen = new ArrayList<>();
        for (int burst = 0; burst < begins.size(); burst++) {
            Piece piece = pieces.get(burst);
            double end = burst + 1 < begins.size() ? begins.get(burst + 1) : seconds();
            seen.add(new BurstSeen(piece.stretch().requests(), piece.stretch().dynamicShare(), begins.get(burst), end));
        }
        return seen;
    }
}
