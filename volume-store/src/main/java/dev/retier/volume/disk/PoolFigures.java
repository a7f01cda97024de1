package dev.retier.volume.disk;

/**
 * How a pool is.
 *
 * @param failure why it takes no changes any more; empty while it does
 * @param usedBytes clusters that hold something, as of the newest checkpoint
 * @param freeBytes what its file system has left
 * @param journalBytes size of the journal
 * @param journalLimitBytes size that this may have
 */
public record PoolFigures(String failure, long usedBytes, long freeBytes, long journalBytes, long journalLimitBytes) {}
