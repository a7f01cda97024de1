package dev.retier.volume.disk;

import dev.retier.volume.NoSpaceException;
import dev.retier.volume.pool.Catalogue;
import dev.retier.volume.pool.ClusterMap;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.pool.JournalIndex;
import dev.retier.volume.pool.JournalIndex.Row;
import dev.retier.volume.pool.JournalIndex.Source;
import dev.retier.volume.pool.MapPage;
import dev.retier.volume.pool.Moves;
import dev.retier.volume.pool.Places;
import dev.retier.volume.pool.Superblock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.DoubleConsumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings what the journal tells to the clusters. Blocks of clusters that one volume has are written over: until the
 * superblock says that the checkpoint has ended, the journal has them as well. A cluster that another volume has too,
 * or had when the checkpoint began, stays as it is, and is copied, unless its places were freed for want of room.
 * Blocks that the disk cannot read are lost, see {@link Unread}, and all others are brought. Used by one thread; when
 * there was no room on the disk, it may be run again.
 */
final class Checkpoint {
    private static final Logger LOG = LoggerFactory.getLogger(Checkpoint.class);

    /** A sector or a track; a disk of which more cannot be read may have all of it once it is there again. */
    private static final int MOST_LOST = 256;

    /**
     * Blocks, 32 MiB: after as many they are brought to the disk, so that writers, who get room as this gets on, wait
     * for the disk a little all the time, and not at its end for all of it.
     */
    private static final long MOST_UNFORCED = (32 << 20) / Geometry.BLOCK_BYTES;

    private final PoolFiles files;
    private final Geometry geometry;
    private final ClusterWriter writer;
    private final Places places;
    private final Known known;
    private Superblock next;
    private final JournalIndex index;
    private final Catalogue brought;

    /** By volume: where its clusters lie once the checkpoint has ended. */
    private final Map<Integer, Moves> moved = new HashMap<>();
    /** What has one less once it has ended. */
    private final List<Long> freed = new ArrayList<>();

    private final List<Span> freedSpans = new ArrayList<>();
    /** What has one more since it began. */
    private final List<Long> given = new ArrayList<>();

    private final List<Span> givenSpans = new ArrayList<>();
    /** By volume: what maps had when it began of which clusters are freed. */
    private final Map<Integer, ClusterMap> copies = new HashMap<>();
    /** What nobody has any more. */
    private BitSet unused = new BitSet();
    /** What has one less already, as there was no room before. */
    private final List<Span> early = new ArrayList<>();
    /** Who gives room back before anything is written; null if that waits until it has ended. */
    private @Nullable SpareRoom spare;
    /** Of the maps, once the clusters are on the disk. */
    private @Nullable Map<Integer, List<ClusterMap.Change>> changes;

    private List<Integer> gone = List.of();
    /** How many blocks could not be read. */
    private int lost;

    /** What a map had when the checkpoint began, of a row of clusters. */
    private record Span(ClusterMap map, long first, long end) {
        static Span of(ClusterMap map) {
            return new Span(map, 0, Long.MAX_VALUE);
        }

        void forEachPlace(LongConsumer each) {
            map.forEachPlace(first, end, each);
        }
    }

    /** Begins one: what is known now is what it brings. */
    Checkpoint(PoolFiles files, Journal journal, Places places, Known known, Superblock next) {
        this.files = files;
        this.geometry = next.geometry();
        this.writer = new ClusterWriter(files, geometry, journal);
        this.places = places;
        this.known = known;
        this.next = next;
        Known.Frozen frozen = known.freeze();
        this.index = frozen.index();
        this.brought = frozen.catalogue();
    }

    /**
     * What the journal says that nobody needs any more is used by this one already, and given back to that: after a
     * crash the older superblock still names it, but the journal, all of which is on the disk, says the same again.
     */
    void makeRoom(SpareRoom at) {
        spare = at;
    }

    /** Whether all clusters are written: then it must be run to its end, and no other one may begin. */
    boolean isBrought() {
        return changes != null;
    }

    /**
     * It has ended when this returns.
     *
     * @param progress hears which share of the blocks is written
     * @throws NoSpaceException if there is no room: nothing has changed
     */
    void run(DoubleConsumer progress) throws IOException {
        if (changes == null) {
            try {
                bring(progress);
            } catch (NoSpaceException full) {
                early.forEach(span -> span.forEachPlace(places::take)); // first, as one may be another's by now
                given.forEach(this::free);
                givenSpans.forEach(span -> span.forEachPlace(this::free));
                List.of(early, given, givenSpans, freed, freedSpans).forEach(List::clear);
                moved.clear();
                throw full;
            }
            changes = known.moved(moved, brought, next.checkpoint());
        }
        files.write(brought, changes, next.checkpoint());
        next = next.with(known.sum(brought, changes));
        files.write(next);
        gone = known.ended(brought, changes);
        freed.forEach(this::free);
        freedSpans.forEach(span -> span.forEachPlace(this::free));
    }

    private void free(long place) {
        if (places.free(place)) {
            unused.set((int) place);
        }
    }

    /** Clusters that nobody has any more, by the superblock that is on the disk; this forgets them. */
    BitSet unused() {
        BitSet all = unused;
        unused = new BitSet();
        return all;
    }

    /** With which it has ended. */
    Superblock next() {
        return next;
    }

    /** Volumes that are not there any more. */
    List<Integer> gone() {
        return gone;
    }

    /** All blocks are on the disk when it returns. */
    private void bring(DoubleConsumer progress) throws IOException {
        long all = blocks();
        long done = 0;
        long unforced = 0;
        share();
        if (spare != null) {
            freeEarly(spare);
        }
        for (int volume : index.volumes()) {
            if (brought.entries().containsKey(volume)) {
                ClusterMap map = map(index.baseOf(volume));
                for (Row row : index.of(volume)) {
                    switch (row.source()) {
                        case Source.Zeros _ -> zero(volume, map, row);
                        case Source.Journalled record -> {
                            write(volume, map, row, record);
                            done += row.end() - row.first();
                            unforced += row.end() - row.first();
                            if (unforced >= MOST_UNFORCED) {
                                force();
                                unforced = 0;
                            }
                            progress.accept((double) done / all);
                        }
                    }
                }
            }
        }
        force();
    }

    private void force() throws IOException {
        files.clusters.force();
        files.sums.force();
    }

    private ClusterMap map(int volume) {
        return known.maps().getOrDefault(volume, new ClusterMap());
    }

    /** Volumes that are copies have what the other has; what is gone, or was replaced, has nothing. */
    private void share() {
        index.bases().forEach((volume, base) -> {
            if (brought.entries().containsKey(volume)) {
                Span shared = Span.of(known.copy(base));
                shared.forEachPlace(places::take);
                givenSpans.add(shared);
                freedSpans.add(Span.of(known.copy(volume)));
            }
        });
        for (int volume : known.maps().keySet()) {
            if (!brought.entries().containsKey(volume)) {
                freedSpans.add(Span.of(known.copy(volume)));
            }
        }
    }

    private void freeEarly(SpareRoom at) {
        for (int volume : index.volumes()) {
            if (brought.entries().containsKey(volume)) {
                for (Row row : index.of(volume)) {
                    if (row.source() instanceof Source.Zeros) {
                        freeWhole(volume, row);
                    }
                }
            }
        }
        known.overtake();
        early.addAll(freedSpans);
        freedSpans.clear();
        early.forEach(span -> span.forEachPlace(this::free));
        at.giveBack(unused(), places);
    }

    /** Of a row of zeros the clusters that are in it as a whole. */
    private void freeWhole(int volume, Row row) {
        long first = geometry.clusterOf(row.first() + geometry.clusterBlocks() - 1);
        long end = geometry.clusterOf(row.end());
        if (first < end && moves(volume).hole(first, end)) {
            freedSpans.add(new Span(copies.computeIfAbsent(index.baseOf(volume), known::copy), first, end));
        }
    }

    private long give() {
        long place = places.give();
        given.add(place);
        return place;
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

    private void zero(int volume, ClusterMap map, Row row) throws IOException {
        freeWhole(volume, row);
        long first = geometry.clusterOf(row.first());
        long last = geometry.clusterOf(row.end() - 1);
        zeroPart(volume, map, first, row);
        if (last > first) {
            zeroPart(volume, map, last, row);
        }
    }

    /** What of that cluster is in a row of zeros, unless it is all of it. */
    private void zeroPart(int volume, ClusterMap map, long cluster, Row row) throws IOException {
        long begin = cluster * geometry.clusterBlocks();
        long from = Math.max(begin, row.first());
        Part part =
                new Part((int) (from - begin), (int) (Math.min(begin + geometry.clusterBlocks(), row.end()) - from));
        long place = moves(volume).placeOf(cluster, map);
        if (place != MapPage.NOWHERE && part.count < geometry.clusterBlocks()) {
            writer.fill(own(volume, cluster, place, part), part.first, part.count);
        }
    }

    private Moves moves(int volume) {
        return moved.computeIfAbsent(volume, _ -> new Moves());
    }

    private void write(int volume, ClusterMap map, Row row, Source.Journalled record) throws IOException {
        int blocks = geometry.clusterBlocks();
        for (long block = row.first(); block < row.end(); ) {
            long cluster = geometry.clusterOf(block);
            int within = geometry.inCluster(block);
            int count = (int) Math.min(row.end() - block, blocks - within);
            long place = moves(volume).placeOf(cluster, map);
            if (place == MapPage.NOWHERE) {
                place = give();
                moves(volume).put(cluster, place);
                if (count < blocks) {
                    writer.fill(place, 0, blocks);
                }
            } else {
                place = own(volume, cluster, place, new Part(within, count));
            }
            lose(volume, block, writer.copy(record, block, count, place, within));
            block += count;
        }
    }

    /** Blocks of a cluster that get something new. */
    private record Part(int first, int count) {}

    /** A place for the cluster that no other volume has, with what lies there if some of it stays. */
    private long own(int volume, long cluster, long place, Part anew) throws IOException {
        if (!places.isShared(place)) {
            return place;
        }
        long mine = give();
        if (anew.count < geometry.clusterBlocks()) {
            BitSet unread = writer.copy(place, mine);
            unread.clear(anew.first, anew.first + anew.count);
            lose(volume, cluster * geometry.clusterBlocks(), unread);
        }
        freed.add(place);
        moves(volume).put(cluster, mine);
        return mine;
    }

    /** Blocks from {@code first} on that cannot be read, where they were, and from now on are not what was written. */
    private void lose(int volume, long first, BitSet blocks) throws IOException {
        Catalogue.Entry entry = Objects.requireNonNull(brought.entries().get(volume));
        blocks.stream()
                .forEach(block -> LOG.error(
                        "block {} of {} cannot be read, and is lost until it is written anew",
                        first + block,
                        entry.name()));
        lost += blocks.cardinality();
        if (lost > MOST_LOST) {
            throw new IOException("more than " + MOST_LOST + " blocks that a checkpoint copies cannot be read: the disk"
                    + " fails, or is away; what the journal has stays there");
        }
    }
}
