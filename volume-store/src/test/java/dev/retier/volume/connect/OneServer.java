package dev.retier.volume.connect;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.link.ReservedPorts;
import dev.retier.link.SecretSource;
import dev.retier.link.Transport;
import dev.retier.link.auth.ClusterSecret;
import dev.retier.link.auth.Secrets;
import dev.retier.volume.NoSpaceException;
import dev.retier.volume.Volume;
import dev.retier.volume.cache.CachePolicy;
import dev.retier.volume.config.Care;
import dev.retier.volume.config.Limits;
import dev.retier.volume.config.Times;
import dev.retier.volume.disk.BlockCache;
import dev.retier.volume.disk.Disk;
import dev.retier.volume.disk.FolderDisk;
import dev.retier.volume.disk.ForwardingDisk;
import dev.retier.volume.disk.Pool;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.serve.ServerConfig;
import dev.retier.volume.serve.ServerListener;
import dev.retier.volume.serve.VolumeMetric;
import dev.retier.volume.serve.VolumeServer;
import dev.retier.volume.wire.ClientName;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/** A volume server over software iWARP on loopback, with a pool in a folder, and its clients. */
public final class OneServer implements AutoCloseable {
    static final SecretSource SECRETS = SecretSource.of(Secrets.only(ClusterSecret.of("a secret of this cluster")));
    private static final int SEGMENT = 4 << 20;

    private final Path folder;
    private final ReservedPorts ports = new ReservedPorts(1);
    private final Times times;
    private final Care care;
    private final int cacheBytes;
    private final List<VolumeClient> clients = new ArrayList<>();
    /** From its next start on. */
    Limits limits;

    /** Of its machine, from its next start on. */
    UUID boot = new UUID(1, 1);

    /** How often something was forced to the disk. */
    final AtomicInteger forces = new AtomicInteger();
    /** Whether there is no room on the disk. */
    final AtomicBoolean isFull = new AtomicBoolean();
    /** Whether the next force fails. */
    final AtomicBoolean isToFail = new AtomicBoolean();
    /** Who has it keeps the disk from forcing anything. */
    final ReentrantLock forcing = new ReentrantLock();

    private BlockCache cache = BlockCache.none();
    private Pool pool;
    private VolumeServer server;

    /** One that serves requests of so many bytes, from its disk alone. */
    public OneServer(Path folder, int slotBytes) throws IOException {
        this(folder, slotBytes, Care.LEAST);
    }

    /** With that care. */
    OneServer(Path folder, int slotBytes, Care care) throws IOException {
        this(folder, new Limits(64, slotBytes, 8, 2), Times.DEFAULT, care, 0);
    }

    /** With {@code cacheBytes} of memory, or from its disk alone. */
    OneServer(Path folder, Limits limits, Times times, Care care, int cacheBytes) throws IOException {
        this.folder = folder;
        this.limits = limits;
        this.times = times;
        this.care = care;
        this.cacheBytes = cacheBytes;
        try (FolderDisk disk = FolderDisk.open(Files.createDirectories(folder))) {
            Pool.make(disk, UUID.randomUUID(), Geometry.DEFAULT);
        }
        pool = opened();
        server = served();
    }

    private Pool opened() throws IOException {
        cache = cacheBytes > 0 ? BlockCache.of(cacheBytes, CachePolicy.MQ) : BlockCache.none();
        Disk disk = new ForwardingDisk(FolderDisk.open(folder)) {
            @Override
            public DiskFile open(String name) throws IOException {
                return new Watched(super.open(name));
            }
        };
        return Pool.open(disk, new Pool.Limits(SEGMENT, 8L * SEGMENT), cache, Thread::startVirtualThread);
    }

    private VolumeServer served() throws IOException {
        ServerConfig config = new ServerConfig(address(), SECRETS, Transport.IWARP, limits, times, care);
        return VolumeServer.open(config, VolumeServer.Identity.drawn(boot), pool, ServerListener.NONE);
    }

    private final class Watched extends ForwardingDisk.ForwardingFile {
        Watched(Disk.DiskFile file) {
            super(file);
        }

        @Override
        public void write(ByteBuffer from, long offset) throws IOException {
            if (isFull.get()) {
                throw new NoSpaceException("no room, as planned");
            }
            super.write(from, offset);
        }

        @Override
        public void force() throws IOException {
            if (isToFail.compareAndSet(true, false)) {
                throw new IOException("the disk failed, as planned");
            }
            forcing.lock();
            try {
                super.force();
            } finally {
                forcing.unlock();
            }
            forces.incrementAndGet();
        }
    }

    InetSocketAddress address() {
        return ports.address(0);
    }

    Pool pool() {
        return pool;
    }

    BlockCache cache() {
        return cache;
    }

    /** What it has counted. */
    long counted(VolumeMetric metric) throws IOException {
        return Objects.requireNonNull(server.figures().get(metric));
    }

    void stop() throws IOException {
        server.close();
        pool.close();
    }

    /** It is there again. */
    void start() throws IOException {
        pool = opened();
        server = served();
    }

    /** It ends, as its pool has failed; it is there again. */
    void restartAfterAFailure() throws IOException {
        assertThatThrownBy(server::close).isInstanceOf(IOException.class).hasMessageContaining("start the server anew");
        pool.close();
        start();
    }

    /** Keeps its disk as it is, while there is no server. */
    void keepDisk(Path as) throws IOException {
        copy(folder, as);
    }

    /** Its disk is as it was kept, while there is no server. */
    void bringBackDisk(Path kept) throws IOException {
        try (var all = Files.walk(folder)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
        copy(kept, folder);
    }

    private static void copy(Path from, Path to) throws IOException {
        try (var all = Files.walk(from)) {
            for (Path each : all.toList()) {
                Files.copy(each, to.resolve(from.relativize(each).toString()));
            }
        }
    }

    /** Of a client that keeps little of what it has not flushed. */
    public ClientConfig config() {
        return ClientConfig.of(address(), SECRETS, Transport.IWARP).withUnflushedBytes(1 << 20);
    }

    /** A client, called by its number from 1 on; closed with this. */
    public VolumeClient client(ClientConfig as) {
        VolumeClient client = VolumeClient.open(as.withName(new ClientName("client " + (clients.size() + 1))));
        clients.add(client);
        return client;
    }

    @Override
    public void close() throws IOException {
        clients.forEach(VolumeClient::close);
        stop();
        ports.close();
    }

    /** Bytes of a seed. */
    static ByteBuffer random(long seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return ByteBuffer.wrap(bytes);
    }

    static ByteBuffer read(Volume volume, long offset, int length) throws IOException {
        ByteBuffer into = ByteBuffer.allocate(length);
        volume.read(offset, into);
        return into.flip();
    }
}
