package dev.retier.volume.disk;

import dev.retier.volume.disk.BlockReader.Piece;
import dev.retier.volume.pool.Catalogue;
import dev.retier.volume.pool.Checksums;
import dev.retier.volume.pool.ClusterMap;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.pool.MapPage;
import dev.retier.volume.pool.Superblock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Looks at a pool that no server has, and changes nothing: superblocks, catalogue, maps, whether a cluster is used
 * twice, the journal, and the checksum of each block that a server would read. Used by one thread, once.
 */
public final class PoolCheck {
    private static final int MOST_BLOCKS = 256;
    /** Clusters whose blocks have one set of bits. */
    private static final int TOGETHER = 1 << 16;

    private final Progress progress;
    private final List<Finding> findings = new ArrayList<>();
    /** Blocks of the file of clusters that were proven, so many in each; several volumes may have them. */
    private final Map<Long, BitSet> proven = new HashMap<>();

    /**
     * What was found.
     *
     * @param kind how bad it is
     * @param where in which file or volume
     * @param what for people
     */
    public record Finding(Kind kind, String where, String what) {}

    /** How bad it is. */
    public enum Kind {
        /** What the pool is. */
        FACT,
        /** What a crash leaves, and recovery mends. */
        RECOVERY,
        /** Something is not what was written. */
        DAMAGE,
        /** What is given up where {@link JournalCut} goes on without it. */
        LOST
    }

    /** Who hears how far it is. */
    public interface Progress {
        /** So many of all blocks have been read. */
        void at(long blocks, long all);
    }

    private PoolCheck(Progress progress) {
        this.progress = progress;
    }

    /**
     * All that is found in the pool on {@code disk}, which it closes.
     *
     * @throws IOException if it cannot be read
     */
    public static List<Finding> of(Disk disk, Progress progress) throws IOException {
        PoolCheck check = new PoolCheck(progress);
        try (PoolFiles files = new PoolFiles(disk)) {
            check.look(files);
        }
        return check.findings;
    }

    private void add(Kind kind, String where, String what) {
        findings.add(new Finding(kind, where, what));
    }

    private void look(PoolFiles files) throws IOException {
        Superblock newest;
        Catalogue catalogue;
        try {
            newest = files.newest();
            catalogue = files.catalogue(newest.checkpoint());
        } catch (IOException broken) {
            add(Kind.DAMAGE, "pool", String.valueOf(broken.getMessage()));
            return;
        }
        add(
                Kind.FACT,
                "pool",
                "format " + newest.format() + ", checkpoint " + newest.checkpoint() + ", clusters of "
                        + newest.geometry().clusterBytes() + " bytes");
        if (files.isOlder()) {
            add(Kind.RECOVERY, "pool", "is brought to format " + Superblock.FORMAT);
        }
        if (files.isSuspect()) {
            add(Kind.RECOVERY, "pool", "failed when it was open last: what the journal has is written anew");
        }
        Map<Integer, ClusterMap> maps = new HashMap<>();
        ClusterMap.Equals equals = new ClusterMap.Equals();
        for (Map.Entry<Integer, Catalogue.Entry> each : catalogue.entries().entrySet()) {
            String where =
                    "maps/" + each.getKey() + " of " + each.getValue().name().value();
            maps.put(each.getKey(), map(files, each.getKey(), newest.checkpoint(), equals, where));
        }
        new PlaceCheck(catalogue.entries(), maps).run((name, what) -> add(Kind.DAMAGE, name.value(), what));
        try {
            files.require(newest, maps);
        } catch (IOException broken) {
            add(Kind.DAMAGE, "maps", String.valueOf(broken.getMessage()));
        }
        Known known = new Known(newest.geometry(), catalogue, maps);
        try (Journal journal = new Journal(files.disk, Integer.MAX_VALUE)) {
            replay(journal, newest, known);
            BlockReader reader = new BlockReader(
                    new BlockReader.Stored(files, journal, newest.geometry()), known, BlockCache.none());
            blocks(known, reader, newest.geometry());
        }
    }

    private ClusterMap map(PoolFiles files, int volume, long checkpoint, ClusterMap.Equals equals, String where)
            throws IOException {
        return files.map(volume, checkpoint, equals, (at, why) -> {
            String slot = "slot " + at / MapPage.BYTES % 2 + " of page " + at / MapPage.BYTES / 2;
            add(
                    Kind.RECOVERY,
                    where,
                    slot
                            + switch (why) {
                                case OF_LATER -> " is of a checkpoint that did not end, and is taken away";
                                case BROKEN -> " is not good: the page of the checkpoint before counts";
                                case UNREAD -> " cannot be read: if nothing of it is needed it is written anew";
                            });
        });
    }

    private void replay(Journal journal, Superblock newest, Known known) throws IOException {
        AtomicLong records = new AtomicLong();
        JournalScan found = journal.scan(newest.firstSegment(), newest.firstNumber(), (record, at) -> {
            known.take(record, at);
            records.incrementAndGet();
        });
        add(Kind.FACT, Journal.FOLDER, "recovery reads " + records + " records");
        if (found.isBroken()) {
            add(Kind.DAMAGE, Journal.FOLDER, found.damage());
            return;
        }
        long behind = found.bytesBehind();
        if (behind > 0) {
            add(
                    Kind.RECOVERY,
                    Journal.FOLDER,
                    behind + " bytes behind the last good record are taken away: after a power cut they are what no"
                            + " flush has brought to the disk");
        }
    }

    private void blocks(Known known, BlockReader reader, Geometry geometry) throws IOException {
        Map<Integer, Catalogue.Entry> entries = known.catalogue().entries();
        long all = entries.values().stream()
                .mapToLong(entry -> Geometry.blocks(entry.bytes()))
                .sum();
        long done = 0;
        long kept = 0;
        for (Map.Entry<Integer, Catalogue.Entry> each : entries.entrySet()) {
            long end = Geometry.blocks(each.getValue().bytes());
            String name = each.getValue().name().value();
            for (long first = 0; first < end; first += MOST_BLOCKS) {
                long until = Math.min(end, first + MOST_BLOCKS);
                for (Piece piece : known.find(each.getKey(), first, until).pieces()) {
                    if (!piece.isHole() && piece.count() > 0 && isNew(piece, geometry)) {
                        kept += piece.count();
                        prove(reader, piece, name);
                    }
                }
                done += until - first;
                progress.at(done, all);
            }
        }
        add(Kind.FACT, "clusters", kept + " blocks of " + entries.size() + " volumes and snapshots were read");
    }

    /** Whether it has not been proven for another volume. */
    private boolean isNew(Piece piece, Geometry geometry) {
        if (piece.record().isPresent()) {
            return true;
        }
        BitSet some = proven.computeIfAbsent(piece.place() / TOGETHER, _ -> new BitSet());
        int first = (int) (piece.place() % TOGETHER) * geometry.clusterBlocks() + geometry.inCluster(piece.block());
        boolean isNew = some.nextClearBit(first) < first + piece.count();
        some.set(first, first + piece.count());
        return isNew;
    }

    private void prove(BlockReader reader, Piece piece, String name) {
        ByteBuffer data = ByteBuffer.allocate(piece.count() * Geometry.BLOCK_BYTES);
        int[] checksums = new int[piece.count()];
        try {
            reader.read(List.of(piece), data, checksums);
        } catch (IOException failed) {
            add(Kind.DAMAGE, name, "block " + piece.block() + " and those behind it cannot be read: " + failed);
            return;
        }
        for (int i = 0; i < checksums.length; i++) {
            if (Checksums.of(data, i * Geometry.BLOCK_BYTES, Geometry.BLOCK_BYTES) != checksums[i]) {
                add(Kind.DAMAGE, name, "block " + (piece.block() + i) + " is not what was written");
            }
        }
    }
}
