package dev.retier.volume.disk;

import static dev.retier.volume.disk.PoolImage.BLOCKS;

import dev.retier.volume.NoSpaceException;
import dev.retier.volume.cache.CachePolicy;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.pool.JournalRecord.Stamp;
import dev.retier.volume.worlds.MemoryDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;

/** One pool through some lives of its process and machine, and what it may hold. */
final class PoolWorld {
    private static final int SEGMENT = 64 * 1024;
    private static final int LIVES = 6;
    private static final int MOST_IMAGES = 7;
    /** One of so many ends is looked at before the pool is opened. */
    private static final int CHECKED = 8;

    private static final long BYTES = BLOCKS * (long) Geometry.BLOCK_BYTES;

    private final SplittableRandom random;
    private final List<String> breaches = new ArrayList<>();
    private final PoolImage kept = new PoolImage("kept", null, new int[BLOCKS]);
    /** All that there are, or may be; the first one is always there. */
    private final List<PoolImage> images = new ArrayList<>(List.of(kept));

    private MemoryDisk disk = new MemoryDisk();
    private boolean isAfterPowerCut;
    /** Whether a force has failed, and what it should have brought to the disk was not written anew since. */
    private boolean mayForget;

    private int refused;
    private int names;
    private int value;
    private long sequence;

    PoolWorld(long seed) throws IOException {
        this.random = new SplittableRandom(seed);
        Pool.make(disk, new UUID(1, seed), new Geometry(1 + random.nextInt(7)));
        try (Pool pool = opened()) {
            kept.made(pool.create(kept.name, BYTES));
            pool.flush();
            kept.flushed();
        }
        for (int life = 0; life < LIVES && breaches.isEmpty(); life++) {
            live();
        }
    }

    /** Now and then so small a journal that it makes checkpoints by itself; a cache for some blocks, or for none. */
    private Pool opened() throws IOException {
        Pool.Limits limits = new Pool.Limits(SEGMENT, (4L + random.nextInt(12)) * SEGMENT);
        CachePolicy policy = random.nextBoolean() ? CachePolicy.MQ : CachePolicy.LRU;
        BlockCache cache = BlockCache.of(random.nextLong(2L * BLOCKS) * Geometry.BLOCK_BYTES, policy);
        return Pool.open(disk, limits, cache, new AtOnce());
    }

    /** What should not have been, for people. */
    List<String> breaches() {
        return breaches;
    }

    private void live() throws IOException {
        Pool pool = recovered();
        mayForget = false;
        images.forEach(image -> image.found(pool, isAfterPowerCut).ifPresent(breaches::add));
        images.removeIf(image -> !image.isThere());
        // It may have ended when it was small.
        pool.resize(kept.number, BYTES);
        check(pool);
        disk.endAfter(5 + random.nextInt(300));
        maybeFail();
        try {
            for (int step = 0; step < 60 && breaches.isEmpty(); step++) {
                try {
                    step(pool);
                } catch (NoSpaceException full) {
                    isShort(pool);
                }
                if (random.nextInt(16) == 0) {
                    disk.leave(random.nextBoolean() ? Long.MAX_VALUE : random.nextInt(2 * SEGMENT));
                }
            }
        } catch (IOException ended) {
            if (!disk.hasEnded() && !disk.hasFailed()) {
                breaches.add(ended.toString());
            }
        }
        isAfterPowerCut = false;
        end();
    }

    /** Now and then a force fails. */
    private void maybeFail() {
        if (random.nextInt(4) == 0) {
            disk.failForceAfter(random.nextInt(12));
        }
    }

    /** How often there was no room. */
    int refused() {
        return refused;
    }

    /** What was answered is there as before; once there is room all goes on. */
    private void isShort(Pool pool) throws IOException {
        refused++;
        images.forEach(PoolImage::isAsBefore);
        images.removeIf(image -> image.number == 0);
        if (random.nextBoolean()) {
            disk.leave(Long.MAX_VALUE);
            pool.resize(kept.number, BYTES);
        }
    }

    private void end() throws IOException {
        MemoryDisk former = disk;
        mayForget |= former.hasFailed();
        if (random.nextBoolean()) {
            isAfterPowerCut = true;
            disk = former.afterPowerCut(random);
        } else if (random.nextBoolean()) {
            isAfterPowerCut |= mayForget;
            disk = former.afterKill(random);
        } else {
            disk = former.afterKill();
        }
        if (random.nextInt(CHECKED) == 0) {
            PoolCheck.of(disk.afterKill(), (_, _) -> {}).stream()
                    .filter(finding -> finding.kind() == PoolCheck.Kind.DAMAGE)
                    .forEach(finding -> breaches.add(finding.toString()));
        }
    }

    /** It may end while it recovers, too. */
    private Pool recovered() throws IOException {
        while (random.nextInt(3) == 0) {
            disk.endAfter(1 + random.nextInt(25));
            maybeFail();
            try {
                Pool pool = opened();
                if (pool.failure().isEmpty()) {
                    disk.endAfter(Integer.MAX_VALUE);
                    disk.failForceAfter(-1);
                    return pool;
                }
                if (!disk.hasEnded() && !disk.hasFailed()) {
                    breaches.add(pool.failure());
                }
            } catch (IOException ended) {
                if (!disk.hasEnded() && !disk.hasFailed()) {
                    throw ended;
                }
            }
            end();
        }
        return opened();
    }

    private void step(Pool pool) throws IOException {
        int what = random.nextInt(32);
        PoolImage image = volume();
        if (what < 12) {
            int first = random.nextInt(BLOCKS);
            int count = 1 + random.nextInt(Math.min(8, BLOCKS - first));
            int given = ++value;
            image.give(first, row(count, given), () -> pool.write(image.number, stamp(), first, data(given, count)));
        } else if (what < 14) {
            int first = random.nextInt(BLOCKS);
            int count = 1 + random.nextInt(BLOCKS - first);
            image.give(first, row(count, 0), () -> pool.zero(image.number, stamp(), first, count));
        } else if (what < 15) {
            int blocks = random.nextInt(BLOCKS + 1);
            disk.leave(Long.MAX_VALUE); // else it may end when it is small
            kept.give(blocks, row(BLOCKS - blocks, 0), () -> {
                pool.resize(kept.number, blocks * (long) Geometry.BLOCK_BYTES);
                pool.resize(kept.number, BYTES);
            });
        } else if (what < 18) {
            pool.flush();
            images.removeIf(gone -> !gone.isThere());
            images.forEach(PoolImage::flushed);
        } else if (what < 20) {
            pool.checkpoint();
        } else if (what < 24) {
            make(pool, random.nextInt(3));
        } else if (what < 26) {
            rollBack(pool, image);
        } else if (what < 28) {
            delete(pool);
        } else {
            check(pool);
        }
    }

    private Stamp stamp() {
        return new Stamp(1, ++sequence);
    }

    private static int[] row(int count, int given) {
        int[] row = new int[count];
        Arrays.fill(row, given);
        return row;
    }

    /** One that can be written; more often than not the first. */
    private PoolImage volume() {
        List<PoolImage> all = images.stream()
                .filter(image -> image.isThere() && image.parent == null)
                .toList();
        return all.get(random.nextBoolean() ? 0 : random.nextInt(all.size()));
    }

    private PoolImage any() {
        List<PoolImage> all = images.stream().filter(PoolImage::isThere).toList();
        return all.get(random.nextInt(all.size()));
    }

    private void make(Pool pool, int what) throws IOException {
        if (images.size() >= MOST_IMAGES) {
            return;
        }
        PoolImage source = what == 0 ? volume() : any();
        PoolImage made = new PoolImage(
                "image-" + ++names, what == 0 ? source : null, what == 1 ? new int[BLOCKS] : source.content());
        images.add(made);
        made.made(
                switch (what) {
                    case 0 -> pool.snapshot(source.number, made.name);
                    case 1 -> pool.create(made.name, BYTES);
                    default -> pool.copy(source.number, made.name);
                });
    }

    private void rollBack(Pool pool, PoolImage image) throws IOException {
        Optional<PoolImage> snapshot = images.stream()
                .filter(each -> each.isThere() && image.equals(each.parent))
                .findAny();
        if (snapshot.isPresent()) {
            PoolImage from = snapshot.get();
            image.give(0, from.content(), () -> pool.rollBack(image.number, from.number));
        }
    }

    private void delete(Pool pool) throws IOException {
        PoolImage image = any();
        boolean mayGo =
                !image.equals(kept) && images.stream().noneMatch(each -> image.equals(each.parent) && each.isThere());
        if (mayGo) {
            image.deleting();
            pool.delete(image.number);
            image.deleted();
        }
    }

    private void check(Pool pool) throws IOException {
        for (PoolImage image : images) {
            if (image.isThere()) {
                image.check(pool, breaches);
            }
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
