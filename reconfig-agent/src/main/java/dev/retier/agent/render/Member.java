package dev.retier.agent.render;

import dev.retier.config.HostPort;

/**
 * A node to which a proxy or an edge may send requests.
 *
 * @param name of the node
 * @param address where its server is reached
 * @param isIn whether it gets requests now
 */
public record Member(String name, HostPort address, boolean isIn) {}
