package dev.retier.volume.disk;

import dev.retier.volume.cache.SequentialRuns;
import dev.retier.volume.cache.SequentialRuns.Range;
import dev.retier.volume.pool.Geometry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings blocks of a volume to the cache that will soon be asked for, beside whoever reads. Thread-safe. */
final class AheadReader {
    private static final Logger LOG = LoggerFactory.getLogger(AheadReader.class);
    /** That wait at once, 64 MiB; who reads faster than they come is not helped by more. */
    private static final long MOST_WAITING = 1 << 14;

    private final BlockReader reader;
    private final int volume;
    private final Consumer<Consumer<ByteBuffer>> aside;
    /** Blocks that may wait: in half of the cache there is room for them. */
    private final long mostWaiting;

    /** Guarded by this, as all that follows: the blocks that wait to be read. */
    private long waiting;

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

    /** Somebody has read these blocks, of which something was not here, or for the first time. */
    void after(long first, long end, long volumeEnd) {
        Optional<Range> due;
        synchronized (this) {
            due = runs.read(first, end, volumeEnd);
        }
        due.ifPresent(range -> bring(range.first(), range.end()));
    }

    /** Somebody will read these blocks: as many of them as may wait are brought later. */
    void bring(long first, long end) {
        long count;
        synchronized (this) {
            count = Math.min(end - first, mostWaiting - waiting);
            waiting += count;
        }
        if (count > 0) {
            next(first, first + count);
        }
    }

    private synchronized void waitNoMore(long blocks) {
        waiting -= blocks;
    }

    /** Piece by piece, so that others who read get their turns between them. */
    private void next(long first, long end) {
        aside.accept(scratch -> {
            long until = Math.min(end, first + scratch.remaining() / Geometry.BLOCK_BYTES);
            waitNoMore(until - first);
            read(first, scratch.limit(scratch.position() + (int) (until - first) * Geometry.BLOCK_BYTES));
            if (until < end) {
                next(until, end);
            }
        });
    }

    private void read(long first, ByteBuffer into) {
        try {
            reader.readAhead(volume, first, into);
        } catch (IOException failed) {
            LOG.debug("volume {}: could not be read ahead; who asks for it is told", volume, failed);
        }
    }
}
