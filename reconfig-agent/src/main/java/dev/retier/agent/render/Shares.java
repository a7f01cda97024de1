package dev.retier.agent.render;

import dev.retier.agent.view.ClusterView;
import dev.retier.link.NodeId;
import java.util.Map;

/**
 * How a proxy shares its work with others, beside who they are.
 *
 * @param weights of app nodes that are given less than their share, in hundredths; see {@link SlowStart}
 * @param capacities what their machines can do, for kinds of servers that weigh them by that
 * @param letGo which of its kept connections it lets go; see {@link Spread}
 */
public record Shares(Map<NodeId, Integer> weights, Capacities capacities, LetGo letGo) {
    /** Every app node has its whole share, of equal machines, and every connection is kept. */
    public static final Shares EVEN = new Shares(Map.of(), Capacities.NONE, LetGo.NONE);

    /** The same of machines that can do what each says now. */
    public static Shares evenFor(ClusterView view) {
        return new Shares(Map.of(), Capacities.NONE.after(view), LetGo.NONE);
    }

    /** Keeps its own copy of the map. */
    public Shares {
        weights = Map.copyOf(weights);
    }
}
