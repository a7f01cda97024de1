package dev.retier.volume.disk;

import dev.retier.volume.disk.Disk.DiskFile;
import dev.retier.volume.pool.Catalogue;
import dev.retier.volume.pool.Checksums;
import dev.retier.volume.pool.ClusterMap;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.pool.JournalIndex;
import dev.retier.volume.pool.JournalIndex.Row;
import dev.retier.volume.pool.JournalIndex.Source;
import dev.retier.volume.pool.MapPage;
import dev.retier.volume.pool.Places;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleConsumer;

/**
 * Brings what the journal tells to the clusters. Blocks of clusters that have a place are written over: until the
 * superblock says that the checkpoint has ended, the journal has them as well. Used by one thread, once.
 */
final class Checkpoint {
    private final Geometry geometry;
    private final JournalIndex index;
    private final Journal journal;
    private final DiskFile clusters;
    private final DiskFile sums;
    private final Places places;

    /** By volume and cluster: where it lies once the checkpoint has ended. */
    private final Map<Integer, Map<Long, Long>> moved = new HashMap<>();
    /** What can be given again once it has ended. */
    private final List<Long> freed = new ArrayList<>();

    Checkpoint(PoolFiles files, Geometry geometry, JournalIndex index, Journal journal, Places places) {
        this.geometry = geometry;
        this.index = index;
        this.journal = journal;
        this.places = places;
        this.clusters = files.clusters;
        this.sums = files.sums;
    }

    /**
     * Writes the blocks of all volumes of {@code catalogue}; all of them are on the disk when it returns.
     *
     * @param progress hears which share of them is written
     */
    void bring(Catalogue catalogue, Map<Integer, ClusterMap> maps, DoubleConsumer progress) throws IOException {
        long all = blocks();
        long done = 0;
        for (int volume : index.volumes()) {
            if (catalogue.entries().containsKey(volume)) {
                ClusterMap map = maps.getOrDefault(volume, new ClusterMap());
                for (Row row : index.of(volume)) {
                    switch (row.source()) {
                        case Source.Zeros _ -> zero(volume, map, row);
                        case Source.Journalled record -> {
                            write(volume, map, row, record);
                            done += row.end() - row.first();
                            progress.accept((double) done / all);
                        }
                    }
                }
            }
        }
        maps.forEach((volume, map) -> {
            if (!catalogue.entries().containsKey(volume)) {
                freed.addAll(map.places());
            }
        });
        clusters.force();
        sums.force();
    }

    private long blocks() {
        long blocks = 0;
        for (int volume : index.volumes()) {
            for (Row row : index.of(volume)) {
                blocks += row.source() instanceof Source.Journalled ? row.end() - row.first() : 0;
            }
        }
        return blocks;
    }

    Map<Integer, Map<Long, Long>> moved() {
        return moved;
    }

    List<Long> freed() {
        return freed;
    }

    private void zero(int volume, ClusterMap map, Row row) throws IOException {
        int blocks = geometry.clusterBlocks();
        for (long cluster : map.clustersFrom(geometry.clusterOf(row.first()))) {
            long begin = cluster * blocks;
            if (begin >= row.end()) {
                return;
            }
            long from = Math.max(begin, row.first());
            long until = Math.min(begin + blocks, row.end());
            long place = placeOf(volume, map, cluster);
            if (until - from == blocks) {
                freed.add(place);
                moved.computeIfAbsent(volume, _ -> new HashMap<>()).put(cluster, MapPage.NOWHERE);
            } else if (place != MapPage.NOWHERE) {
                fill(place, (int) (from - begin), (int) (until - from));
            }
        }
    }

    private long placeOf(int volume, ClusterMap map, long cluster) {
        Long place = moved.getOrDefault(volume, Map.of()).get(cluster);
        return place == null ? map.placeOf(cluster) : place;
    }

    /** Zeros for so many blocks of a cluster. */
    private void fill(long place, int block, int count) throws IOException {
        clusters.write(ByteBuffer.allocate(count * Geometry.BLOCK_BYTES), dataOffset(geometry, place, block));
        ByteBuffer zeros = ByteBuffer.allocate(count * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        while (zeros.hasRemaining()) {
            zeros.putInt(Checksums.ZEROS);
        }
        sums.write(zeros.flip(), sumOffset(geometry, place, block));
    }

    private void write(int volume, ClusterMap map, Row row, Source.Journalled record) throws IOException {
        int blocks = geometry.clusterBlocks();
        for (long block = row.first(); block < row.end(); ) {
            long cluster = geometry.clusterOf(block);
            int within = geometry.inCluster(block);
            int count = (int) Math.min(row.end() - block, blocks - within);
            long place = placeOf(volume, map, cluster);
            if (place == MapPage.NOWHERE) {
                place = places.give();
                moved.computeIfAbsent(volume, _ -> new HashMap<>()).put(cluster, place);
                if (count < blocks) {
                    fill(place, 0, blocks);
                }
            }
            copy(record, block, count, place, within);
            block += count;
        }
    }

    private void copy(Source.Journalled record, long block, int count, long place, int within) throws IOException {
        ByteBuffer data = ByteBuffer.allocate(count * Geometry.BLOCK_BYTES);
        journal.read(record.segment(), data, record.dataOffset(block));
        clusters.write(data.flip(), dataOffset(geometry, place, within));
        ByteBuffer checksums = ByteBuffer.allocate(count * Integer.BYTES);
        journal.read(record.segment(), checksums, record.sumOffset(block));
        sums.write(checksums.flip(), sumOffset(geometry, place, within));
    }

    /** Where a block of the cluster at {@code place} lies. */
    static long dataOffset(Geometry geometry, long place, int block) {
        return place * geometry.clusterBytes() + (long) block * Geometry.BLOCK_BYTES;
    }

    /** Where its checksum lies. */
    static long sumOffset(Geometry geometry, long place, int block) {
        return (place * geometry.clusterBlocks() + block) * Integer.BYTES;
    }
}
