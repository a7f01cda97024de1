package dev.retier.volume.disk;

import dev.retier.volume.NoSpaceException;
import dev.retier.volume.Volume;
import dev.retier.volume.VolumeName;
import dev.retier.volume.pool.Catalogue;
import dev.retier.volume.pool.ClusterMap;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.pool.JournalRecord;
import dev.retier.volume.pool.JournalRecord.Stamp;
import dev.retier.volume.pool.Places;
import dev.retier.volume.pool.Superblock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.IntFunction;

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
    private final Appender appender;
    private final Known known;
    private final Health health;
    private final Checkpoints checkpoints;
    private final BlockRanges.OfVolumes changing = new BlockRanges.OfVolumes(); // parts of blocks
    private final Geometry geometry;
    private final BlockReader reader;
    private final long journalLimitBytes;
    private final BlockCache cache;

    private Pool(PoolFiles files, Limits limits, BlockCache cache, Keeper keeper) throws IOException {
        this.files = files;
        this.cache = cache;
        Superblock newest = files.newest();
        this.geometry = newest.geometry();
        this.journal = new Journal(files.disk, limits.segmentBytes);
        this.health = new Health(files);
        this.journalLimitBytes = limits.journalBytes;
        Catalogue catalogue = files.catalogue(newest.checkpoint());
        Map<Integer, ClusterMap> maps = files.maps(newest, catalogue);
        Places places = new Places();
        maps.values().forEach(map -> map.forEachPlace(places::take));
        this.known = new Known(geometry, catalogue, maps);
        this.reader = new BlockReader(new BlockReader.Stored(files, journal, geometry), known, cache);
        this.appender = new Appender(journal, known, limits.journalBytes, keeper, this::keep);
        this.checkpoints =
                new Checkpoints(new Checkpoints.Parts(files, journal, appender, known, health), newest, places);
        Health.Change recovery = journal.recovery(newest.firstSegment(), newest.firstNumber(), known::take);
        // Only now is anything changed: of a pool that is refused all may be needed by who puts it right.
        checkpoints.settle(() -> {
            health.make(() -> files.write(newest));
            files.forgetUnended(catalogue);
            health.make(recovery);
        });
    }

    /**
     * Whether a folder has a pool; what a process has left that ended as it made one is none.
     *
     * @throws IOException if there is something else
     */
    public static boolean isThere(Disk disk) throws IOException {
        return PoolFiles.areThere(disk);
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
     * Of the journal.
     *
     * @param segmentBytes of one of its files; no record is longer
     * @param journalBytes of all together, at least four of these, so that there is room while a checkpoint is made
     */
    public record Limits(int segmentBytes, long journalBytes) {
        private static final int LEAST_SEGMENTS = 4;

        /** Refuses what leaves no room with {@link IllegalArgumentException}. */
        public Limits {
            if (segmentBytes <= 0 || journalBytes < (long) LEAST_SEGMENTS * segmentBytes) {
                throw new IllegalArgumentException("a journal of " + journalBytes + " bytes in files of " + segmentBytes
                        + "; give it at least " + LEAST_SEGMENTS + " of them");
            }
        }
    }

    /** Opens the pool without a cache. */
    public static Pool open(Disk disk, Limits limits, Keeper keeper) throws IOException {
        return open(disk, limits, BlockCache.none(), keeper);
    }

    /**
     * Opens the pool. What it has to write first may fail: then it takes no changes ({@link #failure}), and is read.
     *
     * @param cache of no other pool
     * @param keeper runs checkpoints, each of which takes long, when they are due
     * @throws IOException if it cannot be read, or is no pool; the message says what is broken
     */
    public static Pool open(Disk disk, Limits limits, BlockCache cache, Keeper keeper) throws IOException {
        return new Pool(new PoolFiles(disk), limits, cache, keeper);
    }

    /** What volumes and snapshots there are. */
    public Catalogue catalogue() {
        return known.catalogue();
    }

    /** Why it takes no changes any more; empty while it does. */
    public String failure() {
        return health.failure();
    }

    /** Its own, drawn when it was made. */
    public UUID id() {
        return checkpoints.pool();
    }

    /** How often a force had failed before it was opened, so that what was answered and not flushed may be gone. */
    public int losses() {
        return checkpoints.losses();
    }

    /** Refuses once it has failed. */
    public void requireChangeable() throws IOException {
        health.require();
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
        return known.entry(volume);
    }

    /** The same without reading ahead. */
    public PoolVolume volume(int volume, int epoch) {
        return volume(volume, epoch, ahead(volume, _ -> {}));
    }

    private void requireNoSnapshot(int volume) {
        if (entry(volume).isSnapshot()) {
            throw new IllegalArgumentException(entry(volume).name() + " is a snapshot, which nobody changes");
        }
    }

    /** Reads ahead by {@code aside}: runs what it is given later, with memory of its own for at least a block. */
    public AheadReader ahead(int volume, Consumer<Consumer<ByteBuffer>> aside) {
        return new AheadReader(reader, volume, aside);
    }

    /**
     * A volume to read and change by bytes; where it is read row after row it is read ahead.
     *
     * @param epoch of whose attachment the changes are, unsigned
     * @param ahead of that volume, for this user of it alone from now on
     */
    public PoolVolume volume(int volume, int epoch, AheadReader ahead) {
        var _ = entry(volume);
        return new PoolVolume(this, volume, epoch, changing.of(volume), ahead);
    }

    private static void requireSize(long bytes) {
        if (bytes < 0 || bytes > Volume.MOST_BYTES || bytes % Geometry.BLOCK_BYTES != 0) {
            throw new IllegalArgumentException("a volume of " + bytes + " bytes; give it a multiple of "
                    + Geometry.BLOCK_BYTES + ", as a block is kept as a whole, and 1 PiB at most");
        }
    }

    /** Makes a volume of zeros, of whole blocks, at nobody's request; its number. */
    public int create(VolumeName name, long bytes) throws IOException {
        return create(name, bytes, JournalRecord.Maker.NOBODY);
    }

    /** Makes a volume of zeros, of whole blocks, and keeps whose request it was; its number. */
    public int create(VolumeName name, long bytes, JournalRecord.Maker maker) throws IOException {
        requireSize(bytes);
        return make(0, name, number -> new JournalRecord.Created(number, name, bytes, maker));
    }

    /** Keeps what a volume has in this moment under a name of its own; its number. */
    public int snapshot(int volume, VolumeName name) throws IOException {
        return make(volume, name, number -> {
            requireNoSnapshot(volume);
            return new JournalRecord.Copied(number, volume, volume, name);
        });
    }

    /** Makes a volume that has what {@code source}, a snapshot or a volume, has in this moment; its number. */
    public int copy(int source, VolumeName name) throws IOException {
        return make(0, name, number -> {
            var _ = entry(source);
            return new JournalRecord.Copied(number, source, 0, name);
        });
    }

    /** {@code made}: what is new, by its number. */
    private int make(int parent, VolumeName name, IntFunction<JournalRecord> made) throws IOException {
        AtomicInteger number = new AtomicInteger();
        append(() -> {
            Catalogue now = catalogue();
            if (now.snapshotOf(parent, name).isPresent()) {
                throw new IOException("there is a " + (parent == 0 ? "volume " : "snapshot ") + name + " already");
            }
            if (now.entries().size() >= Catalogue.MOST_ENTRIES) {
                throw new IOException("there are " + Catalogue.MOST_ENTRIES
                        + " volumes and snapshots, and a pool has no more: delete some");
            }
            number.set(now.lastNumber() + 1);
            return made.apply(number.get());
        });
        return number.get();
    }

    /** A volume has again what one of its snapshots has. */
    public void rollBack(int volume, int snapshot) throws IOException {
        try (var _ = changing.of(volume).hold(0, Long.MAX_VALUE)) { // a trim may have seen what it had before
            append(() -> {
                if (entry(snapshot).parent() != volume) {
                    throw new IllegalArgumentException(entry(snapshot).name() + " is no snapshot of that volume");
                }
                return new JournalRecord.RolledBack(volume, snapshot);
            });
        }
    }

    /** Takes the volume without snapshots, or the snapshot, away, and all that it held. */
    public void delete(int volume) throws IOException {
        append(() -> {
            if (catalogue().hasSnapshots(volume)) {
                throw new IllegalArgumentException(entry(volume).name() + " has snapshots: delete them first");
            }
            return new JournalRecord.Deleted(volume);
        });
    }

    /** Gives it another size: what comes anew is zeros, what lies behind is gone. */
    public void resize(int volume, long bytes) throws IOException {
        requireSize(bytes);
        append(() -> {
            requireNoSnapshot(volume);
            return new JournalRecord.Resized(volume, bytes);
        });
    }

    /**
     * Keeps who has a volume attached; a lower epoch than is kept changes nothing.
     *
     * @param epoch of the attachment, unsigned
     * @param client its life; 0 if none has it any more
     */
    public void attach(int volume, int epoch, long client) throws IOException {
        append(() -> {
            requireNoSnapshot(volume);
            return new JournalRecord.Attached(volume, epoch, client);
        });
    }

    /** In the moment in which it is appended: what was begun before the volume was taken may come after that. */
    private void requireChange(int volume, Stamp stamp, long firstBlock, long blocks) throws FencedException {
        requireNoSnapshot(volume);
        require(volume, firstBlock, blocks);
        if (entry(volume).isTakenFrom(stamp.epoch())) {
            throw new FencedException(entry(volume), stamp.epoch());
        }
    }

    /** Whole blocks that read as zeros from now on; their clusters can be used again. Refuses as {@link #write}. */
    public void zero(int volume, Stamp stamp, long firstBlock, long blocks) throws IOException {
        append(() -> {
            requireChange(volume, stamp, firstBlock, blocks);
            return new JournalRecord.Zeroed(volume, stamp, firstBlock, blocks);
        });
    }

    /**
     * Writes whole blocks: kept over the death of this process when it returns.
     *
     * @throws FencedException if the volume has been {@linkplain #attach attached} with a higher epoch since
     */
    public void write(int volume, Stamp stamp, long firstBlock, ByteBuffer data) throws IOException {
        append(() -> {
            requireChange(volume, stamp, firstBlock, data.remaining() / Geometry.BLOCK_BYTES);
            return new JournalRecord.Written(volume, stamp, firstBlock, data);
        });
    }

    private void append(Appender.Source source) throws IOException {
        health.require();
        appender.append(source, this::take, health::isFailed);
    }

    private void take(JournalRecord record) throws IOException {
        health.make(() -> {
            try (var change = cache.changing(record)) {
                known.take(record, journal.append(record));
                change.made();
            }
        });
    }

    private void keep() {
        checkpoints.keep();
    }

    /** How many clusters hold something, as of the newest checkpoint. */
    long usedClusters() {
        return checkpoints.usedClusters();
    }

    /** How it is. Waits for no checkpoint. */
    public PoolFigures figures() throws IOException {
        return new PoolFigures(
                health.failure(),
                usedClusters() * geometry.clusterBytes(),
                files.disk.freeBytes(),
                appender.bytes(),
                journalLimitBytes,
                cache.figures(),
                known.taken());
    }

    /** Looks at what its volumes keep; for one thread. */
    public Scrub scrub() {
        return new Scrub(known, reader, geometry);
    }

    /**
     * Clusters of a part of a volume, from that block on, in which only zeros were written are kept no more; the volume
     * may be in use. What is freed is given back to the file system by the next {@link #checkpoint}.
     */
    public Scrub.Part trim(int volume, long firstBlock) throws IOException {
        return new ZeroClusters(this, known, reader, geometry).free(volume, firstBlock, changing.of(volume));
    }

    /** All that was appended before is on the disk. */
    public void flush() throws IOException {
        health.make(journal::force);
    }

    /**
     * Fills {@code into} with whole blocks, from the cache where it has them, else from where they lie, proven.
     *
     * @return as {@link BlockCache#read}
     * @throws IllegalArgumentException if they are not all in the volume
     * @throws CorruptBlockException if a block is not what was written, or cannot be read, also at a second try
     */
    boolean read(int volume, long firstBlock, ByteBuffer into) throws IOException {
        require(volume, firstBlock, into.remaining() / Geometry.BLOCK_BYTES);
        return reader.read(volume, firstBlock, into);
    }

    /** Reads blocks that are known to be in their volume. */
    BlockReader reader() {
        return reader;
    }

    /**
     * Brings what the journal tells to the clusters, so that it begins anew.
     *
     * @throws NoSpaceException if there is no room on the disk: nothing has changed
     */
    public void checkpoint() throws IOException {
        checkpoints.run();
    }

    /** After a checkpoint that is under way. */
    @Override
    public void close() throws IOException {
        checkpoints.between(() -> {
            health.close();
            journal.close();
            files.close();
        });
    }
}
