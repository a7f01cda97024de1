package dev.retier.volume.disk;

import dev.retier.volume.VolumeName;
import dev.retier.volume.cache.CachePolicy;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.pool.JournalRecord.Stamp;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;

/** One pool through some lives of its process and machine, and what it may hold. */
final class PoolWorld {
    private static final int BLOCKS = 40;
    private static final int SEGMENT = 64 * 1024;
    private static final int LIVES = 6;
    private static final int UNKNOWN = -1;

    private final SplittableRandom random;
    private final List<String> breaches = new ArrayList<>();
    private MemoryDisk disk = new MemoryDisk();
    private int volume;
    private int other;
    private int others;
    private int value;
    private long sequence;
    /** What a block has, as far as that is known. */
    private final int[] has = new int[BLOCKS];
    /** What it may have after a power cut: what it had at the newest flush, and all that it was given since. */
    private final List<Set<Integer>> may = new ArrayList<>();

    PoolWorld(long seed) throws IOException {
        this.random = new SplittableRandom(seed);
        Pool.make(disk, new UUID(1, seed), new Geometry(1 + random.nextInt(7)));
        for (int block = 0; block < BLOCKS; block++) {
            may.add(new HashSet<>(Set.of(0)));
        }
        try (Pool pool = opened()) {
            volume = pool.create(new VolumeName("kept"), BLOCKS * (long) Geometry.BLOCK_BYTES);
            pool.flush();
        }
        for (int life = 0; life < LIVES && breaches.isEmpty(); life++) {
            live();
        }
    }

    /** Now and then so small a journal that it makes checkpoints by itself; a cache for some blocks, or for none. */
    private Pool opened() throws IOException {
        Pool.Limits limits = new Pool.Limits(SEGMENT, (4L + random.nextInt(12)) * SEGMENT);
        CachePolicy policy = CachePolicy.values()[random.nextInt(2)];
        BlockCache cache = BlockCache.of(random.nextLong(2L * BLOCKS) * Geometry.BLOCK_BYTES, policy);
        return Pool.open(disk, limits, cache, Runnable::run);
    }

    /** What should not have been, for people. */
    List<String> breaches() {
        return breaches;
    }

    private void live() throws IOException {
        Pool pool = recovered();
        other = 0;
        // It may have ended when it was small.
        pool.resize(volume, BLOCKS * (long) Geometry.BLOCK_BYTES);
        check(pool);
        disk.endAfter(5 + random.nextInt(300));
        try {
            for (int step = 0; step < 60; step++) {
                step(pool);
            }
        } catch (IOException ended) {
            if (!disk.hasEnded()) {
                breaches.add(ended.toString());
            }
        }
        end();
    }

    private void end() {
        boolean isPowerCut = random.nextBoolean();
        disk = isPowerCut ? disk.afterPowerCut(random) : disk.afterKill();
        if (isPowerCut) {
            Arrays.fill(has, UNKNOWN);
        }
    }

    /** It may end while it recovers, too. */
    private Pool recovered() throws IOException {
        while (random.nextInt(3) == 0) {
            disk.endAfter(1 + random.nextInt(25));
            try {
                Pool pool = opened();
                disk.endAfter(Integer.MAX_VALUE);
                return pool;
            } catch (IOException ended) {
                if (!disk.hasEnded()) {
                    throw ended;
                }
            }
            end();
        }
        return opened();
    }

    private void step(Pool pool) throws IOException {
        int what = random.nextInt(24);
        if (what < 12) {
            int first = random.nextInt(BLOCKS);
            int count = 1 + random.nextInt(Math.min(8, BLOCKS - first));
            int given = ++value;
            give(first, count, given, () -> pool.write(volume, new Stamp(1, ++sequence), first, data(given, count)));
        } else if (what < 14) {
            int first = random.nextInt(BLOCKS);
            int count = 1 + random.nextInt(BLOCKS - first);
            give(first, count, 0, () -> pool.zero(volume, new Stamp(1, ++sequence), first, count));
        } else if (what < 15) {
            int blocks = random.nextInt(BLOCKS + 1);
            give(blocks, BLOCKS - blocks, 0, () -> {
                pool.resize(volume, blocks * (long) Geometry.BLOCK_BYTES);
                pool.resize(volume, BLOCKS * (long) Geometry.BLOCK_BYTES);
            });
        } else if (what < 18) {
            pool.flush();
            for (int block = 0; block < BLOCKS; block++) {
                may.set(block, new HashSet<>(Set.of(has[block])));
            }
        } else if (what < 20) {
            pool.checkpoint();
        } else if (what < 22) {
            disturb(pool);
        } else {
            check(pool);
        }
    }

    /** Another volume that uses and gives back clusters. */
    private void disturb(Pool pool) throws IOException {
        if (other == 0) {
            other = pool.create(new VolumeName("other-" + ++others), BLOCKS * (long) Geometry.BLOCK_BYTES);
        } else if (random.nextBoolean()) {
            pool.write(other, new Stamp(1, ++sequence), random.nextInt(BLOCKS - 4), data(Integer.MAX_VALUE, 4));
        } else {
            pool.delete(other);
            other = 0;
        }
    }

    private interface Change {
        void make() throws IOException;
    }

    /** While it is not answered a block has the old or the new value. */
    private void give(int first, int count, int given, Change change) throws IOException {
        for (int block = first; block < first + count; block++) {
            may.get(block).add(given);
            has[block] = UNKNOWN;
        }
        change.make();
        Arrays.fill(has, first, first + count, given);
    }

    /** What was not known is known from here on. */
    private void check(Pool pool) throws IOException {
        ByteBuffer all = ByteBuffer.allocate(BLOCKS * Geometry.BLOCK_BYTES);
        var _ = pool.read(volume, 0, all.slice());
        for (int block = 0; block < BLOCKS; block++) {
            int begin = block * Geometry.BLOCK_BYTES;
            int found = all.getInt(begin);
            for (int at = 0; at < Geometry.BLOCK_BYTES; at += Integer.BYTES) {
                if (all.getInt(begin + at) != found) {
                    breaches.add("block " + block + " is torn");
                    break;
                }
            }
            int known = has[block];
            if (known == UNKNOWN ? !may.get(block).contains(found) : found != known) {
                breaches.add("block " + block + " has " + found + ", not " + known + " or one of " + may.get(block));
            }
            has[block] = found;
        }
    }

    private static ByteBuffer data(int given, int count) {
        ByteBuffer data = ByteBuffer.allocate(count * Geometry.BLOCK_BYTES);
        while (data.hasRemaining()) {
            data.putInt(given);
        }
        return data.flip();
    }
}
