package dev.retier.volume.pool;

import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Where clusters of one volume lie once a checkpoint has ended, if it is not where they lay before. Rows of clusters
 * that lie nowhere then are kept as such, so that its size follows from the length of the journal. Not thread-safe.
 */
public final class Moves {
    private final Map<Long, Long> places = new HashMap<>();
    /** By the first cluster of each row the one behind its last. */
    private final NavigableMap<Long, Long> holes = new TreeMap<>();

    /** The cluster lies there then. */
    public void put(long cluster, long place) {
        places.put(cluster, place);
    }

    /**
     * The clusters from {@code first} up to, and without, {@code end} lie nowhere then.
     *
     * @return whether that is new
     */
    public boolean hole(long first, long end) {
        return holes.putIfAbsent(first, end) == null;
    }

    /** Where the cluster lies then, of which {@code before} has where it lay. */
    public long placeOf(long cluster, ClusterMap before) {
        Long place = places.get(cluster);
        return place == null ? before.placeOf(cluster) : place;
    }

    /** All is as said from now on. */
    public void apply(ClusterMap map) {
        holes.forEach((first, end) -> {
            for (long cluster = map.next(first, end); cluster < end; cluster = map.next(cluster + 1, end)) {
                map.put(cluster, MapPage.NOWHERE);
            }
        });
        places.forEach(map::put);
    }
}
