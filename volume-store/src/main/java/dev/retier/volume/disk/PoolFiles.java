package dev.retier.volume.disk;

import dev.retier.volume.disk.Disk.DiskFile;
import dev.retier.volume.pool.Catalogue;
import dev.retier.volume.pool.ClusterMap;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.pool.MapPage;
import dev.retier.volume.pool.Superblock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** The files of a pool beside its journal. */
final class PoolFiles implements AutoCloseable {
    private static final String SUPERBLOCKS = "pool";
    private static final String CLUSTERS = "clusters";
    private static final String SUMS = "sums";
    static final String MAPS_FOLDER = "maps";
    private static final String MAPS = MAPS_FOLDER + "/";
    private static final String CATALOGUE = "catalogue-";
    private static final String SUSPECT = "suspect";
    /** What else is there is nobody's of the pool. */
    private static final String NUMBER = "[0-9]{1,9}";
    /** What there may be before a pool has a superblock; the last two are made when it is opened. */
    private static final List<String> AS_MADE = List.of(CATALOGUE + 0, SUPERBLOCKS, CLUSTERS, SUMS);

    final Disk disk;
    final DiskFile clusters;
    /** For each block of each cluster 4 bytes. */
    final DiskFile sums;

    private final DiskFile superblocks;
    private boolean isOlder;
    /** Slots of maps that could not be read. */
    private final List<Slot> unread = new ArrayList<>();
    /** Pages of maps that a checkpoint which did not end has written. */
    private final List<Slot> unended = new ArrayList<>();

    PoolFiles(Disk disk) throws IOException {
        this.disk = disk;
        this.superblocks = disk.open(SUPERBLOCKS);
        this.clusters = disk.open(CLUSTERS);
        this.sums = disk.open(SUMS);
    }

    /** Whether a pool was made, as a whole; else there is at most what is left of one that was about to be. */
    static boolean areThere(Disk disk) throws IOException {
        List<String> names = disk.list("");
        if (!names.isEmpty() && !names.contains(SUPERBLOCKS) && !names.equals(List.of(CATALOGUE + 0))) {
            throw new IOException("there is something in the folder already, and it is no pool: " + names);
        }
        boolean isUsed = !AS_MADE.containsAll(names)
                || !disk.list(MAPS_FOLDER).isEmpty()
                || !disk.list(Journal.FOLDER).isEmpty();
        return isUsed || (names.contains(SUPERBLOCKS) && hasSuperblock(disk));
    }

    private static boolean hasSuperblock(Disk disk) throws IOException {
        try (DiskFile file = disk.open(SUPERBLOCKS)) {
            ByteBuffer bytes = ByteBuffer.allocate(Superblock.BYTES);
            file.read(bytes, 0);
            return Superblock.formatOf(bytes).isPresent();
        }
    }

    /** Makes those of an empty pool; also over what is left of one that was about to be made. */
    static void make(Disk disk, UUID id, Geometry geometry) throws IOException {
        if (areThere(disk)) {
            throw new IOException("there is a pool in the folder already");
        }
        writeCatalogue(disk, Catalogue.EMPTY, 0);
        try (DiskFile file = disk.open(SUPERBLOCKS)) {
            file.write(Superblock.first(id, geometry).encode(), 0);
            file.force();
        }
        disk.forceNames();
    }

    private static void writeCatalogue(Disk disk, Catalogue catalogue, long checkpoint) throws IOException {
        ByteBuffer bytes = catalogue.encode(checkpoint);
        ByteBuffer pages = ByteBuffer.allocate(Math.ceilDiv(bytes.remaining(), Unread.PAGE_BYTES) * Unread.PAGE_BYTES);
        try (DiskFile file = disk.open(CATALOGUE + (checkpoint & 1))) {
            file.write(pages.put(bytes).clear(), 0);
            file.force();
        }
        disk.forceNames();
    }

    /** Whether one of the superblocks that were read is of an older format. */
    boolean isOlder() {
        return isOlder;
    }

    /** What the newest checkpoint that has ended says. */
    Superblock newest() throws IOException {
        isOlder = false;
        Optional<Superblock> newest = Optional.empty();
        for (int slot = 0; slot < 2; slot++) {
            ByteBuffer bytes = ByteBuffer.allocate(Superblock.BYTES);
            superblocks.read(bytes, (long) slot * Superblock.BYTES);
            Optional<Integer> format = Superblock.formatOf(bytes);
            if (format.isPresent() && format.get() > Superblock.FORMAT) {
                throw new IOException("the pool is of format " + format.get() + ", and this program knows those up to "
                        + Superblock.FORMAT + ": use the newer one that wrote it");
            }
            isOlder |= format.isPresent() && format.get() < Superblock.FORMAT;
            Optional<Superblock> found = Superblock.parse(bytes);
            if (found.isPresent()
                    && (newest.isEmpty()
                            || found.get().checkpoint() > newest.get().checkpoint())) {
                newest = found;
            }
        }
        return newest.orElseThrow(() -> new IOException(
                "neither of the two superblocks in " + SUPERBLOCKS + " is good: this is no pool, or a broken one"));
    }

    /** That of the checkpoint of that number. */
    Catalogue catalogue(long checkpoint) throws IOException {
        String name = CATALOGUE + (checkpoint & 1);
        try (DiskFile file = disk.open(name)) {
            ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(file.size()));
            Unread unread = Unread.reading(file, bytes, 0); // which may lie behind it
            return Catalogue.parse(bytes, checkpoint)
                    .orElseThrow(() -> new IOException(name + " is not that of checkpoint " + checkpoint
                            + (unread.isNothing() ? "" : ": a part of it cannot be read")));
        }
    }

    /** Of all volumes, if they are what the checkpoint has left; nothing is changed. */
    Map<Integer, ClusterMap> maps(Superblock newest, Catalogue catalogue) throws IOException {
        ClusterMap.Equals equals = new ClusterMap.Equals();
        Map<Integer, ClusterMap> maps = new HashMap<>();
        List<String> names = disk.list(MAPS_FOLDER);
        for (int volume : catalogue.entries().keySet()) {
            boolean hasNone = !names.contains(Integer.toString(volume)); // and to open it would make it
            maps.put(
                    volume,
                    hasNone
                            ? new ClusterMap()
                            : map(volume, newest.checkpoint(), equals, (at, why) -> {
                                if (why == MapFile.Why.OF_LATER) {
                                    unended.add(new Slot(volume, at));
                                }
                            }));
        }
        require(newest, maps);
        return maps;
    }

    /** Of the checkpoint of that number. */
    ClusterMap map(int volume, long checkpoint, ClusterMap.Equals equals, MapFile.Unused unused) throws IOException {
        ClusterMap map = new ClusterMap();
        try (DiskFile file = disk.open(MAPS + volume)) {
            MapFile.read(file, checkpoint, (number, page, slot) -> map.load(number, page, slot, equals), (at, why) -> {
                if (why == MapFile.Why.UNREAD) {
                    unread.add(new Slot(volume, at));
                }
                unused.slot(at, why);
            });
        }
        return map;
    }

    /** In the file of a map. */
    private record Slot(int volume, long at) {}

    private void clear(int volume, long slot) throws IOException {
        try (DiskFile file = disk.open(MAPS + volume)) {
            file.write(ByteBuffer.allocate(MapPage.BYTES), slot);
            file.force();
        }
    }

    /** Refuses maps that are not those that the checkpoint has left. */
    void require(Superblock newest, Map<Integer, ClusterMap> maps) throws IOException {
        long sum = 0;
        for (Map.Entry<Integer, ClusterMap> each : maps.entrySet()) {
            sum += each.getValue().sum(each.getKey(), List.of());
        }
        boolean isProven = newest.mapsSum() != 0;
        if (isProven ? newest.mapsSum() != sum : !unread.isEmpty()) {
            throw new IOException("what is in " + MAPS + " is not what checkpoint " + newest.checkpoint()
                    + " has left there: a page of it is broken or missing, so that it is not known where blocks lie;"
                    + " retier volume check names slots that are not good");
        }
    }

    /**
     * Slots that could not be read, and that nobody needs by {@link #require}, are empty from now on: once they can be
     * read again, what they have is not to be taken for what comes.
     */
    void clearUnread() throws IOException {
        for (Slot slot : unread) {
            clear(slot.volume, slot.at);
        }
        unread.clear();
    }

    /** On the disk when it returns, but for a superblock that says so. */
    void write(Catalogue catalogue, Map<Integer, List<ClusterMap.Change>> maps, long checkpoint) throws IOException {
        for (Map.Entry<Integer, List<ClusterMap.Change>> each : maps.entrySet()) {
            try (DiskFile file = disk.open(MAPS + each.getKey())) {
                for (ClusterMap.Change change : each.getValue()) {
                    file.write(change.content().encode(), change.offset());
                }
                file.force();
            }
        }
        writeCatalogue(disk, catalogue, checkpoint);
    }

    /**
     * With this a checkpoint ends. Also when a pool is opened, before what the newest one does not need may go: it may
     * be in the kernel's memory alone.
     */
    void write(Superblock superblock) throws IOException {
        superblocks.write(superblock.encode(), (long) superblock.slot() * Superblock.BYTES);
        superblocks.force();
    }

    /** What this process has written last may not be on the disk, though the system says so when it is asked again. */
    void suspect() throws IOException {
        disk.open(SUSPECT).close();
    }

    /** Whether that is so. */
    boolean isSuspect() throws IOException {
        return disk.list("").contains(SUSPECT);
    }

    /** All has been written anew. */
    void trust() throws IOException {
        disk.delete(SUSPECT);
    }

    /** Takes away what a checkpoint that did not end has left, as its number comes again. */
    void forgetUnended(Catalogue catalogue) throws IOException {
        for (String name : disk.list(MAPS_FOLDER)) {
            if (name.matches(NUMBER) && !catalogue.entries().containsKey(Integer.parseInt(name))) {
                disk.delete(MAPS + name);
            }
        }
        for (Slot slot : unended) {
            clear(slot.volume, slot.at);
        }
        unended.clear();
    }

    /** The volume is gone. */
    void deleteMap(int volume) throws IOException {
        if (disk.list(MAPS_FOLDER).contains(Integer.toString(volume))) { // one that never had a cluster has none
            disk.delete(MAPS + volume);
        }
    }

    @Override
    public void close() throws IOException {
        superblocks.close();
        clusters.close();
        sums.close();
        disk.close();
    }
}
