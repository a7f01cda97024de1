package dev.retier.volume.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.volume.VolumeName;
import dev.retier.volume.config.Care;
import dev.retier.volume.disk.Pool;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.worlds.MemoryDisk;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ScrubberTest {
    private static final int MIB = 1 << 20;

    /** What it was to read when it began is not there any more: all is read again, and again. */
    @Test
    void shouldGoOn_whenAVolumeBecomesSmallerMeanwhile() throws Exception {
        MemoryDisk disk = new MemoryDisk();
        Pool.make(disk, new UUID(1, 2), Geometry.DEFAULT);
        try (Pool pool = Pool.open(disk, new Pool.Limits(4 * MIB, 64 * MIB), Runnable::run)) {
            int volume = pool.create(new VolumeName("accounts"), 8 * MIB);
            pool.volume(volume, 1).write(0, something(8 * MIB));
            pool.checkpoint();
            Tally tally = new Tally(ServerListener.NONE);
            Scrubber scrubber =
                    new Scrubber(pool, tally, new Care(false, 20 * MIB, Duration.ofMillis(1), Map.of()), Means.SYSTEM);
            try {
                await().until(() -> scrubbed(tally) >= 2 * MIB);
                pool.resize(volume, MIB);
                long before = scrubbed(tally);
                await().until(() -> scrubbed(tally) >= before + 4 * MIB);
            } finally {
                scrubber.close();
            }
        }
    }

    /** By a clock of its own: 8 MiB at 2 MiB/s take 4 s, of an hour from one beginning to the next. */
    @Test
    void shouldReadNoFasterThanItMay() throws Exception {
        MemoryDisk disk = new MemoryDisk();
        Pool.make(disk, new UUID(1, 2), Geometry.DEFAULT);
        try (Pool pool = Pool.open(disk, new Pool.Limits(4 * MIB, 64 * MIB), Runnable::run)) {
            int volume = pool.create(new VolumeName("accounts"), 8 * MIB);
            pool.volume(volume, 1).write(0, something(8 * MIB));
            pool.checkpoint();
            AtomicLong nowNanos = new AtomicLong(5);
            List<Long> waits = new ArrayList<>();
            pass(pool, new Tally(ServerListener.NONE), 2 * MIB, nowNanos, waits);

            assertThat(waits.getLast()).isEqualTo(Duration.ofSeconds(3596).toNanos());
            assertThat(waits.subList(0, waits.size() - 1))
                    .hasSizeGreaterThanOrEqualTo(8)
                    .allSatisfy(wait -> assertThat(wait).isBetween(0L, 500_000_000L));
            assertThat(nowNanos.get()).isEqualTo(5 + Duration.ofHours(1).toNanos());
        }
    }

    /** The first pass of a server finds it again, for all that have the block; a later one that it is written anew. */
    @Test
    void shouldKnowWhichVolumesAreDamaged_untilAPassFindsNothing() throws Exception {
        MemoryDisk disk = new MemoryDisk();
        Pool.make(disk, new UUID(1, 2), Geometry.DEFAULT);
        try (Pool pool = Pool.open(disk, new Pool.Limits(4 * MIB, 64 * MIB), Runnable::run)) {
            int other = pool.create(new VolumeName("other"), MIB);
            pool.volume(other, 1).write(0, something(MIB));
            int volume = pool.create(new VolumeName("accounts"), MIB);
            pool.volume(volume, 1).write(0, something(MIB));
            pool.checkpoint();
            int clone = pool.copy(volume, new VolumeName("clone"));
            pool.checkpoint();
            disk.rot("clusters", MIB + 5 * 4096 + 7);
            Tally tally = new Tally(ServerListener.NONE);
            pass(pool, tally, MIB, new AtomicLong(), new ArrayList<>());
            assertThat(tally.damage(other).isThere()).isFalse();
            assertThat(tally.damage(volume).isThere()).isTrue();
            assertThat(tally.damage(clone).isThere())
                    .as("it has that block, too")
                    .isTrue();

            pool.volume(volume, 1).write(5 * 4096, something(4096));
            pass(pool, tally, MIB, new AtomicLong(), new ArrayList<>());
            assertThat(tally.damage(volume).isThere()).as("written anew").isFalse();
            assertThat(tally.damage(clone).isThere()).as("as it was").isTrue();

            pool.volume(clone, 1).write(5 * 4096, something(4096));
            pass(pool, tally, MIB, new AtomicLong(), new ArrayList<>());
            assertThat(tally.damage(clone).isThere()).as("written anew").isFalse();
        }
    }

    /** One, by that clock, on which nothing but waiting takes time. */
    private static void pass(Pool pool, Tally tally, long rate, AtomicLong nowNanos, List<Long> waits)
            throws InterruptedException {
        Care care = new Care(false, rate, Duration.ofHours(1), Map.of());
        CountDownLatch isOver = new CountDownLatch(1);
        Scrubber scrubber =
                new Scrubber(pool, tally, care, new Means(Means.SYSTEM.threads(), nowNanos::get), (_, nanos) -> {
                    waits.add(nanos);
                    nowNanos.addAndGet(Math.max(0, nanos));
                    boolean isPassed = nanos > Duration.ofMinutes(1).toNanos();
                    if (isPassed || waits.size() > 1000) {
                        isOver.countDown();
                        return true;
                    }
                    return false;
                });
        isOver.await();
        scrubber.close();
    }

    private static ByteBuffer something(int count) {
        byte[] bytes = new byte[count];
        Arrays.fill(bytes, (byte) 1);
        return ByteBuffer.wrap(bytes);
    }

    private static long scrubbed(Tally tally) {
        return tally.counted().getOrDefault(VolumeMetric.SCRUBBED_BYTES, 0L);
    }
}
