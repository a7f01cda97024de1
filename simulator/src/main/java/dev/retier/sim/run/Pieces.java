package dev.retier.sim.run;

import dev.retier.sim.run.Planner.Need;
import dev.retier.sim.service.Demand;
import dev.retier.sim.service.Workload;
import dev.retier.sim.service.Workload.Piece;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The stretches of one workload, and which one is under way. Not thread-safe. */
final class Pieces {
    /** Of a trace without bursts: short enough to follow its mix, long enough to have one. */
    private static final int PIECE_REQUESTS = 500;

    private final Demand demand;
    private final List<Piece> pieces;
    private int current;

    Pieces(Demand demand) {
        this.demand = demand;
        this.pieces = demand.workload().pieces(PIECE_REQUESTS);
    }

    List<Piece> all() {
        return pieces;
    }

    /** Takes note that request {@code index} is sent; whether another stretch has begun with it. */
    boolean isNew(int index) {
        boolean isNext =
                current + 1 < pieces.size() && index >= pieces.get(current + 1).first();
        current += isNext ? 1 : 0;
        return isNext || index == 0;
    }

    Piece current() {
        return pieces.get(current);
    }

    /** What a stretch asks its site for. */
    Need need(Piece piece) {
        double share = piece.stretch().dynamicShare();
        return demand.clients().count() > 0
                ? Need.of(Double.POSITIVE_INFINITY, share)
                : Need.of(perSecond(piece), share);
    }

    private double perSecond(Piece piece) {
        Workload workload = demand.workload();
        int last = (int)
                Math.min(workload.size() - 1L, piece.first() + piece.stretch().requests());
        double seconds =
                workload.secondsBetween(piece.first(), last) / demand.clients().speed();
        return seconds > 0 ? piece.stretch().requests() / seconds : Double.POSITIVE_INFINITY;
    }

    /** About all needs of all sites that meet: those of each stretch, with the others' first. */
    static List<List<Need>> combinations(List<Pieces> demands, int sites) {
        List<List<Need>> all = new ArrayList<>();
        for (Pieces changing : demands) {
            for (Piece piece : changing.pieces) {
                List<Need> needs = new ArrayList<>(Collections.nCopies(sites, Need.NOTHING));
                for (Pieces other : demands) {
                    Piece shown = other == changing ? piece : other.pieces.getFirst();
                    needs.set(shown.site(), other.need(shown));
                }
                all.add(needs);
            }
        }
        return all;
    }
}
