package dev.retier.volume.disk;

import dev.retier.volume.cache.BlockKey;
import dev.retier.volume.cache.CacheFigures;
import dev.retier.volume.cache.CachePolicy;
import dev.retier.volume.disk.CachePart.Range;
import dev.retier.volume.disk.CachePart.Wanted;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.pool.JournalRecord;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Blocks of volumes in memory: those that were read or written last, or often. It holds nothing that is not in the
 * journal or the clusters. Rows of {@value #ROW_BLOCKS} blocks belong to one of its parts, which has a lock, held while
 * blocks are copied and never while something is read or written: a read of blocks that are here takes one lock for
 * each of their rows.
 *
 * <p><b>Never old.</b> While something changes blocks ({@link #changing}) nobody finds them here, and who reads them
 * meanwhile asks those who know where they are, for whom a change is there or not. What somebody has begun to read
 * before a change or while it goes on is not kept. Thread-safe.
 */
public final class BlockCache {
    private static final int ROW_BLOCKS = 16;
    private static final int MOST_PARTS = 16;
    /** A part of fewer blocks would know too little of what is used often. */
    private static final int LEAST_FRAMES = 256;

    private final List<CachePart> parts;

    private BlockCache(List<CachePart> parts) {
        this.parts = parts;
    }

    /** One that keeps nothing. */
    public static BlockCache none() {
        return new BlockCache(List.of());
    }

    /** One that keeps {@code bytes} of blocks, all of which it takes now, outside of the heap; none without a block. */
    public static BlockCache of(long bytes, CachePolicy policy) {
        long frames = bytes / Geometry.BLOCK_BYTES;
        if (frames == 0) {
            return none();
        }
        long count = Math.clamp(Long.highestOneBit(frames / LEAST_FRAMES), 1, MOST_PARTS);
        int each = Math.toIntExact(frames / count);
        return new BlockCache(Stream.generate(() -> new CachePart(policy.shape(each)))
                .limit(count)
                .toList());
    }

    /** Reads blocks that are not here. */
    interface Source {
        /**
         * Fills {@code into}.
         *
         * @return whether they are worth to be kept
         */
        boolean read(long firstBlock, ByteBuffer into) throws IOException;
    }

    private CachePart part(int volume, long block) {
        int hash = BlockKey.hash(BlockKey.of(volume, block / ROW_BLOCKS));
        return parts.get(hash & (parts.size() - 1));
    }

    private boolean keeps(int volume, long end) {
        return !parts.isEmpty() && BlockKey.exists(volume, end);
    }

    private static long endOfRow(long block, long end) {
        return Math.min((block / ROW_BLOCKS + 1) * ROW_BLOCKS, end);
    }

    /**
     * Reads whole blocks: what is here is copied, the rest comes from {@code source} and is here then.
     *
     * @return whether something was not here, or is asked for the first time since it was read ahead
     */
    boolean read(int volume, long first, ByteBuffer into, Source source) throws IOException {
        return read(volume, first, into, source, false);
    }

    /** What came of a read that waits for nothing. */
    enum Hit {
        /** Something is not here: nothing was read. */
        NONE,
        /** All of it was here. */
        ALL,
        /** And some of it is asked for the first time since it was read ahead. */
        READ_AHEAD
    }

    /** Reads whole blocks if all of them are here. */
    Hit readIfHere(int volume, long first, ByteBuffer into) {
        long end = first + into.remaining() / Geometry.BLOCK_BYTES;
        if (!keeps(volume, end) || !areInOtherRows(volume, first, end)) {
            return Hit.NONE;
        }
        Wanted wanted = new Wanted(volume, first, MemorySegment.ofBuffer(into), false);
        for (long block = first; block < end; block = endOfRow(block, end)) {
            if (!part(volume, block).readIfHere(wanted, block, endOfRow(block, end))) {
                return Hit.NONE;
            }
        }
        into.position(into.limit());
        return wanted.isFirst ? Hit.READ_AHEAD : Hit.ALL;
    }

    /** So that nothing of the first row counts as read where another one is not here. */
    private boolean areInOtherRows(int volume, long first, long end) {
        boolean areHere = true;
        for (long block = endOfRow(first, end); block < end && areHere; block = endOfRow(block, end)) {
            areHere = part(volume, block).has(volume, block, endOfRow(block, end));
        }
        return areHere;
    }

    /** What of these blocks is not here is then, before anybody asks for it; {@code into} is overwritten. */
    void readAhead(int volume, long first, ByteBuffer into, Source source) throws IOException {
        if (!parts.isEmpty()) {
            read(volume, first, into, source, true);
        }
    }

    private boolean read(int volume, long first, ByteBuffer into, Source source, boolean isAhead) throws IOException {
        long end = first + into.remaining() / Geometry.BLOCK_BYTES;
        if (!keeps(volume, end)) {
            source.read(first, into);
            return false;
        }
        Wanted wanted = new Wanted(volume, first, MemorySegment.ofBuffer(into), isAhead);
        for (long block = first; block < end; block = endOfRow(block, end)) {
            part(volume, block).read(wanted, block, endOfRow(block, end));
        }
        if (!wanted.fills.isEmpty()) {
            fill(wanted, first, into.slice(), source);
        }
        into.position(into.limit());
        return !wanted.fills.isEmpty() || wanted.isFirst;
    }

    private static void fill(Wanted wanted, long first, ByteBuffer into, Source source) throws IOException {
        BitSet kept = new BitSet();
        try {
            int from = wanted.missing.nextSetBit(0);
            while (from >= 0) {
                int until = wanted.missing.nextClearBit(from);
                ByteBuffer run = into.slice(from * Geometry.BLOCK_BYTES, (until - from) * Geometry.BLOCK_BYTES);
                if (source.read(first + from, run)) {
                    kept.set(from, until);
                }
                from = wanted.missing.nextSetBit(until);
            }
        } finally {
            wanted.fills.forEach(fill -> fill.end(kept));
        }
    }

    /** These blocks are not here any more; but for what somebody is reading just now, which may be here then. */
    void forget(int volume, long first, long end) {
        if (!keeps(volume, end)) {
            return;
        }
        if ((end - first) / ROW_BLOCKS > figures().frames()) {
            parts.forEach(part -> part.forget(new Range(volume, first, end)));
        } else { // so that each lock is held for a row alone
            for (long block = first; block < end; block = endOfRow(block, end)) {
                part(volume, block).forget(new Range(volume, block, endOfRow(block, end)));
            }
        }
    }

    private static Range range(JournalRecord record) {
        int volume = record.volume();
        return switch (record) {
            case JournalRecord.Written written ->
                new Range(volume, written.firstBlock(), written.firstBlock() + written.blocks());
            case JournalRecord.Zeroed zeroed ->
                new Range(volume, zeroed.firstBlock(), zeroed.firstBlock() + zeroed.blocks());
            case JournalRecord.Resized resized -> new Range(volume, Geometry.blocks(resized.bytes()), Long.MAX_VALUE);
            case JournalRecord.Deleted _, JournalRecord.RolledBack _ -> new Range(volume, 0, Long.MAX_VALUE);
            case JournalRecord.Created _, JournalRecord.Copied _, JournalRecord.Attached _ -> Range.NONE;
        };
    }

    /** A change is about to be made; one at a time. */
    Changing changing(JournalRecord record) {
        return new Changing(record);
    }

    /** A change, from before it is made until after it; to be closed in any case. */
    final class Changing implements AutoCloseable {
        private final JournalRecord record;
        private final Range range;
        private final Set<CachePart> touched;
        private boolean isMade;

        private Changing(JournalRecord record) {
            this.record = record;
            this.range = range(record);
            this.touched = touched(range);
            touched.forEach(part -> part.change(range));
        }

        /** It is in the journal, and found there. */
        void made() {
            isMade = true;
        }

        @Override
        public void close() {
            boolean isTrue = isMade && record instanceof JournalRecord.Written;
            if (isTrue) {
                put(MemorySegment.ofBuffer(((JournalRecord.Written) record).data()));
            }
            touched.forEach(part -> part.changed(isTrue));
        }

        private void put(MemorySegment data) {
            if (keeps(range.volume(), range.end())) {
                for (long block = range.first(); block < range.end(); block = endOfRow(block, range.end())) {
                    long at = (block - range.first()) * Geometry.BLOCK_BYTES;
                    part(range.volume(), block).put(range.volume(), block, endOfRow(block, range.end()), data, at);
                }
            }
        }
    }

    private Set<CachePart> touched(Range range) {
        Set<CachePart> touched = new LinkedHashSet<>();
        long rows = (range.end() - range.first()) / ROW_BLOCKS;
        if (rows >= parts.size()) {
            touched.addAll(parts);
        } else {
            for (long block = range.first(); block < range.end(); block = endOfRow(block, range.end())) {
                touched.add(part(range.volume(), block));
            }
        }
        return touched;
    }

    /** What it has done. */
    public CacheFigures figures() {
        return parts.stream().map(CachePart::figures).reduce(CacheFigures.NONE, CacheFigures::plus);
    }
}
