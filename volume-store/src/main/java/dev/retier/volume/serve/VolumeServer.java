package dev.retier.volume.serve;

import dev.retier.link.LinkKeeper;
import dev.retier.link.Metric;
import dev.retier.volume.disk.Pool;
import dev.retier.volume.disk.PoolFigures;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Serves the volumes of a pool to clients that prove the secret: each to one that writes, and to any that read beside
 * it. What a client was answered is kept over the death of this process. Thread-safe.
 */
public final class VolumeServer implements AutoCloseable {
    private final Pool pool;
    private final Workings workings;
    private final VolumeHost host;
    private final LinkKeeper<?> keeper;
    private final TableWriter table;
    private final Scrubber scrubber;

    /**
     * Who the server is.
     *
     * @param life drawn anew for each run
     * @param boot of the machine: another one when it has started anew
     */
    public record Identity(long life, UUID boot) {
        /** In a new life, on a machine of that boot id. */
        public static Identity drawn(UUID boot) {
            return new Identity(ThreadLocalRandom.current().nextLong(), boot);
        }

        /**
         * The boot id that clients of that pool are told: another one, too, once what they were answered and have not
         * flushed may be gone though the machine has not started anew.
         */
        UUID bootOf(Pool pool) {
            return new UUID(boot.getMostSignificantBits(), boot.getLeastSignificantBits() + pool.losses());
        }
    }

    private VolumeServer(ServerConfig config, Identity identity, Pool pool, ServerListener listener)
            throws IOException {
        this.pool = pool;
        Tally tally = new Tally(listener);
        this.workings = new Workings(
                pool, new Workings.Settings(config.limits(), config.times(), config.care()), tally, Means.SYSTEM);
        this.table = new TableWriter(identity.life(), pool, workings.uses, tally);
        this.scrubber = new Scrubber(pool, tally, config.care(), Means.SYSTEM);
        this.host = new VolumeHost(config, identity.bootOf(pool), pool.id(), workings.service, table.place());
        this.keeper = new LinkKeeper<>(host, Optional.of(config.listen()));
    }

    /**
     * Begins to serve.
     *
     * @param pool is the caller's, to be closed after the server
     * @param listener hears how long what it does takes
     * @throws dev.retier.link.TransportException if the transport is not there; the message says what is missing
     * @throws IOException if nothing can be told of the pool
     * @throws dev.retier.link.StateException if the address cannot be listened on; the message says what to do
     */
    public static VolumeServer open(ServerConfig config, Identity identity, Pool pool, ServerListener listener)
            throws IOException {
        config.transport().use();
        return new VolumeServer(config, identity, pool, listener);
    }

    /** Why its pool takes no changes any more; empty while it does. */
    public String failure() {
        return pool.failure();
    }

    /** What has failed of its connections so that nothing but another process helps; empty if nothing has. */
    public Optional<String> loss() {
        return host.loss();
    }

    /** What it has counted, and how things are now: all of {@link VolumeMetric} but the timers, and of its links. */
    public Map<Metric, Long> figures() throws IOException {
        PoolFigures now = pool.figures();
        Map<Metric, Long> figures = new HashMap<>(host.counters().counted());
        figures.putAll(workings.tally.counted());
        figures.put(VolumeMetric.CACHE_HITS, now.cache().hits());
        figures.put(VolumeMetric.CACHE_MISSES, now.cache().misses());
        figures.put(VolumeMetric.CACHE_BLOCKS, now.cache().used());
        figures.put(VolumeMetric.CACHE_AHEAD_USED, now.cache().aheadUsed());
        figures.put(VolumeMetric.CACHE_AHEAD_UNUSED, now.cache().aheadUnused());
        figures.put(VolumeMetric.CLIENTS, (long) host.clients());
        figures.put(VolumeMetric.VOLUMES, (long) pool.catalogue().volumes().size());
        figures.put(VolumeMetric.ATTACHED, (long) workings.uses.writers().size());
        figures.put(VolumeMetric.USED_BYTES, now.usedBytes());
        figures.put(VolumeMetric.FREE_BYTES, now.freeBytes());
        figures.put(VolumeMetric.NEEDED_BYTES, now.neededBytes());
        figures.put(VolumeMetric.JOURNAL_BYTES, now.journalBytes());
        figures.put(VolumeMetric.JOURNAL_LIMIT_BYTES, now.journalLimitBytes());
        figures.put(VolumeMetric.TAKES_CHANGES, now.failure().isEmpty() ? 1L : 0L);
        return figures;
    }

    /**
     * Ends all connections with a goodbye, after which clients look for the next server; returns when nothing of theirs
     * is under way, whoever interrupts. What was answered is on the disk then.
     */
    @Override
    public void close() throws IOException {
        keeper.close();
        host.close();
        boolean isInterrupted = Thread.interrupted();
        isInterrupted |= Workings.ended(table::close);
        isInterrupted |= Workings.ended(scrubber::close);
        try {
            workings.close();
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
