package dev.retier.iwarp.ddp;

import dev.retier.iwarp.memory.StagTable;
import dev.retier.iwarp.memory.StreamIdentity;

/**
 * The device's memory as one stream sees it.
 *
 * @param table all regions
 * @param who the stream and its protection domain
 */
public record LocalMemory(StagTable table, StreamIdentity who) {}
