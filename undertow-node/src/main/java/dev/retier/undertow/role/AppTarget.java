package dev.retier.undertow.role;

import dev.retier.config.HostPort;

/**
 * An app node that a proxy may send requests to.
 *
 * @param node its name
 * @param address where it listens
 * @param weight its share relative to the others, 1..1000; 100 is usual
 */
public record AppTarget(String node, HostPort address, int weight) {}
