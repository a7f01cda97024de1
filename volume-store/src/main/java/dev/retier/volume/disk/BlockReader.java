package dev.retier.volume.disk;

import dev.retier.volume.pool.Checksums;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.pool.JournalIndex.Source;
import dev.retier.volume.pool.MapPage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.Optional;

/** Reads blocks: from the cache, or from where they lie. Thread-safe. */
final class BlockReader {
    /** No version. */
    private static final long NEVER = -1;

    private final Stored stored;
    private final Known known;
    private final BlockCache cache;

    /** Where blocks lie. */
    record Stored(PoolFiles files, Journal journal, Geometry geometry) {}

    /**
     * A row of blocks that lie together: in the journal, else in a cluster, or nowhere.
     *
     * @param block the first one
     */
    record Piece(int count, long block, Optional<Source.Journalled> record, long place) {
        /** Whether nothing is kept of it. */
        boolean isHole() {
            return record.isEmpty() && place == MapPage.NOWHERE;
        }
    }

    BlockReader(Stored stored, Known known, BlockCache cache) {
        this.stored = stored;
        this.known = known;
        this.cache = cache;
    }

    /** Fills {@code into} with blocks, see {@link BlockCache#read}. */
    boolean read(int volume, long firstBlock, ByteBuffer into) throws IOException {
        return cache.read(volume, firstBlock, into, (first, run) -> load(volume, first, run));
    }

    /** See {@link BlockCache#readIfHere}. */
    BlockCache.Hit readIfHere(int volume, long firstBlock, ByteBuffer into) {
        return cache.readIfHere(volume, firstBlock, into);
    }

    /** As {@link #read}, past the cache: what is there stays, and as it was used. */
    void readPast(int volume, long firstBlock, ByteBuffer into) throws IOException {
        var _ = load(volume, firstBlock, into);
    }

    /** Whether nothing is kept of these blocks, which read as zeros. */
    boolean isHole(int volume, long first, long end) {
        return known.isHole(volume, first, end);
    }

    /** See {@link Known#find}. */
    List<Piece> pieces(int volume, long first, long end) {
        return known.find(volume, first, end).pieces();
    }

    /** See {@link BlockCache#forget}. */
    void forget(int volume, long first, long end) {
        cache.forget(volume, first, end);
    }

    /** For how many blocks the cache has room. */
    long cachedAtMost() {
        return cache.figures().frames();
    }

    /** See {@link BlockCache#readAhead}. */
    void readAhead(int volume, long firstBlock, ByteBuffer into) throws IOException {
        cache.readAhead(volume, firstBlock, into, (first, run) -> load(volume, first, run));
    }

    /** What nothing is kept of costs nothing to be read again. */
    private boolean load(int volume, long firstBlock, ByteBuffer into) throws IOException {
        List<Piece> pieces = locate(volume, firstBlock, into, new int[into.remaining() / Geometry.BLOCK_BYTES]);
        return !pieces.stream().allMatch(Piece::isHole);
    }

    /**
     * Reads blocks, and the checksum of each, from where they lie, and proves them; returns where that was. Refuses a
     * volume that is not there, or goes meanwhile, with {@link NoVolumeException}.
     */
    List<Piece> locate(int volume, long firstBlock, ByteBuffer into, int[] checksums) throws IOException {
        int start = into.position();
        for (long failedAt = NEVER; ; ) {
            into.position(start);
            Known.Found found = known.find(volume, firstBlock, firstBlock + checksums.length);
            try {
                read(found.pieces(), into, checksums);
                into.position(start);
                prove(volume, firstBlock, into, checksums);
                if (found.version() == known.version()) {
                    into.position(into.limit());
                    return found.pieces();
                }
            } catch (IOException failed) {
                // A checkpoint may have moved meanwhile what was looked up, or be writing over it.
                if (failedAt == found.version() && found.version() == known.version()) {
                    throw told(volume, firstBlock + (into.position() - start) / Geometry.BLOCK_BYTES, failed);
                }
                failedAt = found.version();
            }
        }
    }

    /** A disk that cannot read a block has lost that alone; one that is closed has lost none. */
    private static IOException told(int volume, long block, IOException failed) {
        boolean isKnown = failed instanceof CorruptBlockException || failed instanceof ClosedChannelException;
        return isKnown ? failed : new CorruptBlockException(volume, block, failed);
    }

    /**
     * Reads the pieces one behind the other, and the checksum of each of their blocks; nothing is proven. If that fails
     * {@code into} stands at the block that could not be read, or at the first whose checksum could not.
     */
    void read(List<Piece> pieces, ByteBuffer into, int[] checksums) throws IOException {
        int done = 0;
        for (Piece piece : pieces) {
            ByteBuffer data = into.slice(into.position(), piece.count * Geometry.BLOCK_BYTES);
            ByteBuffer sums = ByteBuffer.allocate(piece.count * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            try {
                read(piece, data, sums);
            } finally {
                into.position(into.position() + data.position() / Geometry.BLOCK_BYTES * Geometry.BLOCK_BYTES);
            }
            sums.flip().asIntBuffer().get(checksums, done, piece.count);
            done += piece.count;
        }
    }

    /** What is read of clusters next, and their checksums, come from the disk and not from the system's memory. */
    void fromTheDisk() {
        stored.files.clusters.forget();
        stored.files.sums.forget();
    }

    /** Whether its checksums are those of zeros; its data may be others. */
    boolean isZeroByItsSums(Piece piece) throws IOException {
        ByteBuffer sums = ByteBuffer.allocate(piece.count * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        read(piece, ByteBuffer.allocate(0), sums);
        sums.flip();
        boolean isZero = true;
        while (sums.hasRemaining()) {
            isZero &= sums.getInt() == Checksums.ZEROS;
        }
        return isZero;
    }

    /** Checksums first, without which the data says nothing. */
    private void read(Piece piece, ByteBuffer data, ByteBuffer sums) throws IOException {
        if (piece.record.isPresent()) {
            Source.Journalled record = piece.record.get();
            stored.journal.read(record.segment(), sums, record.sumOffset(piece.block));
            stored.journal.read(record.segment(), data, record.dataOffset(piece.block));
        } else if (piece.place == MapPage.NOWHERE) {
            while (data.hasRemaining()) {
                data.putLong(0);
            }
            while (sums.hasRemaining()) {
                sums.putInt(Checksums.ZEROS);
            }
        } else {
            int within = stored.geometry.inCluster(piece.block);
            stored.files.sums.read(sums, ClusterWriter.sumOffset(stored.geometry, piece.place, within));
            stored.files.clusters.read(data, ClusterWriter.dataOffset(stored.geometry, piece.place, within));
        }
    }

    /** Refuses blocks that are not what their checksums say. */
    private static void prove(int volume, long firstBlock, ByteBuffer blocks, int[] checksums) throws IOException {
        for (int i = 0; i < checksums.length; i++) {
            int at = blocks.position() + i * Geometry.BLOCK_BYTES;
            if (Checksums.of(blocks, at, Geometry.BLOCK_BYTES) != checksums[i]) {
                throw new CorruptBlockException(volume, firstBlock + i);
            }
        }
    }
}
