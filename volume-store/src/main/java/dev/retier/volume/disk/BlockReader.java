package dev.retier.volume.disk;

import dev.retier.volume.pool.Checksums;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.pool.JournalIndex.Source;
import dev.retier.volume.pool.MapPage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;

/** Reads blocks from where they lie. Thread-safe. */
final class BlockReader {
    private final PoolFiles files;
    private final Journal journal;
    private final Geometry geometry;

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

    BlockReader(PoolFiles files, Journal journal, Geometry geometry) {
        this.files = files;
        this.journal = journal;
        this.geometry = geometry;
    }

    /** Reads the pieces one behind the other, and the checksum of each of their blocks; nothing is proven. */
    void read(List<Piece> pieces, ByteBuffer into, int[] checksums) throws IOException {
        int done = 0;
        for (Piece piece : pieces) {
            ByteBuffer data = into.slice(into.position(), piece.count * Geometry.BLOCK_BYTES);
            ByteBuffer sums = ByteBuffer.allocate(piece.count * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            read(piece, data, sums);
            sums.flip().asIntBuffer().get(checksums, done, piece.count);
            into.position(into.position() + piece.count * Geometry.BLOCK_BYTES);
            done += piece.count;
        }
    }

    private void read(Piece piece, ByteBuffer data, ByteBuffer sums) throws IOException {
        if (piece.record.isPresent()) {
            Source.Journalled record = piece.record.get();
            journal.read(record.segment(), data, record.dataOffset(piece.block));
            journal.read(record.segment(), sums, record.sumOffset(piece.block));
        } else if (piece.place == MapPage.NOWHERE) {
            while (data.hasRemaining()) {
                data.putLong(0);
            }
            while (sums.hasRemaining()) {
                sums.putInt(Checksums.ZEROS);
            }
        } else {
            int within = geometry.inCluster(piece.block);
            files.clusters.read(data, Checkpoint.dataOffset(geometry, piece.place, within));
            files.sums.read(sums, Checkpoint.sumOffset(geometry, piece.place, within));
        }
    }

    /** Refuses blocks that are not what their checksums say. */
    static void prove(int volume, long firstBlock, ByteBuffer blocks, int[] checksums) throws IOException {
        for (int i = 0; i < checksums.length; i++) {
            int at = blocks.position() + i * Geometry.BLOCK_BYTES;
            if (Checksums.of(blocks, at, Geometry.BLOCK_BYTES) != checksums[i]) {
                throw new CorruptBlockException(volume, firstBlock + i);
            }
        }
    }
}
