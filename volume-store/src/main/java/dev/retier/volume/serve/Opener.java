package dev.retier.volume.serve;

import dev.retier.volume.disk.Pool;
import dev.retier.volume.disk.PoolVolume;
import dev.retier.volume.pool.Catalogue;

/** Opens volumes for those who have them, each with lines of its priority. Thread-safe. */
record Opener(Pool pool, DiskThreads threads, ServerConfig.Care care) {
    /**
     * A volume that there is.
     *
     * @param epoch of the attachment, unsigned; 0 of one for reading
     */
    Opened open(long use, int epoch, int volume) {
        Catalogue.Entry entry = pool.catalogue().entries().get(volume);
        int priority = entry == null ? DiskThreads.HIGHEST : care.priority(entry.name());
        DiskThreads.Line aside = threads.new Line(priority);
        PoolVolume opened = pool.volume(volume, epoch, work -> aside.add(threads.scratchBytes(), work::accept));
        return new Opened(use, epoch, opened, threads.new Line(priority));
    }
}
