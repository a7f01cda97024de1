package dev.retier.volume.disk;

import dev.retier.volume.disk.Disk.DiskFile;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.pool.Places;
import java.io.IOException;
import java.util.BitSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives clusters that nobody has back to the file system. Where that cannot be done they are used again, and the file
 * stays as large as it was at its largest. Used by one thread.
 */
final class SpareRoom {
    private static final Logger LOG = LoggerFactory.getLogger(SpareRoom.class);

    private final DiskFile clusters;
    private final Geometry geometry;
    private boolean isPossible = true;
    /** Whether all of the file was looked at: a process before may have left what it could not give back any more. */
    private boolean isWhole;

    private final boolean areMapsProven;
    /** Whether the last time it could not be done. */
    private boolean isBehind;

    /**
     * Of that file.
     *
     * @param areMapsProven whether the maps are what they were, so that what they do not name is in no use
     */
    SpareRoom(DiskFile clusters, Geometry geometry, boolean areMapsProven) {
        this.clusters = clusters;
        this.geometry = geometry;
        this.areMapsProven = areMapsProven;
        this.isWhole = !areMapsProven;
    }

    /**
     * Clusters of which the superblock on the disk says that nobody has them, as do all that can be read after a crash;
     * the first time all that are in no use.
     */
    void giveBack(BitSet unused, Places places) {
        if (!isPossible) {
            return;
        }
        try {
            if (isWhole) {
                giveBack(unused);
            } else {
                for (long place = 0, end = clusters.size() / geometry.clusterBytes() + 1; place < end; ) {
                    long first = places.nextUnused(place);
                    place = places.nextUsed(first, end);
                    punch(first, Math.min(place, end));
                }
                isWhole = true;
            }
            isBehind = false;
        } catch (IOException failed) { // it is of use, and nothing depends on it
            isWhole = !areMapsProven;
            if (!isBehind) {
                LOG.warn("clusters that are free are given back with another checkpoint: {}", failed.toString());
            }
            isBehind = true;
        } catch (RuntimeException | Error never) {
            isPossible = false;
            LOG.warn("clusters that are free are used again, and not given back: {}", never.toString());
        }
    }

    /** Those that lie together at once. */
    private void giveBack(BitSet all) throws IOException {
        for (int first = all.nextSetBit(0); first >= 0; ) {
            int end = all.nextClearBit(first);
            punch(first, end);
            first = all.nextSetBit(end);
        }
    }

    private void punch(long first, long end) throws IOException {
        if (end > first) {
            clusters.punch(first * geometry.clusterBytes(), (end - first) * geometry.clusterBytes());
        }
    }
}
