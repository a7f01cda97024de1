package dev.retier.volume.connect;

import dev.retier.link.Transport;
import dev.retier.link.auth.ClusterSecret;
import dev.retier.link.auth.Secrets;
import dev.retier.volume.Volume;
import dev.retier.volume.VolumeName;
import dev.retier.volume.cache.CachePolicy;
import dev.retier.volume.disk.BlockCache;
import dev.retier.volume.disk.Disk;
import dev.retier.volume.disk.FolderDisk;
import dev.retier.volume.disk.Pool;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.serve.ServerConfig;
import dev.retier.volume.serve.ServerListener;
import dev.retier.volume.serve.VolumeServer;
import dev.retier.volume.wire.ClientName;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A server of volumes in a folder, over software iWARP on loopback, and its clients. */
abstract class ServerFixture {
    static final VolumeName ACCOUNTS = new VolumeName("accounts");
    static final long BYTES = 8L << 20;
    static final int SEGMENT = 4 << 20;
    static final Secrets SECRETS = Secrets.only(ClusterSecret.of("a secret of this cluster"));
    static final ServerConfig.Times TIMES =
            new ServerConfig.Times(Duration.ofSeconds(1), Duration.ofSeconds(3), Duration.ofSeconds(2));

    @TempDir
    Path folder = Path.of("");

    InetSocketAddress address = new InetSocketAddress(0);
    UUID boot = new UUID(1, 1);
    ServerConfig.Limits limits = ServerConfig.Limits.DEFAULT;

    @Nullable
    Pool pool;

    BlockCache cache = BlockCache.none();

    @Nullable
    VolumeServer server;

    final List<VolumeClient> clients = new ArrayList<>();

    @BeforeEach
    final void make() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            address = new InetSocketAddress(InetAddress.getLoopbackAddress(), free.getLocalPort());
        }
        FolderDisk disk = FolderDisk.open(Files.createDirectory(folder.resolve("pool")));
        Pool.make(disk, UUID.randomUUID(), Geometry.DEFAULT);
        disk.close();
        start();
    }

    /** Of the pool, over its folder. */
    Disk disk(FolderDisk folder) {
        return folder;
    }

    final void start() throws IOException {
        Disk disk = disk(FolderDisk.open(folder.resolve("pool")));
        cache = BlockCache.of(1 << 20, CachePolicy.MQ);
        Pool opened = Pool.open(disk, new Pool.Limits(SEGMENT, 8L * SEGMENT), cache, Thread::startVirtualThread);
        pool = opened;
        ServerConfig config = new ServerConfig(address, SECRETS, Transport.IWARP, limits, TIMES);
        server = VolumeServer.open(config, VolumeServer.Identity.drawn(boot), opened, ServerListener.NONE);
    }

    final void stop() throws IOException {
        Objects.requireNonNull(server).close();
        Objects.requireNonNull(pool).close();
    }

    @AfterEach
    final void end() throws IOException {
        clients.forEach(VolumeClient::close);
        stop();
    }

    final VolumeClient client() {
        return client(Optional.of(Duration.ofSeconds(60)));
    }

    final VolumeClient client(Optional<Duration> lostAfter) {
        ClientName name = new ClientName("client " + (clients.size() + 1));
        ClientConfig config = new ClientConfig(
                address, SECRETS, Transport.IWARP, lostAfter, 1 << 20, name, Duration.ofSeconds(2), Completion.DEFAULT);
        VolumeClient client = VolumeClient.open(config);
        clients.add(client);
        return client;
    }

    static ByteBuffer random(int seed, int length) {
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
