package dev.retier.volume.disk;

import dev.retier.volume.Volume;
import dev.retier.volume.VolumeName;
import dev.retier.volume.disk.BlockReader.Piece;
import dev.retier.volume.pool.Catalogue;
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
 * the disk; a {@link #checkpoint} brings what it tells to the clusters, so that it can be forgotten.
 *
 * <p>When one of these fails nobody knows what the disk has: from then on all of them are refused, and reads go on,
 * until the pool is opened anew. Thread-safe.
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

    private final Geometry geometry;
    private final BlockReader reader;
    /** Why nothing can be changed any more; empty while it can. */
    private volatile String failure = "";

    private Pool(PoolFiles files, int segmentBytes) throws IOException {
        this.files = files;
        this.superblock = files.newest();
        this.geometry = superblock.geometry();
        this.catalogue = files.catalogue(superblock.checkpoint());
        this.journal = new Journal(files.disk, segmentBytes);
        this.reader = new BlockReader(files, journal, geometry);
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

    /** What of the journal and the disk may fail. */
    private interface Change {
        void make() throws IOException;
    }

    private void make(Change change) throws IOException {
        if (!failure.isEmpty()) {
            throw new IOException("the pool takes no changes since it failed (" + failure + "); start the server anew");
        }
        try {
            change.make();
        } catch (IOException failed) {
            failure = failed.toString();
            throw failed;
        }
    }

    /** Refuses what is not in the volume with {@link IllegalArgumentException}. */
    private void require(int volume, long firstBlock, long blocks) {
        Catalogue.Entry entry = entry(volume);
        long all = Geometry.blocks(entry.bytes());
        if (firstBlock < 0 || blocks < 1 || blocks > all || firstBlock > all - blocks) {
            throw new IllegalArgumentException(
                    blocks + " blocks at " + firstBlock + " of " + entry.name() + ", which has " + all);
        }
    }

    /** What is known of a volume. */
    Catalogue.Entry entry(int volume) {
        Catalogue.Entry entry = catalogue().entries().get(volume);
        if (entry == null) {
            throw new IllegalArgumentException("there is no volume " + volume);
        }
        return entry;
    }

    /**
     * A volume to read and change by bytes.
     *
     * @param epoch of whose attachment the changes are, unsigned
     */
    public Volume volume(int volume, int epoch) {
        var _ = entry(volume);
        return new PoolVolume(this, volume, epoch);
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
        require(volume, firstBlock, blocks);
        append(new JournalRecord.Zeroed(volume, stamp, firstBlock, blocks));
    }

    /** Writes whole blocks: kept over the death of this process when it returns. */
    public void write(int volume, Stamp stamp, long firstBlock, ByteBuffer data) throws IOException {
        require(volume, firstBlock, data.remaining() / Geometry.BLOCK_BYTES);
        append(new JournalRecord.Written(volume, stamp, firstBlock, data));
    }

    private void append(JournalRecord record) throws IOException {
        appending.lock();
        try {
            make(() -> {
                Journal.Place place = journal.append(record);
                knowing.writeLock().lock();
                try {
                    known(record, place);
                } finally {
                    knowing.writeLock().unlock();
                }
            });
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
        make(journal::force);
    }

    /**
     * Reads as many whole blocks as {@code checksums} has places into {@code into}, which has just room for them, and
     * the checksum of each; all are proven.
     *
     * @throws IllegalArgumentException if they are not all in the volume
     * @throws CorruptBlockException if a block is not what was written, also at a second try
     */
    public void read(int volume, long firstBlock, ByteBuffer into, int[] checksums) throws IOException {
        require(volume, firstBlock, checksums.length);
        int start = into.position();
        for (int attempt = 0; ; attempt++) {
            into.position(start);
            try {
                reader.read(pieces(volume, firstBlock, firstBlock + checksums.length), into, checksums);
                into.position(start);
                BlockReader.prove(volume, firstBlock, into, checksums);
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

    /** Where these blocks are, one piece behind the other; some may be empty. */
    List<Piece> pieces(int volume, long first, long end) {
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
            make(this::bring);
        } finally {
            checkpointing.unlock();
        }
    }

    private void bring() throws IOException {
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
        Checkpoint checkpoint = new Checkpoint(files, geometry, frozen, journal, places);
        checkpoint.bring(brought, maps);
        Map<Integer, List<ClusterMap.Change>> changes = changes(checkpoint.moved(), next.checkpoint());
        files.write(brought, changes, next.checkpoint());
        files.write(next);
        ended(next, brought, changes, checkpoint.freed());
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
