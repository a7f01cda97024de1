package dev.retier.volume.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.volume.cache.CachePolicy;
import dev.retier.volume.config.Care;
import dev.retier.volume.config.Limits;
import dev.retier.volume.config.Times;
import dev.retier.volume.disk.BlockCache;
import dev.retier.volume.disk.Pool;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.slots.HeldSlots;
import dev.retier.volume.slots.SlotLink;
import dev.retier.volume.wire.Answer;
import dev.retier.volume.wire.Operation;
import dev.retier.volume.wire.Request;
import dev.retier.volume.wire.Status;
import dev.retier.volume.worlds.MemoryDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** What a server does, by one disk thread over a pool in memory; the test is its client. */
final class MemoryServer implements AutoCloseable {
    /** Of the client. */
    static final long LIFE = 1;

    final MemoryDisk disk = new MemoryDisk();
    final BlockCache cache = BlockCache.of(4 << 20, CachePolicy.MQ);
    final Tally tally = new Tally(ServerListener.NONE);
    final Pool pool;
    final Workings workings;
    /** Lets the disk thread go on that is kept busy. */
    final CountDownLatch mayBegin = new CountDownLatch(1);

    private final SlotLink.Shape shape;
    /** The client's end of its connection. */
    HeldSlots slots;

    private boolean isClosed;

    /** With a client that is connected, and by a clock in nanoseconds. */
    MemoryServer(SlotLink.Shape shape, Times times, Care care, LongSupplier clock) throws IOException {
        this.shape = shape;
        this.pool = pool(disk, cache);
        Limits limits = new Limits(shape.count(), shape.bytes(), 8, 1);
        Means means = new Means(Means.SYSTEM.threads(), clock);
        this.workings = new Workings(pool, new Workings.Settings(limits, times, care), tally, means);
        this.slots = new HeldSlots(shape);
        slots.use(client(slots));
    }

    /** A new one in memory, without volumes. */
    static Pool pool(BlockCache cache) throws IOException {
        return pool(new MemoryDisk(), cache);
    }

    private static Pool pool(MemoryDisk disk, BlockCache cache) throws IOException {
        Pool.make(disk, new UUID(1, 2), Geometry.DEFAULT);
        return Pool.open(disk, new Pool.Limits(1 << 20, 64L << 20), cache, Runnable::run);
    }

    /** The client has lost its connection and has another one. */
    void connectAgain() {
        slots.end("the connection broke");
        slots = new HeldSlots(shape);
        slots.use(client(slots));
    }

    /** Another connection of the same client. */
    ServedClient client() {
        return client(new HeldSlots(shape));
    }

    private ServedClient client(HeldSlots by) {
        return new ServedClient(LIFE, by, workings.service, _ -> {});
    }

    HeldSlots.Message told() throws InterruptedException {
        return Objects.requireNonNull(slots.messages.poll(20, TimeUnit.SECONDS), slots.reason);
    }

    Answer answered() throws InterruptedException {
        HeldSlots.Message told = told();
        return Answer.parse(told.bytes(), told.slot()).orElseThrow();
    }

    Answer ask(Request request, String text) throws InterruptedException {
        slots.ask(0, request, ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
        return answered();
    }

    /** The client says who it is. */
    void open(String name) throws InterruptedException {
        assertThat(ask(Request.about(Operation.OPEN, 0, 0, 0), name).status()).isEqualTo(Status.DONE);
    }

    Answer attached(String volume) throws InterruptedException {
        Answer attached = ask(Request.about(Operation.ATTACH, 0, 0, 0), volume);
        assertThat(attached.status()).isEqualTo(Status.DONE);
        return attached;
    }

    /** The disk thread is at something until {@link #mayBegin}. */
    void keepBusy() {
        workings.threads.new Line(Care.HIGHEST).add(0, _ -> {
            try {
                mayBegin.await();
            } catch (InterruptedException impossible) {
                throw new IllegalStateException(impossible);
            }
        });
    }

    /** When all that waits is done. */
    @Override
    public void close() throws IOException {
        if (!isClosed) {
            isClosed = true;
            mayBegin.countDown();
            slots.end("the test is over");
            workings.close();
            pool.close();
        }
    }
}
