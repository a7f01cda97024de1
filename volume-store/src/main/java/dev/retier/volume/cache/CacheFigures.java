package dev.retier.volume.cache;

/**
 * What a cache has done since it was made, in blocks.
 *
 * @param frames how many blocks it has room for
 * @param used how many it has now
 * @param hits reads of blocks that it had
 * @param misses reads of blocks that it had not
 * @param evictions blocks that left for others
 * @param aheadUsed blocks that were read ahead, and then asked for
 * @param aheadUnused blocks that were read ahead, and left or were written before anybody asked for them
 */
public record CacheFigures(
        long frames, long used, long hits, long misses, long evictions, long aheadUsed, long aheadUnused) {
    /** Of no cache. */
    public static final CacheFigures NONE = new CacheFigures(0, 0, 0, 0, 0, 0, 0);

    /** Both together. */
    public CacheFigures plus(CacheFigures other) {
        return new CacheFigures(
                frames + other.frames,
                used + other.used,
                hits + other.hits,
                misses + other.misses,
                evictions + other.evictions,
                aheadUsed + other.aheadUsed,
                aheadUnused + other.aheadUnused);
    }

    /** Hits of all reads, 0 to 1; 0 when there were none. */
    public double hitShare() {
        return hits + misses == 0 ? 0 : (double) hits / (hits + misses);
    }
}
