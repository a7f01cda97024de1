package dev.retier.volume.disk;

import dev.retier.volume.VolumeName;
import dev.retier.volume.pool.Catalogue;
import dev.retier.volume.pool.Checksums;
import dev.retier.volume.pool.ClusterMap;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.pool.JournalCodec;
import dev.retier.volume.pool.JournalIndex;
import dev.retier.volume.pool.JournalIndex.Row;
import dev.retier.volume.pool.JournalIndex.Source;
import dev.retier.volume.pool.JournalRecord;
import dev.retier.volume.pool.JournalRecord.Stamp;
import dev.retier.volume.pool.MapPage;
import dev.retier.volume.pool.Places;
import dev.retier.volume.pool.Superblock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * The volumes of one folder. A change is in the journal before it is answered; a {@link #flush} brings the journal to
 * the disk; a {@link #checkpoint} brings what it tells to the clusters, so that it can be forgotten. Thread-safe.
 */
public final class Pool implements AutoCloseable {
    private final PoolFiles files;
    private final Journal journal;
    /** For one who appends, or begins a checkpoint. */
    private final ReentrantLock appending = new ReentrantLock();
    /** For one who makes a checkpoint. */
    private final ReentrantLock checkpointing = new ReentrantLock();

    /** Guards what follows. */
    private final ReadWriteLock knowing = new ReentrantReadWriteLock();

    private final Map<Integer, ClusterMap> maps = new HashMap<>();
    private final Places places = new Places();
    private JournalIndex fresh = new JournalIndex();
    /** What a checkpoint under way brings to the clusters. */
    private JournalIndex frozen = new JournalIndex();

    private Catalogue catalogue;
    private Superblock superblock;

    private Pool(PoolFiles files, int segmentBytes) throws IOException {
        this.files = files;
        this.superblock = files.newest();
        this.catalogue = files.catalogue(superblock.checkpoint());
        this.journal = new Journal(files.disk, segmentBytes);
        for (int volume : catalogue.entries().keySet()) {
            ClusterMap map = files.map(volume, superblock.checkpoint());
            maps.put(volume, map);
            map.places().forEach(places::take);
        }
        journal.recover(superblock.firstSegment(), superblock.firstNumber(), this::known);
    }

    /**
     * Makes an empty pool of a folder without one.
     *
     * @param id its own, drawn by the caller
     */
    public static void make(Disk disk, UUID id, Geometry geometry) throws IOException {
        PoolFiles.make(disk, id, geometry);
    }

    /**
     * Opens the pool: reads what the newest checkpoint and the journal say.
     *
     * @param segmentBytes of a segment of the journal
     * @throws IOException if it cannot be read, or is no pool; the message says what is broken
     */
    public static Pool open(Disk disk, int segmentBytes) throws IOException {
        return new Pool(new PoolFiles(disk), segmentBytes);
    }

    /** Takes note of a record that is in the journal, there. */
    private void known(JournalRecord record, Journal.Place at) {
        catalogue = catalogue.after(record);
        switch (record) {
            case JournalRecord.Written written -> {
                int blocks = written.blocks();
                Source source = new Source.Journalled(
                        at.segment(),
                        written.firstBlock(),
                        at.offset() + JournalCodec.dataOffset(blocks),
                        at.offset() + JournalCodec.HEADER_BYTES);
                fresh.set(written.volume(), new Row(written.firstBlock(), written.firstBlock() + blocks, source));
            }
            case JournalRecord.Zeroed zeroed ->
                fresh.set(
                        zeroed.volume(),
                        new Row(zeroed.firstBlock(), zeroed.firstBlock() + zeroed.blocks(), new Source.Zeros()));
            case JournalRecord.Resized resized -> {
                long end = Geometry.blocks(resized.bytes());
                fresh.set(resized.volume(), new Row(end, Long.MAX_VALUE, new Source.Zeros()));
            }
            case JournalRecord.Deleted deleted -> fresh.forget(deleted.volume());
            case JournalRecord.Created _, JournalRecord.Attached _ -> {}
        }
    }

    /** What volumes there are. */
    public Catalogue catalogue() {
        knowing.readLock().lock();
        try {
            return catalogue;
        } finally {
            knowing.readLock().unlock();
        }
    }

    /** Makes a volume of zeros; its number. */
    public int create(VolumeName name, long bytes) throws IOException {
        appending.lock();
        try {
            if (catalogue.numberOf(name).isPresent()) {
                throw new IOException("there is a volume " + name + " already");
            }
            int number = catalogue.lastNumber() + 1;
            append(new JournalRecord.Created(number, name, bytes));
            return number;
        } finally {
            appending.unlock();
        }
    }

    /** Takes the volume away, and all that it held. */
    public void delete(int volume) throws IOException {
        append(new JournalRecord.Deleted(volume));
    }

    /** Gives it another size: what comes anew is zeros, what lies behind is gone. */
    public void resize(int volume, long bytes) throws IOException {
        append(new JournalRecord.Resized(volume, bytes));
    }

    /** Whole blocks that read as zeros from now on; their clusters can be used again. */
    public void zero(int volume, Stamp stamp, long firstBlock, long blocks) throws IOException {
        append(new JournalRecord.Zeroed(volume, stamp, firstBlock, blocks));
    }

    /** Writes whole blocks: kept over the death of this process when it returns. */
    public void write(int volume, Stamp stamp, long firstBlock, ByteBuffer data) throws IOException {
        append(new JournalRecord.Written(volume, stamp, firstBlock, data));
    }

    private void append(JournalRecord record) throws IOException {
        appending.lock();
        try {
            Journal.Place place = journal.append(record);
            knowing.writeLock().lock();
            try {
                known(record, place);
            } finally {
                knowing.writeLock().unlock();
            }
        } finally {
            appending.unlock();
        }
    }

    /** How many clusters hold something; what the journal alone has is not counted. */
    public long usedClusters() {
        checkpointing.lock();
        try {
            return places.used();
        } finally {
            checkpointing.unlock();
        }
    }

    /** All that was appended before is on the disk. */
    public void flush() throws IOException {
        journal.force();
    }

    /**
     * Reads whole blocks into {@code into}, and the checksum of each; all are proven.
     *
     * @throws CorruptBlockException if a block is not what was written, also at a second try
     */
    public void read(int volume, long firstBlock, ByteBuffer into, int[] checksums) throws IOException {
        int start = into.position();
        for (int attempt = 0; ; attempt++) {
            into.position(start);
            try {
                readOnce(volume, firstBlock, into, checksums);
                into.position(start);
                prove(volume, firstBlock, into, checksums);
                into.position(into.limit());
                return;
            } catch (IOException failed) {
                // What was looked up may have been moved by a checkpoint meanwhile.
                if (attempt > 0) {
                    throw failed;
                }
            }
        }
    }

    private static void prove(int volume, long firstBlock, ByteBuffer blocks, int[] checksums) throws IOException {
        int count = blocks.remaining() / Geometry.BLOCK_BYTES;
        for (int i = 0; i < count; i++) {
            int at = blocks.position() + i * Geometry.BLOCK_BYTES;
            if (Checksums.of(blocks, at, Geometry.BLOCK_BYTES) != checksums[i]) {
                throw new CorruptBlockException(volume, firstBlock + i);
            }
        }
    }

    /** A row of blocks that lie together: in the journal, in a cluster, or nowhere. */
    private record Piece(int count, long block, Optional<Source.Journalled> record, long place) {}

    private void readOnce(int volume, long firstBlock, ByteBuffer into, int[] checksums) throws IOException {
        Geometry geometry = superblock.geometry();
        int done = 0;
        for (Piece piece : pieces(volume, firstBlock, firstBlock + into.remaining() / Geometry.BLOCK_BYTES)) {
            ByteBuffer data = into.slice(into.position(), piece.count * Geometry.BLOCK_BYTES);
            ByteBuffer sumsOf = ByteBuffer.allocate(piece.count * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            if (piece.record.isPresent()) {
                Source.Journalled record = piece.record.get();
                journal.read(record.segment(), data, record.dataOffset(piece.block));
                journal.read(record.segment(), sumsOf, record.sumOffset(piece.block));
            } else if (piece.place == MapPage.NOWHERE) {
                while (data.hasRemaining()) {
                    data.putLong(0);
                }
                while (sumsOf.hasRemaining()) {
                    sumsOf.putInt(Checksums.ZEROS);
                }
            } else {
                int within = geometry.inCluster(piece.block);
                files.clusters.read(data, Checkpoint.dataOffset(geometry, piece.place, within));
                files.sums.read(sumsOf, Checkpoint.sumOffset(geometry, piece.place, within));
            }
            sumsOf.flip().order(ByteOrder.LITTLE_ENDIAN).asIntBuffer().get(checksums, done, piece.count);
            into.position(into.position() + piece.count * Geometry.BLOCK_BYTES);
            done += piece.count;
        }
    }

    private List<Piece> pieces(int volume, long first, long end) {
        List<Piece> found = new ArrayList<>();
        knowing.readLock().lock();
        try {
            long block = first;
            for (Row row : fresh.of(volume, first, end)) {
                addOlder(volume, block, row.first(), found);
                add(row, found);
                block = row.end();
            }
            addOlder(volume, block, end, found);
        } finally {
            knowing.readLock().unlock();
        }
        return found;
    }

    private void addOlder(int volume, long first, long end, List<Piece> found) {
        long block = first;
        for (Row row : frozen.of(volume, first, end)) {
            addClusters(volume, block, row.first(), found);
            add(row, found);
            block = row.end();
        }
        addClusters(volume, block, end, found);
    }

    private static void add(Row row, List<Piece> found) {
        Optional<Source.Journalled> record =
                row.source() instanceof Source.Journalled where ? Optional.of(where) : Optional.empty();
        found.add(new Piece((int) (row.end() - row.first()), row.first(), record, MapPage.NOWHERE));
    }

    private void addClusters(int volume, long first, long end, List<Piece> found) {
        Geometry geometry = superblock.geometry();
        ClusterMap map = maps.get(volume);
        for (long block = first; block < end; ) {
            int count = (int) Math.min(end - block, geometry.clusterBlocks() - geometry.inCluster(block));
            long place = map == null ? MapPage.NOWHERE : map.placeOf(geometry.clusterOf(block));
            found.add(new Piece(count, block, Optional.empty(), place));
            block += count;
        }
    }

    /** Brings what the journal tells to the clusters, so that it begins anew. */
    public void checkpoint() throws IOException {
        checkpointing.lock();
        try {
            Catalogue brought;
            Superblock next;
            appending.lock();
            knowing.writeLock().lock();
            try {
                long segment = journal.roll();
                frozen = fresh;
                fresh = new JournalIndex();
                brought = catalogue;
                next = superblock.after(segment, journal.nextNumber());
            } finally {
                knowing.writeLock().unlock();
                appending.unlock();
            }
            Checkpoint checkpoint = new Checkpoint(files, next.geometry(), frozen, journal, places);
            checkpoint.bring(brought, maps);
            Map<Integer, List<ClusterMap.Change>> changes = changes(checkpoint.moved(), next.checkpoint());
            files.write(brought, changes, next.checkpoint());
            files.write(next);
            ended(next, brought, changes, checkpoint.freed());
        } finally {
            checkpointing.unlock();
        }
    }

    private Map<Integer, List<ClusterMap.Change>> changes(Map<Integer, Map<Long, Long>> moved, long checkpoint) {
        Map<Integer, List<ClusterMap.Change>> changes = new HashMap<>();
        knowing.writeLock().lock();
        try {
            moved.forEach((volume, clusterPlaces) -> {
                ClusterMap map = maps.computeIfAbsent(volume, _ -> new ClusterMap());
                clusterPlaces.forEach(map::put);
                changes.put(volume, map.changes(checkpoint));
            });
        } finally {
            knowing.writeLock().unlock();
        }
        return changes;
    }

    private void ended(
            Superblock next, Catalogue brought, Map<Integer, List<ClusterMap.Change>> changes, List<Long> freed)
            throws IOException {
        List<Integer> gone;
        knowing.writeLock().lock();
        try {
            superblock = next;
            frozen = new JournalIndex();
            changes.forEach((volume, list) ->
                    maps.computeIfAbsent(volume, _ -> new ClusterMap()).ended(list));
            gone = maps.keySet().stream()
                    .filter(volume -> !brought.entries().containsKey(volume))
                    .toList();
            gone.forEach(maps::remove);
        } finally {
            knowing.writeLock().unlock();
        }
        freed.forEach(places::free);
        journal.free(next.firstSegment());
        for (int volume : gone) {
            files.deleteMap(volume);
        }
    }

    @Override
    public void close() throws IOException {
        journal.close();
        files.close();
    }
}
