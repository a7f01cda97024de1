package dev.retier.volume.gateway;

import dev.retier.volume.Volume;
import dev.retier.volume.VolumeName;
import dev.retier.volume.nbd.Export;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves volumes by NBD on a Unix socket. Who may open the socket may read and write them. Thread-safe; threads of its
 * own.
 */
public final class NbdGateway implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NbdGateway.class);
    /** Of what all clients have under way; a request of the longest kind takes half of it. */
    private static final long MEMORY_BYTES = 2L * Export.MOST_BYTES;

    private static final int MOST_CONNECTIONS = 64;

    private final Path socket;
    private final Map<VolumeName, Volume> volumes;
    private final Buffers buffers = new Buffers(MEMORY_BYTES);
    private final ServerSocketChannel listening;
    private final Set<NbdConnection> connections = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition quiet = lock.newCondition();
    /** Guarded by the lock: connections that have ended, and whose requests have not. */
    private int finishing;

    private NbdGateway(Path socket, Map<VolumeName, Volume> volumes, ServerSocketChannel listening) {
        this.socket = socket;
        this.volumes = Map.copyOf(volumes);
        this.listening = listening;
    }

    /**
     * Listens at {@code socket}, which nobody but this user may open.
     *
     * @param volumes by the names that clients open them by
     * @throws IOException if somebody listens there, or it cannot be made
     */
    public static NbdGateway listen(Path socket, Map<VolumeName, Volume> volumes) throws IOException {
        if (isAnswered(socket)) {
            throw new IOException(socket + " is the socket of a program that runs; end it, or name another one");
        }
        // Made where nobody else may look, as whoever opens it before its rights are taken away keeps them.
        Path folder = Files.createTempDirectory(
                socket.toAbsolutePath().getParent(),
                ".retier",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Path made = folder.resolve("s");
        ServerSocketChannel listening = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            listening.bind(UnixDomainSocketAddress.of(made));
            Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rw-------"));
            Files.move(made, socket, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            listening.close();
            Files.deleteIfExists(made);
            throw e;
        } finally {
            Files.deleteIfExists(folder);
        }
        NbdGateway gateway = new NbdGateway(socket, volumes, listening);
        Thread.ofVirtual().name("retier-nbd-accept").start(gateway::accept);
        return gateway;
    }

    private static boolean isAnswered(Path socket) {
        try (SocketChannel _ = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private void accept() {
        while (listening.isOpen()) {
            try {
                SocketChannel channel = listening.accept();
                if (connections.size() >= MOST_CONNECTIONS) {
                    LOG.warn("{}: a client is refused, as {} are connected", socket, MOST_CONNECTIONS);
                    channel.close();
                    continue;
                }
                NbdConnection connection = new NbdConnection(NbdSocket.of(channel), this);
                connections.add(connection);
                if (!listening.isOpen()) {
                    connections.remove(connection);
                    connection.discard();
                    return;
                }
                connection.start();
            } catch (IOException e) {
                if (listening.isOpen()) {
                    LOG.warn("{}: {}", socket, e.toString());
                }
            }
        }
    }

    Buffers buffers() {
        return buffers;
    }

    Map<VolumeName, Volume> volumes() {
        return volumes;
    }

    /** What a client may open by that name; the only one there is also by none. */
    Optional<Export> export(String name) {
        return volume(name).map(volume -> new Export(name, volume.bytes()));
    }

    Optional<Volume> volume(String name) {
        if (name.isEmpty() && volumes.size() == 1) {
            return volumes.values().stream().findFirst();
        }
        return VolumeName.parse(name).map(volumes::get);
    }

    /**
     * Waits until nothing of a connection that has ended is under way: a late write of it must not come after what the
     * next one does.
     */
    void awaitQuiet() throws InterruptedException {
        lock.lock();
        try {
            while (!isQuiet()) {
                quiet.await();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether nothing is, of those whose end was seen. */
    boolean isQuiet() {
        lock.lock();
        try {
            return finishing == 0;
        } finally {
            lock.unlock();
        }
    }

    void finishing() {
        lock.lock();
        try {
            finishing++;
        } finally {
            lock.unlock();
        }
    }

    void finished() {
        lock.lock();
        try {
            finishing--;
            quiet.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void ended(NbdConnection connection) {
        connections.remove(connection);
    }

    /**
     * Ends all connections; what is under way is done when it returns, and may not be answered. The volumes stay open.
     */
    @Override
    public void close() throws IOException {
        Files.deleteIfExists(socket);
        listening.close();
        try {
            for (NbdConnection connection : connections) {
                connection.close();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
