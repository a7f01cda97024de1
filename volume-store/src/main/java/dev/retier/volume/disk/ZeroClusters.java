package dev.retier.volume.disk;

import dev.retier.volume.disk.BlockReader.Piece;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.pool.JournalRecord.Stamp;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Finds clusters of a volume in which only zeros were written, as file systems that do not say what they free have
 * after somebody has filled that with zeros, and has them kept no more. The volume may be in use. Used by one thread.
 */
final class ZeroClusters {
    private static final long MOST_LOOKED_AT = 1 << 16;
    private static final ByteBuffer ZEROS = ByteBuffer.allocate(Geometry.BLOCK_BYTES);

    private final Pool pool;
    private final Known known;
    private final BlockReader reader;
    private final Geometry geometry;

    ZeroClusters(Pool pool, Known known, BlockReader reader, Geometry geometry) {
        this.pool = pool;
        this.known = known;
        this.reader = reader;
        this.geometry = geometry;
    }

    /** What of a part of a volume is not kept any more; none is {@link Scrub.Part#broken}. */
    Scrub.Part free(int volume, long firstBlock, BlockRanges changing) throws IOException {
        int blocks = geometry.clusterBlocks();
        long end = Geometry.blocks(pool.entry(volume).bytes());
        long first = firstBlock / blocks * blocks;
        long until = Math.min(end, first + MOST_LOOKED_AT / blocks * blocks + blocks);
        long freed = 0;
        for (long block = first; block + blocks <= until; block += blocks) {
            if (isPlaced(volume, block) && isZero(volume, block)) {
                try (var _ = changing.hold(block, block + blocks)) {
                    if (isZero(volume, block)) {
                        pool.zero(volume, Stamp.NOBODY, block, blocks);
                        freed += geometry.clusterBytes();
                    }
                }
            }
        }
        return new Scrub.Part(until, freed, List.of(), true);
    }

    /** Whether it is in a cluster whose checksums are those of zeros. */
    private boolean isPlaced(int volume, long block) throws IOException {
        List<Piece> pieces = known.find(volume, block, block + geometry.clusterBlocks()).pieces().stream()
                .filter(piece -> piece.count() > 0)
                .toList();
        return pieces.size() == 1 && !pieces.getFirst().isHole() && reader.isZeroByItsSums(pieces.getFirst());
    }

    private boolean isZero(int volume, long block) throws IOException {
        ByteBuffer data = ByteBuffer.allocate(geometry.clusterBytes());
        reader.locate(volume, block, data, new int[geometry.clusterBlocks()]);
        for (int at = 0; at < data.capacity(); at += Geometry.BLOCK_BYTES) {
            if (!data.slice(at, Geometry.BLOCK_BYTES).equals(ZEROS)) {
                return false;
            }
        }
        return true;
    }
}
