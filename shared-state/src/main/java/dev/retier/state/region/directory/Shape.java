package dev.retier.state.region.directory;

import dev.retier.state.region.RegionSpec;

/**
 * How a region is cut into parts (extents): all are equally long but the last.
 *
 * @param lengthBytes of the region
 * @param extentBytes of each part but the last, a multiple of {@value #GRAIN_BYTES}
 */
public record Shape(long lengthBytes, long extentBytes) {
    /** A page: no two parts share one, and no word lies across two parts. */
    public static final long GRAIN_BYTES = 4096;

    /** Refuses what cannot be with {@link IllegalArgumentException}. */
    public Shape {
        if (lengthBytes < 1 || extentBytes < GRAIN_BYTES || extentBytes > RegionSpec.MAX_EXTENT_BYTES) {
            throw new IllegalArgumentException("a region of " + lengthBytes + " bytes in parts of " + extentBytes);
        }
        if (extentBytes % GRAIN_BYTES != 0 || parts(lengthBytes, extentBytes) > RegionSpec.MAX_EXTENTS) {
            throw new IllegalArgumentException("parts of " + extentBytes + " bytes for " + lengthBytes);
        }
    }

    /** As few parts as can be, but one per node at least where the length is enough for that. */
    public static Shape over(long lengthBytes, int nodes) {
        long share = parts(lengthBytes, nodes);
        long pages = parts(share, GRAIN_BYTES) * GRAIN_BYTES;
        return new Shape(lengthBytes, Math.min(pages, RegionSpec.MAX_EXTENT_BYTES));
    }

    /** How many parts there are. */
    public int extents() {
        return (int) parts(lengthBytes, extentBytes);
    }

    /** The part that the byte at {@code offset} is in. */
    public int extentOf(long offset) {
        return (int) (offset / extentBytes);
    }

    /** Bytes of the part {@code index}. */
    public long lengthOf(int index) {
        return Math.min(extentBytes, lengthBytes - index * extentBytes);
    }

    private static long parts(long whole, long each) {
        return (whole + each - 1) / each;
    }
}
