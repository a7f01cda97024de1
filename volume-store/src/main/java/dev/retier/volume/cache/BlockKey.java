package dev.retier.volume.cache;

/** A block of a volume as one number, so that millions of them need no objects. Stateless. */
public final class BlockKey {
    private static final int BLOCK_BITS = 40;
    private static final int MOST_VOLUME = (1 << (Long.SIZE - 1 - BLOCK_BITS)) - 1;
    private static final long BLOCK_MASK = (1L << BLOCK_BITS) - 1;

    private BlockKey() {}

    /** Whether all blocks below {@code end} of that volume have a key: up to 4 PiB of each of the first 8 million. */
    public static boolean exists(int volume, long end) {
        return volume >= 0 && volume <= MOST_VOLUME && end <= BLOCK_MASK + 1;
    }

    /** Of a block that has one. */
    public static long of(int volume, long block) {
        return ((long) volume << BLOCK_BITS) | block;
    }

    static int volume(long key) {
        return (int) (key >>> BLOCK_BITS);
    }

    static long block(long key) {
        return key & BLOCK_MASK;
    }

    /** Spreads keys that lie together (the finalizer of MurmurHash3, public domain). */
    public static int hash(long key) {
        long mixed = (key ^ (key >>> 33)) * 0xff51afd7ed558ccdL;
        mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return (int) (mixed ^ (mixed >>> 33));
    }
}
