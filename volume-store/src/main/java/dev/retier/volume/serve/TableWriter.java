package dev.retier.volume.serve;

import dev.retier.volume.disk.Pool;
import dev.retier.volume.disk.PoolFigures;
import dev.retier.volume.pool.Catalogue;
import dev.retier.volume.slots.TablePlace;
import dev.retier.volume.table.VolumeRow;
import dev.retier.volume.table.VolumeTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps a server's table: twice per second, and when there is news. A thread of its own; thread-safe. */
final class TableWriter {
    private static final Logger LOG = LoggerFactory.getLogger(TableWriter.class);
    private static final long PERIOD_NANOS = 500_000_000;

    private final long life;
    private final Pool pool;
    private final Uses uses;
    private final Tally tally;
    private final TablePlace place;
    private final Thread thread;
    private volatile boolean isClosed;
    /** Owned by the thread, as what follows. */
    private final RoomAlarm alarm = new RoomAlarm();

    private long number;

    private Map<Integer, Tally.Use> before = Map.of();
    private long beforeNanos = System.nanoTime();
    private Map<Integer, VolumeRow.Load> loads = Map.of();

    TableWriter(long life, Pool pool, Uses uses, Tally tally) throws IOException {
        this.life = life;
        this.pool = pool;
        this.uses = uses;
        this.tally = tally;
        this.place = new TablePlace(table());
        this.thread = Thread.ofPlatform().name("volume-table").daemon().start(this::work);
    }

    TablePlace place() {
        return place;
    }

    private void work() {
        try {
            while (!isClosed) {
                tally.awaitNews(PERIOD_NANOS);
                write();
            }
        } catch (InterruptedException impossible) {
            throw new IllegalStateException("nobody interrupts it", impossible);
        }
    }

    private void write() {
        try {
            place.put(table());
        } catch (IOException | RuntimeException | Error failed) {
            LOG.error("the table of volumes could not be written", failed);
        }
    }

    private VolumeTable table() throws IOException {
        PoolFigures figures = pool.figures();
        alarm.changes(figures).forEach(LOG::warn);
        Map<Integer, String> writers = uses.writers();
        Catalogue catalogue = pool.catalogue();
        Map<Integer, Catalogue.Entry> all = catalogue.volumes();
        Set<Integer> damaged = damaged(catalogue);
        measure(catalogue.entries().keySet(), System.nanoTime());
        VolumeRow.Health usual = figures.failure().isEmpty() ? VolumeRow.Health.GOOD : VolumeRow.Health.READ_ONLY;
        List<VolumeRow> rows = new ArrayList<>();
        for (Map.Entry<Integer, Catalogue.Entry> each : all.entrySet()) {
            if (rows.size() < VolumeTable.MOST_ROWS) {
                VolumeRow.Health health = damaged.contains(each.getKey()) ? VolumeRow.Health.DAMAGED : usual;
                String writer = writers.getOrDefault(each.getKey(), "");
                rows.add(row(each.getKey(), each.getValue(), figures, writer, health));
            }
        }
        VolumeTable.Room room = new VolumeTable.Room(figures.usedBytes(), figures.freeBytes(), figures.journalBytes());
        return new VolumeTable(life, ++number, room, all.size(), rows);
    }

    /** Volumes of which a block, or one of a snapshot of theirs, is not what was written, or cannot be read. */
    private Set<Integer> damaged(Catalogue catalogue) {
        Set<Integer> damaged = new HashSet<>();
        catalogue.entries().forEach((number, entry) -> {
            if (tally.damage(number).isThere()) {
                damaged.add(entry.isSnapshot() ? entry.parent() : number);
            }
        });
        return damaged;
    }

    private VolumeRow row(
            int volume, Catalogue.Entry entry, PoolFigures figures, String writer, VolumeRow.Health health) {
        PoolFigures.Taken taken = figures.volumes().getOrDefault(volume, PoolFigures.Taken.NOTHING);
        return new VolumeRow(
                volume,
                entry.name(),
                entry.bytes(),
                entry.epoch(),
                writer,
                uses.readers(volume).size(),
                loads.getOrDefault(volume, VolumeRow.Load.NONE),
                new VolumeRow.Room(taken.usedBytes(), taken.journalBytes()),
                health);
    }

    /** What has been asked for since the last time, if that is long enough ago to tell anything. */
    private void measure(Set<Integer> there, long nowNanos) {
        long sinceNanos = nowNanos - beforeNanos;
        if (sinceNanos < PERIOD_NANOS) {
            return;
        }
        double seconds = sinceNanos / (double) TimeUnit.SECONDS.toNanos(1);
        Map<Integer, Tally.Use> now = tally.uses(there);
        Map<Integer, VolumeRow.Load> measured = new HashMap<>();
        now.forEach((volume, use) -> {
            Tally.Use then = before.getOrDefault(volume, Tally.Use.NONE);
            measured.put(
                    volume,
                    new VolumeRow.Load(
                            (use.requests() - then.requests()) / seconds, (use.bytes() - then.bytes()) / seconds));
        });
        loads = measured;
        before = now;
        beforeNanos = nowNanos;
    }

    /** Nobody reads it any more. */
    void close() throws InterruptedException {
        isClosed = true;
        tally.news();
        thread.join();
    }
}
