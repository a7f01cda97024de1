package dev.retier.agent.config;

import dev.retier.link.NodeId;
import java.nio.file.Path;

/**
 * The configuration of one agent: the cluster's, and which node of it this is.
 *
 * @param cluster what all agents share
 * @param self the node beside which this agent runs
 * @param isShadow whether it orders nothing by its own decision, whatever the file says, and compares what it would
 *     have ordered with what the others do
 */
public record AgentConfig(ClusterConfig cluster, NodeId self, boolean isShadow) {
    /** An agent that does what the file says. */
    public AgentConfig(ClusterConfig cluster, NodeId self) {
        this(cluster, self, false);
    }

    /** Refuses a node that is not in the cluster with {@link IllegalArgumentException}. */
    public AgentConfig {
        cluster.node(self);
    }

    /** The lines about this node. */
    public NodeConfig node() {
        return cluster.node(self);
    }

    /** Where the agent takes commands of operators: a Unix-domain socket. */
    public Path controlSocket() {
        return journalDirectory().resolve("control.sock");
    }

    /** The folder of this node's journal. */
    public Path journalDirectory() {
        return journalDirectory(cluster.journalDirectory(), node().name());
    }

    static Path journalDirectory(Path all, String node) {
        return all.resolve(node);
    }
}
