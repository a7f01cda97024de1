package dev.retier.volume.disk;

import dev.retier.volume.VolumeName;
import dev.retier.volume.pool.Catalogue;
import dev.retier.volume.pool.ClusterMap;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.pool.JournalRecord;
import dev.retier.volume.pool.JournalRecord.Stamp;
import dev.retier.volume.pool.Superblock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A pool with much in it, of which only the maps take room: a program that shows with how much memory it can be used.
 */
final class LargePool {
    private static final Pool.Limits LIMITS = new Pool.Limits(4 << 20, 16 << 20);
    private static final int VOLUME = 1;

    private LargePool() {}

    /** Of one volume and snapshots of it that have the same; none of its clusters is there. */
    static void make(Path folder, long gigabytes, int snapshots) throws IOException {
        long bytes = gigabytes << 30;
        FolderDisk disk = FolderDisk.open(folder);
        Pool.make(disk, new UUID(1, 2), Geometry.DEFAULT);
        try (PoolFiles files = new PoolFiles(disk)) {
            Superblock next = files.newest().after(1, 1);
            Catalogue catalogue = Catalogue.EMPTY.after(
                    new JournalRecord.Created(VOLUME, new VolumeName("accounts"), bytes, JournalRecord.Maker.NOBODY));
            ClusterMap map = new ClusterMap();
            for (long cluster = 0; cluster < bytes / Geometry.DEFAULT.clusterBytes(); cluster++) {
                map.put(cluster, cluster);
            }
            long sum = write(files, catalogue, VOLUME, map);
            for (int number = VOLUME + 1; number <= VOLUME + snapshots; number++) {
                catalogue = catalogue.after(
                        new JournalRecord.Copied(number, VOLUME, VOLUME, new VolumeName("day-" + number)));
                ClusterMap same = new ClusterMap();
                same.become(map);
                sum += write(files, catalogue, number, same);
            }
            files.write(next.with(sum));
        }
    }

    private static long write(PoolFiles files, Catalogue catalogue, int volume, ClusterMap map) throws IOException {
        List<ClusterMap.Change> changes = map.changes(1);
        files.write(catalogue, Map.of(volume, changes), 1);
        return map.sum(volume, changes);
    }

    /** Uses the pool in that folder, by a process with the memory that it was given; what it does, and took. */
    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0]);
        Pool pool = Pool.open(FolderDisk.open(folder), LIMITS, Runnable::run);
        say("opened");
        long bytes = pool.entry(VOLUME).bytes();
        int snapshot = pool.snapshot(VOLUME, new VolumeName("today"));
        pool.checkpoint();
        say("snapshot");
        pool.write(VOLUME, new Stamp(1, 1), 0, ByteBuffer.allocate(16 * Geometry.BLOCK_BYTES));
        pool.zero(VOLUME, new Stamp(1, 2), 16, bytes / Geometry.BLOCK_BYTES - 16);
        pool.checkpoint();
        say("discarded");
        pool.rollBack(VOLUME, snapshot);
        pool.checkpoint();
        say("rolled back");
        pool.delete(snapshot);
        pool.resize(VOLUME, 0);
        pool.checkpoint();
        pool.close();
        say("resized");
    }

    private static void say(String what) {
        System.gc();
        Runtime java = Runtime.getRuntime();
        System.out.println(what + ": " + ((java.totalMemory() - java.freeMemory()) >> 20) + " MB");
    }
}
