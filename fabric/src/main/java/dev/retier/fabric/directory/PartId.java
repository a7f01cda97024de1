package dev.retier.fabric.directory;

/**
 * A part of a region in one node's memory.
 *
 * @param region the region's id
 * @param version of the record for which it was allocated, so that a second try is told from the first
 * @param index which part
 */
public record PartId(long region, long version, int index) {}
