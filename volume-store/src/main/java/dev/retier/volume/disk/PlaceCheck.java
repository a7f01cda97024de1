package dev.retier.volume.disk;

import dev.retier.volume.VolumeName;
import dev.retier.volume.pool.Catalogue;
import dev.retier.volume.pool.ClusterMap;
import java.util.BitSet;
import java.util.Map;
import java.util.SortedMap;

/**
 * Whether a cluster of the pool's file is used twice. Volumes of one family may have it together, for the same cluster
 * of each. A bit is kept for each place, so that a large pool is looked at with little memory. Used by one thread.
 */
final class PlaceCheck {
    private final SortedMap<Integer, Catalogue.Entry> entries;
    private final Map<Integer, ClusterMap> maps;
    private final BitSet seen = new BitSet();

    /** Who hears of clusters that are used twice. */
    interface Twice {
        /** One of that volume, and by whom, for people. */
        void used(VolumeName name, String what);
    }

    /**
     * Of a pool of these volumes.
     *
     * @param maps one for each
     */
    PlaceCheck(SortedMap<Integer, Catalogue.Entry> entries, Map<Integer, ClusterMap> maps) {
        this.entries = entries;
        this.maps = maps;
    }

    void run(Twice twice) {
        entries.forEach((volume, entry) -> {
            ClusterMap map = map(volume);
            for (long cluster = next(map, 0); cluster < Long.MAX_VALUE; cluster = next(map, cluster + 1)) {
                int place = (int) map.placeOf(cluster);
                if (seen.get(place) && !isOfFamily(volume, entry, cluster, place)) {
                    String before = first(volume, place);
                    twice.used(entry.name(), "its cluster " + cluster + " lies where " + before + " does");
                }
                seen.set(place);
            }
        });
    }

    private ClusterMap map(int volume) {
        return maps.getOrDefault(volume, new ClusterMap());
    }

    private static long next(ClusterMap map, long first) {
        return map.next(first, Long.MAX_VALUE);
    }

    /** Whether one before has it there, too; of snapshots mostly the last one. */
    private boolean isOfFamily(int volume, Catalogue.Entry entry, long cluster, long place) {
        for (Map.Entry<Integer, Catalogue.Entry> other :
                entries.headMap(volume).reversed().entrySet()) {
            if (other.getValue().family() == entry.family()
                    && map(other.getKey()).placeOf(cluster) == place) {
                return true;
            }
        }
        return false;
    }

    /** Which cluster was there first, for people. */
    private String first(int last, long place) {
        for (Map.Entry<Integer, Catalogue.Entry> each :
                entries.headMap(last + 1).entrySet()) {
            ClusterMap map = map(each.getKey());
            for (long cluster = next(map, 0); cluster < Long.MAX_VALUE; cluster = next(map, cluster + 1)) {
                if (map.placeOf(cluster) == place) {
                    return "cluster " + cluster + " of " + each.getValue().name();
                }
            }
        }
        throw new IllegalStateException("it was seen before");
    }
}
