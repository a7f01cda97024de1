package dev.retier.volume.disk;

import dev.retier.volume.cache.SequentialRuns;
import dev.retier.volume.cache.SequentialRuns.Range;
import dev.retier.volume.pool.Geometry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings blocks of a volume to the cache that will soon be asked for, beside whoever reads: for one user at a time,
 * and what waits ends with it. Thread-safe.
 */
public final class AheadReader {
    private static final Logger LOG = LoggerFactory.getLogger(AheadReader.class);
    /** That wait at once, 64 MiB; who reads faster than they come is not helped by more. */
    private static final long MOST_WAITING = 1 << 14;

    /** Pieces that are read at once, or are about to be. */
    private static final int MOST_TURNS = 4;

    private final BlockReader reader;
    private final int volume;
    private final Consumer<Consumer<ByteBuffer>> aside;
    /** Blocks that may wait: in half of the cache there is room for them. */
    private final long mostWaiting;

    /** Guarded by this, as all that follows: for whom blocks are brought. */
    private @Nullable PoolVolume user;

    /** What is to be read. */
    private final Queue<Range> ranges = new ArrayDeque<>();
    /** Blocks of it. */
    private long waiting;
    /** How many pieces of it have a turn, or will have one. */
    private int turns;

    private final SequentialRuns runs = new SequentialRuns();

    /**
     * For one volume.
     *
     * @param aside runs what it is given later, with memory of its own for at least a block
     */
    AheadReader(BlockReader reader, int volume, Consumer<Consumer<ByteBuffer>> aside) {
        this.reader = reader;
        this.volume = volume;
        this.aside = aside;
        this.mostWaiting = Math.min(MOST_WAITING, reader.cachedAtMost() / 2);
    }

    /** From now on blocks are brought for this one; what waits for another is left out. */
    synchronized void use(PoolVolume by) {
        user = by;
        clear();
    }

    /** That one needs nothing more. */
    synchronized void leave(PoolVolume by) {
        if (by.equals(user)) {
            user = null;
            clear();
        }
    }

    private synchronized void clear() {
        ranges.clear();
        waiting = 0;
    }

    /** Somebody has read these blocks, of which something was not here, or for the first time. */
    void after(PoolVolume by, long first, long end, long volumeEnd) {
        Optional<Range> due;
        synchronized (this) {
            due = runs.read(first, end, volumeEnd);
        }
        due.ifPresent(range -> bring(by, range.first(), range.end()));
    }

    /** Somebody will read these blocks: as many of them as may wait are brought later. */
    void bring(PoolVolume by, long first, long end) {
        synchronized (this) {
            long count = Math.min(end - first, mostWaiting - waiting);
            if (count <= 0 || !by.equals(user)) {
                return;
            }
            waiting += count;
            ranges.add(new Range(first, first + count));
            if (turns >= Math.min(ranges.size(), MOST_TURNS)) {
                return;
            }
            turns++;
        }
        aside.accept(this::turn);
    }

    /** One piece, so that others who read get their turns between them. */
    private void turn(ByteBuffer scratch) {
        try {
            next(scratch.remaining() / Geometry.BLOCK_BYTES).ifPresent(piece -> read(piece, scratch));
        } catch (RuntimeException | Error fault) {
            clear();
            throw fault;
        } finally {
            if (goesOn()) {
                aside.accept(this::turn);
            }
        }
    }

    private synchronized Optional<Range> next(int most) {
        Range range = ranges.poll();
        if (range == null) {
            return Optional.empty();
        }
        long until = Math.min(range.end(), range.first() + most);
        waiting -= until - range.first();
        if (until < range.end()) {
            ranges.add(new Range(until, range.end()));
        }
        return Optional.of(new Range(range.first(), until));
    }

    private synchronized boolean goesOn() {
        boolean isNeeded = turns <= ranges.size();
        turns -= isNeeded ? 0 : 1;
        return isNeeded;
    }

    private void read(Range piece, ByteBuffer scratch) {
        int bytes = (int) (piece.end() - piece.first()) * Geometry.BLOCK_BYTES;
        try {
            reader.readAhead(volume, piece.first(), scratch.limit(scratch.position() + bytes));
        } catch (IOException | NoVolumeException failed) {
            LOG.debug("volume {}: could not be read ahead; who asks for it is told", volume, failed);
        }
    }
}
