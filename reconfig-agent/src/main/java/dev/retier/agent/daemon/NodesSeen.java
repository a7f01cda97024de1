package dev.retier.agent.daemon;

import dev.retier.agent.http.AgentMetrics;
import dev.retier.agent.view.ClusterView;
import dev.retier.agent.view.NodeView;
import java.util.LinkedHashMap;
import java.util.Map;

/** What an agent knows of the nodes, in one word for each. Stateless. */
final class NodesSeen {
    private static final String FRESH = "fresh";

    private NodesSeen() {}

    /** How many there are of each state, of which some may have none. */
    static Map<String, Integer> of(ClusterView view) {
        Map<String, Integer> states = none();
        view.nodes().values().forEach(node -> states.merge(state(node), 1, Integer::sum));
        return states;
    }

    /** Before the first look. */
    static Map<String, Integer> none() {
        Map<String, Integer> states = new LinkedHashMap<>();
        states.put(FRESH, 0);
        for (NodeView.Silence silence : NodeView.Silence.values()) {
            states.put(AgentMetrics.label(silence), 0);
        }
        return states;
    }

    private static String state(NodeView node) {
        return switch (node) {
            case NodeView.Known _ -> FRESH;
            case NodeView.Silent silent -> AgentMetrics.label(silent.silence());
            case NodeView.NeverSeen _ -> AgentMetrics.label(NodeView.Silence.UNKNOWN);
        };
    }
}
