package dev.retier.fabric.directory;

/**
 * How a region is cut into parts (parts): all are equally long but the last.
 *
 * @param lengthBytes of the region
 * @param partBytes of each part but the last, a multiple of {@value #GRAIN_BYTES}
 */
public record Shape(long lengthBytes, long partBytes) {
    /** A page: no two parts share one, and no word lies across two parts. */
    public static final long GRAIN_BYTES = 4096;

    /** Refuses what cannot be with {@link IllegalArgumentException}. */
    public Shape {
        if (lengthBytes < 1 || partBytes < GRAIN_BYTES || partBytes > RegionSpec.MAX_PART_BYTES) {
            throw new IllegalArgumentException("a region of " + lengthBytes + " bytes in parts of " + partBytes);
        }
        if (partBytes % GRAIN_BYTES != 0 || parts(lengthBytes, partBytes) > RegionSpec.MAX_PARTS) {
            throw new IllegalArgumentException("parts of " + partBytes + " bytes for " + lengthBytes);
        }
    }

    /** As few parts as can be, but one per node at least where the length is enough for that. */
    public static Shape over(long lengthBytes, int nodes) {
        long share = parts(lengthBytes, nodes);
        long pages = parts(share, GRAIN_BYTES) * GRAIN_BYTES;
        return new Shape(lengthBytes, Math.min(pages, RegionSpec.MAX_PART_BYTES));
    }

    /** How many parts there are. */
    public int parts() {
        return (int) parts(lengthBytes, partBytes);
    }

    /** The part that the byte at {@code offset} is in. */
    public int partOf(long offset) {
        return (int) (offset / partBytes);
    }

    /** Bytes of the part {@code index}. */
    public long lengthOf(int index) {
        return Math.min(partBytes, lengthBytes - index * partBytes);
    }

    private static long parts(long whole, long each) {
        return (whole + each - 1) / each;
    }
}
