package dev.retier.bench.volumes;

import dev.retier.bench.ProcessFigures;
import dev.retier.bench.Progress;
import dev.retier.bench.volumes.Row.Beside;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Rows D3: PostgreSQL whose bank is four times its machine's memory, on volumes of two servers with a cache each and on
 * the local file system; each server and the local PostgreSQL have as much of the disk as a slow one would give.
 * Needs root and control groups. Not thread-safe.
 */
final class CacheRows {
    /** Of the machine on which PostgreSQL is, for processes and what the kernel keeps of files for them. */
    static final long MEMORY_BYTES = 160L << 20;

    private static final long BANK_BYTES = 4 * MEMORY_BYTES;
    private static final long VOLUME_BYTES = 4L << 30;
    /** Of a disk, in a second. */
    static final long DISK_BYTES = 40L << 20;

    static final long DISK_REQUESTS = 2_000;
    /** What a server has of the kernel's memory beside what its process has. */
    static final long FILES_BYTES = 96L << 20;

    /** Of caches. */
    private static final List<Integer> MEBIBYTES = List.of(64, 256);

    private static final List<String> SETTINGS = List.of("shared_buffers=32MB");
    private static final int CLIENTS = 8;
    private static final double PERCENT = 100;

    private final Path folder;
    private final Path programs;
    private final Duration time;
    private final Closing toEnd;
    private final Served recency;
    private final Served frequency;
    private final Database local;

    /** A server with its cache, and a database on a volume of it. */
    private record Served(String policy, Store store, LimitedGroup group, Database database) {
        /** Blocks that its server was to read, as it had them and had not. */
        double[] blocks() throws IOException, InterruptedException {
            return new double[] {
                store.figure("retier_volume_cache_hits_total"), store.figure("retier_volume_cache_misses_total")
            };
        }

        /** Percent of the blocks that were read meanwhile. */
        double hits(Duration time) throws IOException, InterruptedException {
            double[] before = blocks();
            double _ = database.perSecondSkewed(CLIENTS, time);
            double[] after = blocks();
            double hits = after[0] - before[0];
            return PERCENT * hits / (hits + after[1] - before[1]);
        }
    }

    /** Makes three databases. */
    CacheRows(Path folder, Duration time, Closing toEnd) throws IOException, InterruptedException {
        this.folder = folder;
        this.toEnd = toEnd;
        this.programs = Database.programs().orElseThrow();
        this.time = time;
        Progress.tell("making databases that are larger than their memory ...");
        String device = LimitedGroup.device(folder);
        this.frequency = served("mq", device);
        this.recency = served("lru", device);
        LimitedGroup group = toEnd.add(LimitedGroup.make(LimitedGroup.SYSTEM, "retier-bench-local"));
        this.local = database(Files.createDirectory(folder.resolve("local")), "notes-local", group);
        group.limitDisk(device, DISK_BYTES, DISK_REQUESTS);
    }

    private Served served(String policy, String device) throws IOException, InterruptedException {
        LimitedGroup group = toEnd.add(LimitedGroup.make(LimitedGroup.SYSTEM, "retier-bench-" + policy));
        LimitedGroup machine = toEnd.add(LimitedGroup.make(LimitedGroup.SYSTEM, "retier-bench-client-" + policy));
        Path own = Files.createDirectory(folder.resolve(policy));
        Store store = toEnd.add(Store.start(own.resolve("store"), group));
        store.create(policy, VOLUME_BYTES);
        Path mounted = Files.createDirectory(own.resolve("mounted"));
        toEnd.add(store.mount(policy, mounted));
        Database database = database(mounted, "notes-" + policy, machine);
        group.limitDisk(device, DISK_BYTES, DISK_REQUESTS);
        return new Served(policy, store, group, database);
    }

    /** Its memory is limited once the bank is there. */
    private Database database(Path on, String notes, LimitedGroup group) throws IOException, InterruptedException {
        Database.Shape shape = new Database.Shape(BANK_BYTES, SETTINGS, group::command);
        Database made = toEnd.add(new Database(programs, on.resolve("data"), folder.resolve(notes), shape));
        group.limitMemory(MEMORY_BYTES);
        return made;
    }

    /** How large the caches are. */
    List<Integer> mebibytes() {
        return MEBIBYTES;
    }

    /** Gives both servers caches of that size, and lets them be filled. */
    void use(int mebibytes) throws IOException, InterruptedException {
        for (Served each : List.of(frequency, recency)) {
            Progress.tell("filling a cache of " + mebibytes + " MiB by " + each.policy + " ...");
            each.group.limitMemory(VOLUME_BYTES);
            each.store.useCache((long) mebibytes << 20, each.policy);
            double _ = each.database.perSecondSkewed(CLIENTS, time.multipliedBy(2));
            long own = (long) (ProcessFigures.of(each.store.pid()).residentMebibytes() * (1 << 20));
            each.group.limitMemory(own + FILES_BYTES);
        }
    }

    /** Of the caches that are there. */
    List<Row> rows(int mebibytes) {
        String size = mebibytes + " MiB";
        return List.of(
                new Row(
                        "D3 " + size,
                        "pgbench TPC-B, accounts by Zipf, 8 clients, bank of " + (BANK_BYTES >> 20)
                                + " MiB; server's cache of " + size + " by MQ",
                        "transactions/s",
                        true,
                        () -> frequency.database.perSecondSkewed(CLIENTS, time),
                        List.of(
                                new Beside("LRU", 1, () -> recency.database.perSecondSkewed(CLIENTS, time)),
                                new Beside("local file system", 1, () -> local.perSecondSkewed(CLIENTS, time)))),
                new Row(
                        "D3 " + size + " hits",
                        "of the blocks that such a cache's server was to read",
                        "%",
                        true,
                        () -> frequency.hits(time.dividedBy(2)),
                        List.of(new Beside("LRU", 1, () -> recency.hits(time.dividedBy(2))))));
    }
}
