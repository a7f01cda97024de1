package dev.retier.webnode.upstream;

import dev.retier.webnode.config.Limits;
import dev.retier.webnode.measure.NodeCounters;
import io.undertow.connector.ByteBufferPool;

/**
 * What all app nodes of one proxy share.
 *
 * @param limits tries, waits and pool sizes
 * @param buffers where connections take their buffers
 * @param counters where retries and failures are counted
 */
public record UpstreamSettings(Limits limits, ByteBufferPool buffers, NodeCounters counters) {}
