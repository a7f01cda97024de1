package dev.retier.volume.serve;

import dev.retier.volume.config.Care;
import dev.retier.volume.disk.Pool;
import dev.retier.volume.pool.Catalogue;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Opens volumes for those who have them, in lines of their priorities. Thread-safe. */
record Opener(Pool pool, DiskThreads threads, Care care) {
    /**
     * A volume that there is.
     *
     * @param epoch of the attachment, unsigned; 0 of one for reading
     * @param by over which connection; null if nobody will ask for anything
     */
    Opened open(long use, int epoch, int volume, @Nullable ServedClient by) {
        Turns turns = by == null ? turns(volume) : turns(volume, by.turns());
        return new Opened(use, epoch, pool.volume(volume, epoch, turns.ahead()), turns.line());
    }

    /** Those of volumes that are gone are not kept. */
    private Turns turns(int volume, Map<Integer, Turns> known) {
        known.keySet().retainAll(pool.catalogue().entries().keySet());
        return known.computeIfAbsent(volume, this::turns);
    }

    private Turns turns(int volume) {
        int priority = priority(volume);
        DiskThreads.Line aside = threads.new Line(priority);
        return new Turns(
                threads.new Line(priority),
                pool.ahead(volume, work -> aside.add(threads.scratchBytes(), work::accept)));
    }

    /** A snapshot has that of its volume. */
    private int priority(int volume) {
        Map<Integer, Catalogue.Entry> entries = pool.catalogue().entries();
        Catalogue.Entry entry = entries.get(volume);
        Catalogue.Entry named = entry != null && entry.isSnapshot() ? entries.get(entry.parent()) : entry;
        return named == null ? Care.HIGHEST : care.priority(named.name());
    }
}
