package dev.retier.volume.disk;

import dev.retier.volume.Volume;
import dev.retier.volume.disk.BlockReader.Piece;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.pool.JournalRecord.Stamp;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/** A volume of a pool of this process, by bytes: parts of blocks are read, changed and written. Thread-safe. */
public final class PoolVolume implements Volume {
    private static final int BLOCK = Geometry.BLOCK_BYTES;
    /** Of one record of the journal, and of what is read at once. */
    private static final int MOST_BLOCKS = 256;
    /** The epoch of who changes nothing. */
    private static final int FOR_READING = 0;

    private final Pool pool;
    private final int number;
    private final int epoch;
    private final AtomicLong sequence = new AtomicLong();
    private final BlockRanges changing;
    private final AheadReader ahead;

    /** One that minds whoever else changes {@code changing}. */
    PoolVolume(Pool pool, int number, int epoch, BlockRanges changing, AheadReader ahead) {
        this.ahead = ahead;
        this.pool = pool;
        this.number = number;
        this.epoch = epoch;
        this.changing = changing;
        ahead.use(this);
    }

    /** Nobody uses it any more: what it was to have read ahead is left out, and nothing comes to that. */
    public void leave() {
        ahead.leave(this);
    }

    @Override
    public long bytes() {
        return pool.entry(number).bytes();
    }

    private void require(long offset, long length) {
        long all = bytes();
        if (offset < 0 || length < 0 || length > all || offset > all - length) {
            throw new IllegalArgumentException(
                    length + " bytes at " + offset + " of " + pool.entry(number).name() + ", which has " + all);
        }
    }

    private Stamp next() {
        return new Stamp(epoch, sequence.incrementAndGet());
    }

    @Override
    public void read(long offset, ByteBuffer into) throws IOException {
        read(offset, into, false);
    }

    /** As {@link #read(long, ByteBuffer)}; what is read once changes nothing of what is in the cache. */
    public void read(long offset, ByteBuffer into, boolean isOnce) throws IOException {
        require(offset, into.remaining());
        int limit = into.limit();
        for (long at = offset; into.hasRemaining(); ) {
            int inBlock = (int) (at % BLOCK);
            int count = Math.min(limit - into.position(), MOST_BLOCKS * BLOCK - inBlock);
            boolean isWhole = inBlock == 0 && count >= BLOCK;
            if (isWhole) {
                count -= count % BLOCK;
                into.limit(into.position() + count);
                if (isOnce) {
                    pool.reader().readPast(number, at / BLOCK, into);
                } else if (pool.read(number, at / BLOCK, into)) {
                    ahead.after(this, at / BLOCK, (at + count) / BLOCK, Geometry.blocks(bytes()));
                }
                into.limit(limit);
            } else {
                ByteBuffer block = block(at / BLOCK, isOnce);
                count = Math.min(count, BLOCK - inBlock);
                into.put(block.slice(inBlock, count));
            }
            at += count;
        }
    }

    private static boolean areWholeBlocks(long offset, int length) {
        return offset % BLOCK == 0 && length % BLOCK == 0 && length > 0 && length <= MOST_BLOCKS * BLOCK;
    }

    /**
     * As {@link #read(long, ByteBuffer)}, where all of it is in the cache.
     *
     * @return whether it is; else nothing is read, and nothing was waited for
     */
    public boolean readNow(long offset, ByteBuffer into) {
        require(offset, into.remaining());
        if (!areWholeBlocks(offset, into.remaining())) {
            return false;
        }
        long first = offset / BLOCK;
        long end = first + into.remaining() / BLOCK;
        BlockCache.Hit hit = pool.reader().readIfHere(number, first, into);
        if (hit == BlockCache.Hit.READ_AHEAD) {
            ahead.after(this, first, end, Geometry.blocks(bytes()));
        }
        return hit != BlockCache.Hit.NONE;
    }

    private ByteBuffer block(long block, boolean isOnce) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(BLOCK);
        if (isOnce) {
            pool.reader().readPast(number, block, bytes);
        } else {
            var _ = pool.read(number, block, bytes);
        }
        return bytes.clear();
    }

    /**
     * What will be needed is read ahead, beside whoever reads: of what waits for that at a time 64 MiB, and no more
     * than half of the cache has room for; more is left out. Who reads alone takes nothing out of the cache, which
     * others may use.
     */
    @Override
    public void hint(long offset, long length, Hint hint) {
        require(offset, length);
        switch (hint) {
            case WILL_NEED -> {
                if (length > 0) {
                    ahead.bring(this, offset / BLOCK, Geometry.blocks(offset + length));
                }
            }
            case WILL_NOT_NEED -> {
                if (epoch == FOR_READING) {
                    return;
                }
                Range whole = Range.ofWholeBlocks(offset, length);
                long first = whole.offset() / BLOCK;
                pool.reader().forget(number, first, first + whole.bytes() / BLOCK);
            }
        }
    }

    @Override
    public void write(long offset, ByteBuffer from, Set<Option> options) throws IOException {
        require(offset, from.remaining());
        if (options.contains(Option.WHOLE)) {
            Volume.requireWhole(offset, from.remaining()); // such a range is one record below
        }
        int limit = from.limit();
        for (long at = offset; from.hasRemaining(); ) {
            int inBlock = (int) (at % BLOCK);
            int count = Math.min(limit - from.position(), MOST_BLOCKS * BLOCK);
            boolean isWhole = inBlock == 0 && count >= BLOCK;
            count = isWhole ? count - count % BLOCK : Math.min(count, BLOCK - inBlock);
            from.limit(from.position() + count);
            long first = at / BLOCK;
            try (var _ = changing.hold(first, first + Math.max(1, count / BLOCK))) {
                ByteBuffer whole =
                        isWhole ? from.slice() : block(first, false).put(inBlock, from, from.position(), count);
                pool.write(number, next(), first, whole);
            }
            from.position(from.limit()).limit(limit);
            at += count;
        }
        flushIf(options);
    }

    private void flushIf(Set<Option> options) throws IOException {
        if (options.contains(Option.FORCED)) {
            flush();
        }
    }

    @Override
    public void zero(long offset, long length, Set<Option> options) throws IOException {
        require(offset, length);
        long end = offset + length;
        long firstWhole = Geometry.blocks(offset) * BLOCK;
        long endWhole = end / BLOCK * BLOCK;
        zeroPart(offset, Math.min(firstWhole, end));
        if (endWhole > firstWhole) {
            try (var _ = changing.hold(firstWhole / BLOCK, endWhole / BLOCK)) {
                zeroBlocks(firstWhole / BLOCK, endWhole / BLOCK);
            }
        }
        zeroPart(Math.max(firstWhole, endWhole), end);
        flushIf(options);
    }

    /** Where nothing is kept of them there is nothing to say: of many small trims each would take room and memory. */
    private void zeroBlocks(long first, long end) throws IOException {
        pool.requireChangeable();
        if (!pool.reader().isHole(number, first, end)) {
            pool.zero(number, next(), first, end - first);
        }
    }

    /** Of one block at most; where nothing is kept of it, nothing needs to be. */
    private void zeroPart(long from, long to) throws IOException {
        if (to > from && !extents(from, to - from).getFirst().isHole()) {
            write(from, ByteBuffer.allocate((int) (to - from)));
        }
    }

    @Override
    public void flush() throws IOException {
        pool.flush();
    }

    @Override
    public List<Extent> extents(long offset, long length) {
        require(offset, length);
        if (length == 0) {
            return List.of();
        }
        long end = offset + length;
        List<Extent> found = new ArrayList<>();
        long at = offset / BLOCK * BLOCK;
        for (Piece piece : pool.reader().pieces(number, offset / BLOCK, Geometry.blocks(end))) {
            long from = Math.max(at, offset);
            at += (long) piece.count() * BLOCK;
            long bytes = Math.min(at, end) - from;
            if (!found.isEmpty() && found.getLast().isHole() == piece.isHole()) {
                bytes += found.removeLast().bytes();
            }
            if (bytes > 0) {
                found.add(new Extent(bytes, piece.isHole()));
            }
        }
        return found;
    }
}
