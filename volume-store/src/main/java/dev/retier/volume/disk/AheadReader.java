package dev.retier.volume.disk;

import dev.retier.volume.cache.SequentialRuns;
import dev.retier.volume.cache.SequentialRuns.Range;
import dev.retier.volume.pool.Geometry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings blocks of a volume to the cache that will soon be asked for, beside whoever reads. Thread-safe. */
final class AheadReader {
    private static final Logger LOG = LoggerFactory.getLogger(AheadReader.class);
    /** Pieces that wait at once; who reads faster than they come is not helped by more. */
    private static final int MOST_WAITING = 64;

    private final BlockReader reader;
    private final int volume;
    private final Consumer<Consumer<ByteBuffer>> aside;
    private final AtomicInteger waiting = new AtomicInteger();
    /** Guarded by this. */
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
    }

    /** Somebody has read these blocks, of which something was not here, or for the first time. */
    void after(long first, long end, long volumeEnd) {
        Optional<Range> due;
        synchronized (this) {
            due = runs.read(first, end, volumeEnd);
        }
        due.ifPresent(range -> next(range.first(), range.end()));
    }

    /** Piece by piece, so that others who read get their turns between them. */
    private void next(long first, long end) {
        if (waiting.incrementAndGet() > MOST_WAITING) {
            waiting.decrementAndGet();
            return;
        }
        aside.accept(scratch -> {
            waiting.decrementAndGet();
            long until = Math.min(end, first + scratch.remaining() / Geometry.BLOCK_BYTES);
            bring(first, scratch.limit(scratch.position() + (int) (until - first) * Geometry.BLOCK_BYTES));
            if (until < end) {
                next(until, end);
            }
        });
    }

    private void bring(long first, ByteBuffer into) {
        try {
            reader.readAhead(volume, first, into);
        } catch (IOException failed) {
            LOG.debug("volume {}: could not be read ahead; who asks for it is told", volume, failed);
        }
    }
}
