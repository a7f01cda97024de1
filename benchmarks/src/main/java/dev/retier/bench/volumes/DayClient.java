package dev.retier.bench.volumes;

import dev.retier.sim.blocks.BlockRequest;
import dev.retier.volume.Volume;
import dev.retier.volume.VolumeName;
import dev.retier.volume.connect.Pending;
import dev.retier.volume.connect.RemoteVolume;
import dev.retier.volume.connect.VolumeClient;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;

/**
 * A client with volumes of its own, on each of which it replays a recording from another place on: a few seconds of one
 * volume, then of the next, again and again. Knows what each block holds. For one thread at a time, if nothing else is
 * said.
 */
final class DayClient implements AutoCloseable {
    /** What is replayed of a volume before the next one's turn. */
    private static final long TURN_MICROS = TimeUnit.SECONDS.toMicros(2);

    private static final int MOST_UNDER_WAY = 16;

    private final VolumeClient client;
    private final DayTrace trace;
    private final Counts counts;
    private final List<Replayed> volumes = new ArrayList<>();
    private final ByteBuffer memory;
    private final Deque<Pending> underWay = new ArrayDeque<>();

    /**
     * What all clients have done together.
     *
     * @param requests that were answered
     * @param micros of the recording that were replayed, of all volumes together
     * @param proven blocks that were read and are what was written last
     */
    record Counts(LongAdder requests, LongAdder micros, LongAdder proven) {
        Counts() {
            this(new LongAdder(), new LongAdder(), new LongAdder());
        }
    }

    private static final class Replayed {
        private final RemoteVolume volume;
        private final LastWrites last;
        private final long fromMicros;
        private long doneMicros;

        Replayed(RemoteVolume volume, LastWrites last, long fromMicros) {
            this.volume = volume;
            this.last = last;
            this.fromMicros = fromMicros;
        }
    }

    DayClient(VolumeClient client, DayTrace trace, Counts counts) {
        this.client = client;
        this.trace = trace;
        this.counts = counts;
        this.memory = ByteBuffer.allocateDirect(Math.max(Volume.BLOCK_BYTES, trace.mostBytes()));
    }

    /** Makes a volume and takes it; it is replayed from {@code fromMicros} on. */
    void add(int number, long bytes, long fromMicros) throws IOException {
        VolumeName name = new VolumeName("day-" + number);
        client.create(name, bytes);
        volumes.add(new Replayed(client.attach(name, false), new LastWrites(number, bytes), fromMicros));
    }

    /** Replays until so much of each volume's time is done, or it is over; then nothing is under way. */
    void replay(long untilMicros, BooleanSupplier isOver) throws IOException {
        boolean isMore = true;
        while (isMore && !isOver.getAsBoolean()) {
            isMore = false;
            for (Replayed one : volumes) {
                long until = Math.min(untilMicros, one.doneMicros + TURN_MICROS);
                if (until > one.doneMicros && !isOver.getAsBoolean()) {
                    turn(one, until);
                    isMore = true;
                }
            }
        }
    }

    private void turn(Replayed one, long until) throws IOException {
        for (BlockRequest request : trace.between(one.fromMicros + one.doneMicros, one.fromMicros + until)) {
            ask(one, request);
            counts.requests.increment();
        }
        settle(0);
        counts.micros.add(until - one.doneMicros);
        one.doneMicros = until;
    }

    private void ask(Replayed one, BlockRequest request) throws IOException {
        long bytes = one.volume.bytes();
        long offset = request.offset() % bytes;
        long length = Math.min(request.length(), bytes - offset);
        switch (request.operation()) {
            case READ -> read(one, offset, (int) length);
            case WRITE -> {
                ByteBuffer data = memory.clear().limit((int) length);
                one.last.write(offset, data);
                underWay.add(one.volume.startWrite(offset, Set.of(), data));
            }
            case ZERO -> {
                one.last.zero(offset, length);
                underWay.add(one.volume.startZero(offset, length, Set.of()));
            }
            case FLUSH -> {
                settle(0);
                one.volume.flush();
            }
            case EXTENTS -> {
                var _ = one.volume.extents(offset, length);
            }
            default -> throw new IllegalStateException(request + " is not recorded");
        }
        settle(MOST_UNDER_WAY - 1);
    }

    /** Waits until no more than so many are under way. */
    private void settle(int most) throws IOException {
        while (underWay.size() > most) {
            underWay.removeFirst().await();
        }
    }

    private void read(Replayed one, long offset, int length) throws IOException {
        settle(0);
        ByteBuffer data = memory.clear().limit(length);
        one.volume.read(offset, data);
        long first = (offset + Volume.BLOCK_BYTES - 1) / Volume.BLOCK_BYTES;
        long end = (offset + length) / Volume.BLOCK_BYTES;
        for (long block = first; block < end; block++) {
            int at = (int) (block * Volume.BLOCK_BYTES - offset);
            require(one, (int) block, data.slice(at, Volume.BLOCK_BYTES));
        }
    }

    private void require(Replayed one, int block, ByteBuffer data) throws IOException {
        if (!one.last.isKnown(block)) {
            return;
        }
        if (!one.last.holds(block, data)) {
            throw new IOException(
                    "block " + block + " of " + one.volume.facts().name() + " is not what was written to it last");
        }
        counts.proven.increment();
    }

    /** Bytes that were answered and that no flush has brought to the disk, which it keeps. For any thread. */
    long keptBytes() {
        return volumes.stream()
                .mapToLong(one -> one.volume.facts().unflushedBytes())
                .sum();
    }

    /** Reads so many blocks of each volume, and requires that they are what was written last. */
    void prove(int blocks, long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        for (Replayed one : volumes) {
            for (int i = 0; i < blocks; i++) {
                long block = random.nextInt(one.last.blocks());
                read(one, block * Volume.BLOCK_BYTES, Volume.BLOCK_BYTES);
            }
        }
    }

    @Override
    public void close() {
        client.close(); // the server goes with its volumes, so that nobody needs them back
    }
}
