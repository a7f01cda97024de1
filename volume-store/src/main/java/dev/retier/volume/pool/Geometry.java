package dev.retier.volume.pool;

/**
 * How a pool divides what it keeps. A block is the unit of checksums and of tearing; a cluster, a row of blocks, is the
 * unit in which volumes get room.
 *
 * @param clusterBlocks blocks of a cluster, 1 to 4096
 */
public record Geometry(int clusterBlocks) {
    /** Of a block. */
    public static final int BLOCK_BYTES = 4096;

    /** Clusters of 64 KiB. */
    public static final Geometry DEFAULT = new Geometry(16);

    private static final int MOST_BLOCKS = 4096;

    /** Refuses sizes out of range with {@link IllegalArgumentException}. */
    public Geometry {
        if (clusterBlocks < 1 || clusterBlocks > MOST_BLOCKS) {
            throw new IllegalArgumentException(
                    "a cluster of " + clusterBlocks + " blocks; give it 1 to " + MOST_BLOCKS);
        }
    }

    /** Of a cluster. */
    public int clusterBytes() {
        return clusterBlocks * BLOCK_BYTES;
    }

    /** How many blocks hold {@code bytes}. */
    public static long blocks(long bytes) {
        return (bytes + BLOCK_BYTES - 1) / BLOCK_BYTES;
    }

    /** The cluster of a volume that {@code block} is in. */
    public long clusterOf(long block) {
        return block / clusterBlocks;
    }

    /** Where in its cluster {@code block} is, in blocks. */
    public int inCluster(long block) {
        return (int) (block % clusterBlocks);
    }
}
