package dev.retier.volume.connect;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.link.Transport;
import dev.retier.link.auth.ClusterSecret;
import dev.retier.link.auth.Secrets;
import dev.retier.volume.NoSpaceException;
import dev.retier.volume.disk.Disk;
import dev.retier.volume.disk.FolderDisk;
import dev.retier.volume.disk.Pool;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.serve.ServerConfig;
import dev.retier.volume.serve.ServerListener;
import dev.retier.volume.serve.VolumeMetric;
import dev.retier.volume.serve.VolumeServer;
import dev.retier.volume.wire.ClientName;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** A volume server over software iWARP on loopback, with a pool in a folder, and its clients. */
public final class OneServer implements AutoCloseable {
    private static final int SEGMENT = 4 << 20;
    private static final Secrets SECRETS = Secrets.only(ClusterSecret.of("a secret of this cluster"));

    private final Path folder;
    private final int slotBytes;
    private final InetSocketAddress address;
    private final List<VolumeClient> clients = new ArrayList<>();
    /** How often something was forced to the disk. */
    final AtomicInteger forces = new AtomicInteger();
    /** Whether there is no room on the disk. */
    final AtomicBoolean isFull = new AtomicBoolean();

    /** Whether the next force fails. */
    final AtomicBoolean isToFail = new AtomicBoolean();

    private final ServerConfig.Care care;
    private Pool pool;
    private VolumeServer server;

    /** One that serves. */
    public OneServer(Path folder, int slotBytes) throws IOException {
        this(folder, slotBytes, ServerConfig.Care.LEAST);
    }

    /** One that serves with that care. */
    OneServer(Path folder, int slotBytes, ServerConfig.Care care) throws IOException {
        this.care = care;
        this.folder = folder;
        this.slotBytes = slotBytes;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            address = new InetSocketAddress(InetAddress.getLoopbackAddress(), free.getLocalPort());
        }
        FolderDisk disk = FolderDisk.open(Files.createDirectories(folder));
        Pool.make(disk, UUID.randomUUID(), Geometry.DEFAULT);
        disk.close();
        pool = pool();
        server = serve(new UUID(1, 1));
    }

    private Pool pool() throws IOException {
        Disk disk = counting(Disk.class, FolderDisk.open(folder));
        return Pool.open(disk, new Pool.Limits(SEGMENT, 16L * SEGMENT), Thread::startVirtualThread);
    }

    private <T> T counting(Class<T> of, T real) {
        return of.cast(Proxy.newProxyInstance(of.getClassLoader(), new Class<?>[] {of}, (_, method, arguments) -> {
            if (isFull.get() && method.getName().equals("write")) {
                throw new NoSpaceException("no room, as planned");
            }
            if (method.getName().equals("force") && isToFail.compareAndSet(true, false)) {
                throw new IOException("the disk failed, as planned");
            }
            try {
                Object result = method.invoke(real, arguments);
                if (method.getName().equals("force")) {
                    forces.incrementAndGet();
                }
                return result instanceof Disk.DiskFile file ? counting(Disk.DiskFile.class, file) : result;
            } catch (InvocationTargetException failed) {
                throw failed.getCause();
            }
        }));
    }

    private VolumeServer serve(UUID boot) throws IOException {
        ServerConfig.Limits limits = new ServerConfig.Limits(64, slotBytes, 8, 2);
        ServerConfig config =
                new ServerConfig(address, SECRETS, Transport.IWARP, limits, ServerConfig.Times.DEFAULT, care);
        return VolumeServer.open(config, VolumeServer.Identity.drawn(boot), pool, ServerListener.NONE);
    }

    /** It ends; {@code meanwhile} is done; it is there again, on a machine that was started anew. */
    void restart(UUID boot, Meanwhile meanwhile) throws IOException {
        server.close();
        pool.close();
        meanwhile.run();
        pool = pool();
        server = serve(boot);
    }

    /** It ends, as its pool has failed; it is there again. */
    void restartAfterAFailure() throws IOException {
        assertThatThrownBy(server::close).isInstanceOf(IOException.class);
        pool.close();
        pool = pool();
        server = serve(new UUID(1, 1));
    }

    /** What it has counted. */
    long counted(VolumeMetric metric) throws IOException {
        return Objects.requireNonNull(server.figures().get(metric));
    }

    /** What is done while there is no server. */
    interface Meanwhile {
        void run() throws IOException;
    }

    /** A client that waits in that way; closed with this. */
    public VolumeClient client(Completion completion) {
        ClientConfig config = new ClientConfig(
                address,
                SECRETS,
                Transport.IWARP,
                Optional.of(Duration.ofSeconds(60)),
                4 << 20,
                new ClientName("one of " + clients.size()),
                Duration.ofSeconds(2),
                completion);
        VolumeClient client = VolumeClient.open(config);
        clients.add(client);
        return client;
    }

    @Override
    public void close() throws IOException {
        clients.forEach(VolumeClient::close);
        server.close();
        pool.close();
    }
}
