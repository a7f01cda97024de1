package dev.retier.volume.disk;

import dev.retier.volume.NoSpaceException;
import dev.retier.volume.disk.Disk.DiskFile;
import dev.retier.volume.pool.Checksums;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.pool.JournalIndex.Source;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.BitSet;

/** Writes blocks and their checksums to clusters; what is lost by the rule of {@link Unread}. Used by one thread. */
final class ClusterWriter {
    private static final int BLOCK = Geometry.BLOCK_BYTES;

    private final PoolFiles files;
    private final Geometry geometry;
    private final Journal journal;

    ClusterWriter(PoolFiles files, Geometry geometry, Journal journal) {
        this.files = files;
        this.geometry = geometry;
        this.journal = journal;
    }

    /** Where a block of the cluster at {@code place} lies. */
    static long dataOffset(Geometry geometry, long place, int block) {
        return place * geometry.clusterBytes() + (long) block * BLOCK;
    }

    /** Where its checksum lies. */
    static long sumOffset(Geometry geometry, long place, int block) {
        return (place * geometry.clusterBlocks() + block) * Integer.BYTES;
    }

    private static ByteBuffer sums(int count) {
        return ByteBuffer.allocate(count * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Zeros for so many blocks of a cluster. */
    void fill(long place, int block, int count) throws IOException {
        ByteBuffer zeros = sums(count);
        while (zeros.hasRemaining()) {
            zeros.putInt(Checksums.ZEROS);
        }
        write(place, block, ByteBuffer.allocate(count * BLOCK), zeros.flip());
    }

    private void write(long place, int block, ByteBuffer data, ByteBuffer sums) throws IOException {
        files.clusters.write(data, dataOffset(geometry, place, block));
        writeSums(sums, sumOffset(geometry, place, block));
    }

    /** All of a cluster to another place, as it is; which of its blocks are lost since they cannot be read. */
    BitSet copy(long from, long to) throws IOException {
        return copy(
                new Blocks(files.clusters, dataOffset(geometry, from, 0), geometry.clusterBlocks()),
                files.sums,
                sumOffset(geometry, from, 0),
                to,
                0);
    }

    /** Blocks of a record to a cluster; which of them, from the first one on, are lost since they cannot be read. */
    BitSet copy(Source.Journalled record, long block, int count, long place, int within) throws IOException {
        DiskFile segment = journal.segment(record.segment());
        return copy(
                new Blocks(segment, record.dataOffset(block), count), segment, record.sumOffset(block), place, within);
    }

    private record Blocks(DiskFile file, long offset, int count) {}

    private BitSet copy(Blocks from, DiskFile sumsFile, long sumsOffset, long place, int within) throws IOException {
        ByteBuffer data = ByteBuffer.allocate(from.count * BLOCK);
        Unread noData = Unread.reading(from.file, data, from.offset);
        ByteBuffer sums = sums(from.count);
        Unread noSums = Unread.reading(sumsFile, sums, sumsOffset);
        BitSet lost = new BitSet();
        for (int i = 0; i < from.count; i++) {
            boolean isUnread = noData.touches(from.offset + (long) i * BLOCK, BLOCK)
                    || noSums.touches(sumsOffset + (long) i * Integer.BYTES, Integer.BYTES);
            lost.set(i, isUnread && Checksums.of(data, i * BLOCK, BLOCK) != sums.getInt(i * Integer.BYTES));
        }
        write(place, within, data.flip(), sums.flip());
        return lost;
    }

    private void writeSums(ByteBuffer sums, long offset) throws IOException {
        try {
            files.sums.write(sums.duplicate(), offset);
        } catch (NoSpaceException full) {
            throw full;
        } catch (IOException failed) {
            writeWholePages(sums, offset);
        }
    }

    /** With them blocks of other clusters are lost of which nothing can be proven any more. */
    private void writeWholePages(ByteBuffer sums, long offset) throws IOException {
        long first = offset / Unread.PAGE_BYTES * Unread.PAGE_BYTES;
        long end = Math.ceilDiv(offset + sums.remaining(), Unread.PAGE_BYTES) * Unread.PAGE_BYTES;
        ByteBuffer pages = sums((int) (end - first) / Integer.BYTES);
        var _ = Unread.reading(files.sums, pages, first);
        pages.put((int) (offset - first), sums, sums.position(), sums.remaining());
        files.sums.write(pages.clear(), first);
    }
}
