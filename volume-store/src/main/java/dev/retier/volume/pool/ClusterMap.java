package dev.retier.volume.pool;

import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongConsumer;

/**
 * Where the clusters of one volume lie, in pages: of those without any cluster there is none. Which slot of each page
 * is the good one is kept here too. Places take four bytes each, and pages that maps have in common take memory once.
 * Not thread-safe.
 */
public final class ClusterMap {
    private final NavigableMap<Integer, Page> pages = new TreeMap<>();
    private final SortedSet<Integer> changed = new TreeSet<>();
    private long used;

    @SuppressWarnings("ArrayRecordComponent") // compared by nobody
    private record Page(int[] places, int slot, long checkpoint, boolean isOwn) {
        Page shared() {
            return new Page(places, slot, checkpoint, false);
        }

        Page own() {
            return isOwn ? this : new Page(places.clone(), slot, checkpoint, true);
        }
    }

    /** Pages of the maps of one pool while they are read: those that are equal take memory once. */
    public static final class Equals {
        private final Map<IntBuffer, int[]> all = new HashMap<>();

        private int[] one(int[] places) {
            return all.computeIfAbsent(IntBuffer.wrap(places), _ -> places);
        }
    }

    /** A page as it was found, once, in that slot of its two. */
    public void load(int page, MapPage found, int slot, Equals equals) {
        pages.put(page, new Page(equals.one(found.places()), slot, found.checkpoint(), false));
        used += Arrays.stream(found.places())
                .filter(place -> place != MapPage.NOWHERE)
                .count();
    }

    /** The place of a cluster, or {@link MapPage#NOWHERE}, as behind the end of any volume. */
    public long placeOf(long cluster) {
        Page page = cluster / MapPage.ENTRIES > Integer.MAX_VALUE ? null : pages.get(pageOf(cluster));
        return page == null ? MapPage.NOWHERE : page.places[entryOf(cluster)];
    }

    /** From now on the cluster lies there, or nowhere. */
    public void put(long cluster, long place) {
        int number = pageOf(cluster);
        if (place == MapPage.NOWHERE && !pages.containsKey(number)) {
            return;
        }
        // Both slots of a new page hold nothing: it is written to the first one, as if the second were good.
        Page page = pages.computeIfAbsent(number, _ -> new Page(MapPage.nowhere(), 1, 0, true))
                .own();
        used += place == MapPage.NOWHERE ? 0 : 1;
        used -= page.places[entryOf(cluster)] == MapPage.NOWHERE ? 0 : 1;
        page.places[entryOf(cluster)] = Math.toIntExact(place);
        pages.put(number, page);
        changed.add(number);
    }

    /** Each cluster lies from now on where it lies by {@code other}; it keeps its own slots. */
    public void become(ClusterMap other) {
        SortedSet<Integer> all = new TreeSet<>(pages.keySet());
        all.addAll(other.pages.keySet());
        other.pages.replaceAll((_, page) -> page.shared());
        for (int number : all) {
            Page mine = pages.get(number);
            Page theirs = other.pages.get(number);
            int[] places = theirs == null ? MapPage.nowhere() : theirs.places;
            pages.put(
                    number, new Page(places, mine == null ? 1 : mine.slot, mine == null ? 0 : mine.checkpoint, false));
            changed.add(number);
        }
        used = other.used;
    }

    /** How many clusters have a place. */
    public long used() {
        return used;
    }

    /** All places that it names of the clusters from that one on, and before {@code end}. */
    public void forEachPlace(long first, long end, LongConsumer each) {
        for (long cluster = next(first, end); cluster < end; cluster = next(cluster + 1, end)) {
            each.accept(placeOf(cluster));
        }
    }

    /** All places that it names. */
    public void forEachPlace(LongConsumer each) {
        for (Page page : pages.values()) {
            for (int place : page.places) {
                if (place != MapPage.NOWHERE) {
                    each.accept(place);
                }
            }
        }
    }

    /** The first cluster from {@code first} on, and before {@code end}, that has a place; {@code end} if none has. */
    public long next(long first, long end) {
        long behind = pages.isEmpty() ? 0 : (pages.lastKey() + 1L) * MapPage.ENTRIES;
        if (first >= Math.min(end, behind)) {
            return end;
        }
        for (Map.Entry<Integer, Page> each : pages.tailMap(pageOf(first), true).entrySet()) {
            long begin = (long) each.getKey() * MapPage.ENTRIES;
            for (int entry = (int) Math.max(0, first - begin); entry < MapPage.ENTRIES; entry++) {
                if (begin + entry >= end) {
                    return end;
                }
                if (each.getValue().places[entry] != MapPage.NOWHERE) {
                    return begin + entry;
                }
            }
        }
        return end;
    }

    /** Whether one of the clusters from that one on, and before {@code end}, has a place. */
    public boolean hasAny(long first, long end) {
        return next(first, end) < end;
    }

    /** A page that must be written with the next checkpoint: where in the volume's file, and what. */
    public record Change(int page, int slot, MapPage content) {
        /** In the file of the volume. */
        public long offset() {
            return (2L * page + slot) * MapPage.BYTES;
        }
    }

    /** What must be written with the checkpoint of that number, to the slots that are not good now. */
    public List<Change> changes(long checkpoint) {
        List<Change> changes = new ArrayList<>();
        pages.forEach((number, page) -> {
            if (changed.contains(number)) {
                changes.add(new Change(number, 1 - page.slot, new MapPage(checkpoint, page.places)));
            }
        });
        return changes;
    }

    /** The checkpoint with these changes has ended: they are the good ones. */
    public void ended(List<Change> changes) {
        for (Change change : changes) {
            pages.computeIfPresent(
                    change.page,
                    (_, page) -> new Page(page.places, change.slot, change.content.checkpoint(), page.isOwn));
            changed.remove(change.page);
        }
    }

    /**
     * Tells the pages that there are, each of the checkpoint that wrote it, from others, and those of this volume from
     * those of another one.
     *
     * @param changes count as written
     */
    public long sum(int volume, List<Change> changes) {
        NavigableMap<Integer, Long> written = new TreeMap<>();
        pages.forEach((number, page) -> written.put(number, page.checkpoint));
        changes.forEach(change -> written.put(change.page, change.content.checkpoint()));
        ByteBuffer one = ByteBuffer.allocate(2 * Integer.BYTES + Long.BYTES);
        long sum = 0;
        for (Map.Entry<Integer, Long> each : written.entrySet()) {
            one.clear().putInt(volume).putInt(each.getKey()).putLong(each.getValue());
            sum += Integer.toUnsignedLong(Checksums.of(one, 0, one.capacity()));
        }
        return sum;
    }

    private static int pageOf(long cluster) {
        return Math.toIntExact(cluster / MapPage.ENTRIES);
    }

    private static int entryOf(long cluster) {
        return (int) (cluster % MapPage.ENTRIES);
    }
}
