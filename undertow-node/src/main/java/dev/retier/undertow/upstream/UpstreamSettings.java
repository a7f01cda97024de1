package dev.retier.undertow.upstream;

import dev.retier.undertow.status.NodeCounters;

/**
 * What all app nodes of one proxy share.
 *
 * @param limits tries, waits and pool sizes
 * @param counters where retries and failures are counted
 */
public record UpstreamSettings(UpstreamLimits limits, NodeCounters counters) {}
