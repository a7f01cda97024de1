package dev.retier.sim.run;

import dev.retier.sim.run.Planner.Need;
import dev.retier.sim.service.Demand;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What all loads ask each site for now, as told request by request. Not thread-safe. */
final class NeedsSeen {
    private final List<Pieces> pieces;
    private final List<Need> needs;

    /** Of those loads, each in its first stretch. */
    NeedsSeen(List<Demand> demands, int sites) {
        this.pieces = demands.stream().map(Pieces::new).toList();
        this.needs = new ArrayList<>(Collections.nCopies(sites, Need.NOTHING));
        pieces.forEach(this::take);
    }

    /** Takes note that request {@code index} of a load is sent; whether another stretch of it has begun with it. */
    boolean isNew(int demand, int index) {
        Pieces asked = pieces.get(demand);
        boolean isNew = asked.isNew(index);
        if (isNew) {
            take(asked);
        }
        return isNew;
    }

    /** One load on several sites in turn asks one of them at a time. */
    private void take(Pieces asked) {
        if (pieces.size() == 1) {
            Collections.fill(needs, Need.NOTHING);
        }
        needs.set(asked.current().site(), asked.need(asked.current()));
    }

    /** One for each site. */
    List<Need> now() {
        return List.copyOf(needs);
    }
}
