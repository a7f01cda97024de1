package dev.retier.volume.disk;

import dev.retier.volume.disk.BlockReader.Piece;
import dev.retier.volume.disk.PoolFigures.Taken;
import dev.retier.volume.pool.Catalogue;
import dev.retier.volume.pool.ClusterMap;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.pool.JournalCodec;
import dev.retier.volume.pool.JournalIndex;
import dev.retier.volume.pool.JournalIndex.Row;
import dev.retier.volume.pool.JournalIndex.Source;
import dev.retier.volume.pool.JournalRecord;
import dev.retier.volume.pool.MapPage;
import dev.retier.volume.pool.Moves;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.Stream;

/**
 * What volumes there are, and where their blocks lie: in the journal, those that came since the newest checkpoint began
 * before those that it brings to the clusters, else in these. Thread-safe.
 */
final class Known {
    private static final int MOST_OF_A_PIECE = 1 << 30;

    private final Geometry geometry;
    /** Guards what follows. */
    private final ReadWriteLock lock = new ReentrantReadWriteLock();

    /** Changed by the thread that makes a checkpoint alone, which may read it without the lock. */
    private final Map<Integer, ClusterMap> maps = new HashMap<>();

    private JournalIndex fresh = new JournalIndex();
    /** What a checkpoint under way brings to the clusters. */
    private JournalIndex frozen = new JournalIndex();

    /** Of each volume what these two have of it, in bytes. */
    private Map<Integer, Long> freshBytes = new HashMap<>();

    private Map<Integer, Long> frozenBytes = Map.of();

    /** Read without the lock, too. */
    private volatile Catalogue catalogue;
    /** Of what the journal tells. */
    private volatile long rows;
    /** How often places were given to others: when checkpoints ended, and in those that had no room. */
    private long version;

    /** What a checkpoint brings. */
    record Frozen(JournalIndex index, Catalogue catalogue) {}

    /** Where blocks are, as long as {@link #version} is that. */
    record Found(long version, List<Piece> pieces) {}

    Known(Geometry geometry, Catalogue catalogue, Map<Integer, ClusterMap> maps) {
        this.geometry = geometry;
        this.catalogue = catalogue;
        this.maps.putAll(maps);
    }

    private interface Look<T> {
        T at();
    }

    private <T> T reading(Look<T> look) {
        lock.readLock().lock();
        try {
            return look.at();
        } finally {
            lock.readLock().unlock();
        }
    }

    private <T> T changing(Look<T> change) {
        lock.writeLock().lock();
        try {
            T made = change.at();
            rows = fresh.rows() + frozen.rows();
            return made;
        } finally {
            lock.writeLock().unlock();
        }
    }

    Catalogue catalogue() {
        return catalogue;
    }

    /** What is known of a volume; refuses one that is not there with {@link NoVolumeException}. */
    Catalogue.Entry entry(int volume) {
        Catalogue.Entry entry = catalogue.entries().get(volume);
        if (entry == null) {
            throw new NoVolumeException(volume);
        }
        return entry;
    }

    /** Another one once places were given to others: what was found before may be elsewhere, its place somebody's. */
    long version() {
        return reading(() -> version);
    }

    /** How many rows of blocks it knows of from the journal. */
    long rows() {
        return rows;
    }

    /** How many more these are, about, once it has taken that record. */
    long rowsOf(JournalRecord record) {
        return switch (record) {
            case JournalRecord.Copied copied -> reading(() -> fresh.rowsOf(copied.source()));
            case JournalRecord.RolledBack rolled -> reading(() -> fresh.rowsOf(rolled.source()));
            case JournalRecord.Written _,
                    JournalRecord.Zeroed _,
                    JournalRecord.Resized _,
                    JournalRecord.Created _,
                    JournalRecord.Deleted _,
                    JournalRecord.Attached _ -> 1;
        };
    }

    /** Whether nothing is kept of these blocks, which read as zeros. */
    boolean isHole(int volume, long first, long end) {
        return reading(() -> {
            int base = fresh.baseOf(volume);
            long block = first;
            for (Row row : fresh.of(volume, first, end)) {
                if (row.source() instanceof Source.Journalled || !isOlderHole(base, block, row.first())) {
                    return false;
                }
                block = row.end();
            }
            return isOlderHole(base, block, end);
        });
    }

    private boolean isOlderHole(int volume, long first, long end) {
        ClusterMap map = maps.getOrDefault(frozen.baseOf(volume), new ClusterMap());
        long block = first;
        for (Row row : frozen.of(volume, first, end)) {
            if (row.source() instanceof Source.Journalled || hasClusters(map, block, row.first())) {
                return false;
            }
            block = row.end();
        }
        return !hasClusters(map, block, end);
    }

    private boolean hasClusters(ClusterMap map, long first, long end) {
        return end > first && map.hasAny(geometry.clusterOf(first), geometry.clusterOf(end - 1) + 1);
    }

    /** For the thread that makes a checkpoint. */
    Map<Integer, ClusterMap> maps() {
        return maps;
    }

    /** Takes note of a record that is in the journal, there. */
    void take(JournalRecord record, Journal.Place at) {
        changing(() -> {
            note(record, at);
            catalogue = catalogue.after(record);
            return catalogue;
        });
    }

    private void note(JournalRecord record, Journal.Place at) {
        switch (record) {
            case JournalRecord.Written written -> {
                int blocks = written.blocks();
                Source source = new Source.Journalled(
                        at.segment(),
                        written.firstBlock(),
                        at.offset() + JournalCodec.dataOffset(blocks),
                        at.offset() + JournalCodec.HEADER_BYTES);
                fresh.set(written.volume(), new Row(written.firstBlock(), written.firstBlock() + blocks, source));
                freshBytes.merge(written.volume(), (long) blocks * Geometry.BLOCK_BYTES, Long::sum);
            }
            case JournalRecord.Zeroed zeroed ->
                fresh.set(
                        zeroed.volume(),
                        new Row(zeroed.firstBlock(), zeroed.firstBlock() + zeroed.blocks(), new Source.Zeros()));
            case JournalRecord.Resized resized -> {
                long end = Geometry.blocks(resized.bytes());
                fresh.set(resized.volume(), new Row(end, Long.MAX_VALUE, new Source.Zeros()));
            }
            case JournalRecord.Deleted deleted -> {
                fresh.forget(deleted.volume());
                freshBytes.remove(deleted.volume());
            }
            case JournalRecord.Copied copied -> copy(copied.volume(), copied.source());
            case JournalRecord.RolledBack rolled -> copy(rolled.volume(), rolled.source());
            case JournalRecord.Created _, JournalRecord.Attached _ -> {}
        }
    }

    /** What each volume takes. */
    Map<Integer, Taken> taken() {
        return reading(() -> {
            Map<Integer, Taken> all = new HashMap<>();
            for (int volume : catalogue.entries().keySet()) {
                ClusterMap map = maps.get(frozen.baseOf(fresh.baseOf(volume)));
                long clusters = map == null ? 0 : map.used();
                long journalled = freshBytes.getOrDefault(volume, 0L) + frozenBytes.getOrDefault(volume, 0L);
                all.put(volume, new Taken(clusters * geometry.clusterBytes(), journalled));
            }
            return all;
        });
    }

    /** Whether a volume of the same family, and with a lower number, has the cluster at that place, too. */
    boolean isElsewhere(int volume, long cluster, long place) {
        return reading(() -> {
            Catalogue.Entry entry = catalogue.entries().get(volume);
            return entry != null
                    && catalogue.entries().headMap(volume).entrySet().stream()
                            .filter(other -> other.getValue().family() == entry.family())
                            .map(other -> maps.get(other.getKey()))
                            .anyMatch(map -> map != null && map.placeOf(cluster) == place);
        });
    }

    private void copy(int volume, int source) {
        if (catalogue.entries().containsKey(source)) {
            fresh.copy(volume, source);
        }
    }

    /**
     * Where these blocks are, one piece behind the other; some may be empty. Refuses a volume that is not there as
     * {@link #entry}: what it had may be another's already, and holes would read as zeros.
     */
    Found find(int volume, long first, long end) {
        return reading(() -> {
            var _ = entry(volume);
            return new Found(version, pieces(volume, first, end));
        });
    }

    private List<Piece> pieces(int volume, long first, long end) {
        List<Piece> found = new ArrayList<>();
        long block = first;
        int base = fresh.baseOf(volume);
        for (Row row : fresh.of(volume, first, end)) {
            addOlder(base, block, row.first(), found);
            add(row, found);
            block = row.end();
        }
        addOlder(base, block, end, found);
        return found;
    }

    private void addOlder(int volume, long first, long end, List<Piece> found) {
        long block = first;
        int base = frozen.baseOf(volume);
        for (Row row : frozen.of(volume, first, end)) {
            addClusters(base, block, row.first(), found);
            add(row, found);
            block = row.end();
        }
        addClusters(base, block, end, found);
    }

    private static void add(Row row, List<Piece> found) {
        Optional<Source.Journalled> record =
                row.source() instanceof Source.Journalled where ? Optional.of(where) : Optional.empty();
        for (long block = row.first(); block < row.end(); ) {
            int count = (int) Math.min(row.end() - block, MOST_OF_A_PIECE);
            found.add(new Piece(count, block, record, MapPage.NOWHERE));
            block += count;
        }
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

    /** A checkpoint brings what is known now; what comes is known beside it. */
    Frozen freeze() {
        return changing(() -> {
            frozen = fresh;
            fresh = new JournalIndex();
            frozenBytes = freshBytes;
            freshBytes = new HashMap<>();
            return new Frozen(frozen, catalogue);
        });
    }

    /** It was given up and has changed nothing: the next one brings what it would have brought and what came since. */
    void thaw() {
        changing(() -> {
            var there = catalogue.entries().keySet();
            fresh = fresh.over(frozen, there);
            frozen = new JournalIndex();
            frozenBytes.forEach((volume, bytes) -> {
                if (there.contains(volume)) {
                    freshBytes.merge(volume, bytes, Long::sum);
                }
            });
            frozenBytes = Map.of();
            return fresh;
        });
    }

    /** Places that were found before may be somebody else's from now on. */
    void overtake() {
        changing(() -> ++version);
    }

    /** It has brought clusters to these places; which pages of maps that changes, by volume. */
    Map<Integer, List<ClusterMap.Change>> moved(Map<Integer, Moves> moves, Catalogue brought, long checkpoint) {
        return changing(() -> {
            Map<Integer, ClusterMap> copies = copies(brought);
            copies.forEach((volume, copy) ->
                    maps.computeIfAbsent(volume, _ -> new ClusterMap()).become(copy));
            frozen.forgetBases();
            moves.forEach((volume, its) -> its.apply(maps.computeIfAbsent(volume, _ -> new ClusterMap())));
            Map<Integer, List<ClusterMap.Change>> changes = new HashMap<>();
            Stream.concat(copies.keySet().stream(), moves.keySet().stream())
                    .forEach(volume -> changes.computeIfAbsent(
                            volume,
                            _ -> maps.getOrDefault(volume, new ClusterMap()).changes(checkpoint)));
            return changes;
        });
    }

    /** Of the maps of these volumes, with changes that are written; for the thread that makes a checkpoint. */
    long sum(Catalogue brought, Map<Integer, List<ClusterMap.Change>> changes) {
        long sum = 0;
        for (int volume : brought.entries().keySet()) {
            ClusterMap map = maps.get(volume);
            sum += map == null ? 0 : map.sum(volume, changes.getOrDefault(volume, List.of()));
        }
        return sum;
    }

    /** Of each volume that is a copy what the other had when the checkpoint began. */
    private Map<Integer, ClusterMap> copies(Catalogue brought) {
        Map<Integer, ClusterMap> copies = new HashMap<>();
        frozen.bases().forEach((volume, base) -> {
            if (brought.entries().containsKey(volume)) {
                copies.put(volume, copyOf(base));
            }
        });
        return copies;
    }

    private ClusterMap copyOf(int volume) {
        ClusterMap copy = new ClusterMap();
        copy.become(maps.getOrDefault(volume, new ClusterMap()));
        return copy;
    }

    /** What the map of a volume has now, in memory of its own for what is changed later alone. */
    ClusterMap copy(int volume) {
        return changing(() -> copyOf(volume));
    }

    /** It has ended; which volumes are gone. */
    List<Integer> ended(Catalogue brought, Map<Integer, List<ClusterMap.Change>> changes) {
        return changing(() -> {
            version++;
            frozen = new JournalIndex();
            frozenBytes = Map.of();
            changes.forEach((volume, list) ->
                    maps.computeIfAbsent(volume, _ -> new ClusterMap()).ended(list));
            List<Integer> gone = maps.keySet().stream()
                    .filter(volume -> !brought.entries().containsKey(volume))
                    .toList();
            gone.forEach(maps::remove);
            return gone;
        });
    }
}
