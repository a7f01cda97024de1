package dev.retier.volume.serve;

import dev.retier.link.LinkKeeper;
import dev.retier.volume.disk.Pool;
import java.io.IOException;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Serves the volumes of a pool to clients that prove the secret. A client has a volume for itself; what it was answered
 * is kept over the death of this process. Thread-safe.
 */
public final class VolumeServer implements AutoCloseable {
    private final Pool pool;
    private final DiskThreads threads;
    private final Flusher flusher;
    private final VolumeHost host;
    private final LinkKeeper<?> keeper;

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
    }

    private VolumeServer(ServerConfig config, Identity identity, Pool pool) {
        this.pool = pool;
        this.threads =
                new DiskThreads(config.limits().diskThreads(), config.limits().slotBytes());
        this.flusher = new Flusher(pool::flush);
        Uses uses = new Uses(pool, config.times());
        this.host = new VolumeHost(config, identity, new Service(pool, uses, threads, flusher));
        this.keeper = new LinkKeeper<>(host, Optional.of(config.listen()));
    }

    /**
     * Begins to serve.
     *
     * @param pool is the caller's, to be closed after the server
     * @throws dev.retier.link.TransportException if the transport is not there; the message says what is missing
     * @throws dev.retier.link.StateException if the address cannot be listened on; the message says what to do
     */
    public static VolumeServer open(ServerConfig config, Identity identity, Pool pool) {
        config.transport().use();
        return new VolumeServer(config, identity, pool);
    }

    /** How many clients are connected. */
    public int clients() {
        return host.clients();
    }

    /** Ends all connections; returns when nothing of theirs is under way. What was answered is on the disk then. */
    @Override
    public void close() throws IOException {
        keeper.close();
        host.close();
        try {
            threads.close();
            flusher.close();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        pool.flush();
    }
}
