package dev.retier.volume.worlds;

import dev.retier.link.Connection;
import dev.retier.volume.VolumeName;
import dev.retier.volume.cache.CachePolicy;
import dev.retier.volume.config.Limits;
import dev.retier.volume.config.Times;
import dev.retier.volume.disk.BlockCache;
import dev.retier.volume.disk.Keeper;
import dev.retier.volume.disk.Pool;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.serve.Means;
import dev.retier.volume.serve.Serving;
import dev.retier.volume.serve.VolumeServer;
import dev.retier.volume.slots.SlotLink;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A machine with a volume server, which is started anew whenever it has ended. */
final class ServerMachine {
    private static final VolumeName NAME = new VolumeName("kept");
    private static final int SEGMENT = 64 << 10;
    /** The world has no such long time: who waits for what runs of an old connection waits until it ends. */
    private static final Duration QUIESCE = Duration.ofDays(1);

    private static final Times TIMES = new Times(Duration.ofSeconds(1), QUIESCE, Duration.ofSeconds(2));

    private final Stage stage;
    private final Threads threads;
    private final SplittableRandom random;
    private final Promises promises;
    private final int blocks;
    private final SlotLink.Shape shape;
    private final List<Wire> wires = new ArrayList<>();
    private SlowDisk disk;
    private UUID boot = new UUID(1, 1);
    private @Nullable Serving serving;
    private @Nullable Pool pool;
    private boolean isOver;
    /** How much more can be written. */
    private long room = Long.MAX_VALUE;

    ServerMachine(Stage stage, SplittableRandom random, int blocks) throws IOException {
        this.stage = stage;
        this.threads = stage.threads();
        this.random = random;
        this.promises = stage.promises();
        this.blocks = blocks;
        this.shape = new SlotLink.Shape(2 + random.nextInt(8), (4096 << random.nextInt(3)) + 64);
        MemoryDisk memory = new MemoryDisk();
        Geometry geometry = new Geometry(1 + random.nextInt(5));
        Pool.make(memory, new UUID(2, 2), geometry);
        try (Pool made = Pool.open(memory, limits(), Runnable::run)) {
            made.create(NAME, (long) blocks * Geometry.BLOCK_BYTES);
            made.flush();
        }
        this.disk = on(memory);
    }

    private Pool.Limits limits() {
        return new Pool.Limits(SEGMENT, (4L + random.nextInt(12)) * SEGMENT);
    }

    private SlowDisk on(MemoryDisk memory) {
        return new SlowDisk(memory, threads, random, () -> {
            if (disk.memory().equals(memory)) {
                end(random.nextBoolean());
            }
        });
    }

    VolumeName name() {
        return NAME;
    }

    SlowDisk disk() {
        return disk;
    }

    /** A bit flips where blocks lie, or their checksums, or a sector there cannot be read any more. */
    void rot() {
        String file = random.nextInt(4) == 0 ? "sums" : "clusters";
        long size = disk.memory().size(file);
        if (size > 0) {
            promises.rots();
            long at = random.nextLong(size);
            if (random.nextBoolean()) {
                stage.counts().count(Counted.ROTTEN_BITS);
                disk.memory().rot(file, at);
            } else {
                stage.counts().count(Counted.UNREADABLE_SECTORS);
                disk.memory().spoil(file, at);
            }
        }
    }

    /** So much more can be written to its disk, also by the next process. */
    void leave(long bytes) {
        room = bytes;
        disk.memory().leave(bytes);
    }

    /** The process ends, or the machine loses its power; it comes back after a while. */
    void end(boolean isPowerCut) {
        MemoryDisk former = disk.memory();
        former.endAfter(0);
        disk = on(isPowerCut ? former.afterPowerCut(random) : former.afterKill(random));
        disk.memory().leave(room);
        if (isPowerCut) {
            stage.counts().count(Counted.POWER_CUTS);
            boot = new UUID(1, random.nextLong());
        }
        if (isPowerCut || former.hasFailed()) { // clients send again, older first, what may be there all the same
            promises.cut();
        }
        for (Wire wire : wires) {
            wire.end(random.nextLong(1_000_000, isPowerCut ? 2_000_000_000L : 20_000_000L), 0);
        }
        wires.clear();
        endServing();
        MemoryDisk mine = disk.memory();
        threads.after(random.nextLong(1_000_000, 400_000_000), () -> start(mine));
    }

    private void endServing() {
        Serving gone = serving;
        serving = null;
        pool = null;
        if (gone != null) {
            threads.start(() -> closed(gone));
        }
    }

    /** For ever. */
    void close() {
        isOver = true;
        endServing();
    }

    private static void closed(Serving gone) {
        try {
            gone.close();
        } catch (IOException ended) {
            return; // as it must, without its process
        }
    }

    void start() {
        start(disk.memory());
    }

    private void start(MemoryDisk on) {
        SlowDisk mine = disk;
        if (isOver || !mine.memory().equals(on)) {
            return;
        }
        stage.counts().count(Counted.STARTS);
        try {
            Pool opened = Pool.open(mine, limits(), cache(), keeper());
            if (mine.equals(disk)) {
                pool = opened;
                Limits limits = new Limits(shape.count(), shape.bytes(), 64, 1 + random.nextInt(3));
                VolumeServer.Identity identity = new VolumeServer.Identity(random.nextLong(), boot);
                Means means = new Means(threads::unstarted, threads::nowNanos);
                serving = new Serving(opened, identity, limits, TIMES, means);
            }
        } catch (IOException failed) {
            if (mine.equals(disk) && mine.memory().hasFailed()) {
                end(false);
            } else if (mine.equals(disk)) {
                promises.breach("the pool could not be opened: " + failed);
            }
        }
    }

    private Keeper keeper() {
        return new Keeper() {
            @Override
            public void execute(Runnable checkpoint) {
                threads.start(checkpoint);
            }

            @Override
            public long nanos() {
                return threads.nowNanos();
            }
        };
    }

    /** For some blocks, for all, or for none. */
    private BlockCache cache() {
        CachePolicy policy = random.nextBoolean() ? CachePolicy.MQ : CachePolicy.LRU;
        return BlockCache.of(random.nextLong(2L * blocks) * Geometry.BLOCK_BYTES, policy);
    }

    /** A person looks: a pool that has failed takes changes again when its server is started anew. */
    void look() {
        Pool now = pool;
        try {
            if (now != null) {
                now.requireChangeable();
            }
        } catch (IOException failed) {
            end(false);
        }
    }

    /** Lets a client in; empty if no process is there. */
    @Nullable
    Wire connect(ClientMachine client) {
        Serving now = serving;
        if (now == null) {
            return null;
        }
        wires.removeIf(Wire::isOver);
        Wire wire = new Wire(threads, random, shape);
        wires.add(wire);
        Serving.Admitted admitted = now.admit(client.number(), wire.server());
        wire.server().use(admitted.connection());
        Connection connection = client.connected(wire, admitted.grant());
        wire.client().use(connection);
        return wire;
    }

    List<Wire> wires() {
        return wires;
    }
}
