package dev.retier.agent.config;

import dev.retier.config.HostPort;
import dev.retier.link.NodeId;
import dev.retier.state.Role;

/**
 * One node of the cluster.
 *
 * @param id its number in role words and locks
 * @param name as people and generated files call it
 * @param rdma where its slot is reached
 * @param server the server beside its agent
 * @param agentAdmin where its agent serves status, targets, metrics and health
 * @param initialRole what it serves when no journal says otherwise
 */
public record NodeConfig(
        NodeId id, String name, HostPort rdma, ServerConfig server, HostPort agentAdmin, Role initialRole) {}
