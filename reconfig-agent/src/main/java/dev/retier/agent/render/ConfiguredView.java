package dev.retier.agent.render;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.view.ClusterView;
import dev.retier.agent.view.NodeView;
import dev.retier.state.LoadRecord;
import dev.retier.state.LoadRecord.Health;
import dev.retier.state.RoleWord;

/** The cluster as it would be if every node served the role that the configuration gives it. Stateless. */
public final class ConfiguredView {
    private ConfiguredView() {}

    /** All nodes idle, working and known: what the first role file of a node is rendered from. */
    public static ClusterView of(ClusterConfig config) {
        LoadRecord idle = new LoadRecord(0, Health.UP, 0, 0, 0, 0, 0, 0, 0);
        return ClusterView.of(config.nodes().stream()
                .<NodeView>map(node -> new NodeView.Known(node.id(), RoleWord.active(0, 0, node.initialRole()), idle))
                .toList());
    }
}
