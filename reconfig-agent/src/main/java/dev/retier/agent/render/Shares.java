package dev.retier.agent.render;

import dev.retier.link.NodeId;
import java.util.Map;

/**
 * How a proxy shares its work with others, beside who they are.
 *
 * @param weights of app nodes that are given less than their share, in hundredths; see {@link SlowStart}
 * @param letGo which of its kept connections it lets go; see {@link Spread}
 */
public record Shares(Map<NodeId, Integer> weights, LetGo letGo) {
    /** Every app node has its whole share, and every connection is kept. */
    public static final Shares EVEN = new Shares(Map.of(), LetGo.NONE);

    /** Keeps its own copy of the map. */
    public Shares {
        weights = Map.copyOf(weights);
    }
}
