package dev.retier.volume.gateway;

import dev.retier.volume.Volume;
import dev.retier.volume.VolumeName;
import dev.retier.volume.nbd.Export;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
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

    /** Of a file's mode: what kind it is. */
    private static final int FILE_TYPE = 0xF000;

    private static final int SOCKET = 0xC000;
    /** Of four letters and digits. */
    private static final int HIDDEN_NAMES = 36 * 36 * 36 * 36;

    /** Of a socket's path: Linux' sockaddr_un has 108 bytes, one for the end. */
    private static final int MOST_PATH_BYTES = 107;

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Who has begun a request, or has an answer to take, gets on within that time. */
    private static final Duration STALL = Duration.ofSeconds(60);
    /** Of that time: how often it is looked at. */
    private static final int LOOKS = 10;

    private final Path socket;
    private final Duration stall;
    private final Map<VolumeName, Volume> volumes;
    private final Buffers buffers = new Buffers(MEMORY_BYTES);
    private final ServerSocketChannel listening;
    private final Set<NbdConnection> connections = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition quiet = lock.newCondition();
    /** Guarded by the lock: of how many connections to a volume that have ended the requests have not. */
    private final IdentityHashMap<Volume, Integer> finishing = new IdentityHashMap<>();

    private final CountDownLatch isClosed = new CountDownLatch(1);

    private NbdGateway(Path socket, Map<VolumeName, Volume> volumes, ServerSocketChannel listening, Duration stall) {
        this.socket = socket;
        this.stall = stall;
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
        return listen(socket, SocketOwner.SELF, volumes);
    }

    /**
     * Listens at {@code socket}.
     *
     * @param owner who may open it, and so read and write the volumes
     * @param volumes by the names that clients open them by
     * @throws IOException if somebody listens there, or it cannot be made, or not be given to that owner
     */
    public static NbdGateway listen(Path socket, SocketOwner owner, Map<VolumeName, Volume> volumes)
            throws IOException {
        return listen(socket, owner, volumes, STALL);
    }

    /**
     * The same.
     *
     * @param stall a client that stays for longer in the middle of a request or answer loses its connection; an idle
     *     one does not
     */
    static NbdGateway listen(Path socket, SocketOwner owner, Map<VolumeName, Volume> volumes, Duration stall)
            throws IOException {
        requireShort(socket);
        requireFree(socket);
        // Made where nobody else may look, as whoever opens it before its rights are taken away keeps them.
        Path folder = hidden(Objects.requireNonNull(socket.toAbsolutePath().getParent()));
        Path made = folder.resolve("s");
        ServerSocketChannel listening = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            listening.bind(UnixDomainSocketAddress.of(made));
            owner.take(made);
            Files.move(made, socket, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            listening.close();
            Files.deleteIfExists(made);
            throw e;
        } finally {
            Files.deleteIfExists(folder);
        }
        NbdGateway gateway = new NbdGateway(socket, volumes, listening, stall);
        Thread.ofVirtual().name("retier-nbd-accept").start(gateway::accept);
        Thread.ofVirtual().name("retier-nbd-stalls").start(gateway::endStalled);
        return gateway;
    }

    /** A folder of this process alone, with a short name, as the path of a socket in it counts, too. */
    private static Path hidden(Path parent) throws IOException {
        while (true) {
            int drawn = ThreadLocalRandom.current().nextInt(HIDDEN_NAMES);
            try {
                return Files.createDirectory(
                        parent.resolve("." + Integer.toString(drawn, Character.MAX_RADIX)),
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            } catch (FileAlreadyExistsException taken) {
                LOG.debug("another name is taken, as there is {}", taken.getMessage());
            }
        }
    }

    /** Clients open it by its whole path, from wherever they run. */
    private static void requireShort(Path socket) throws IOException {
        int bytes = socket.toAbsolutePath().toString().getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MOST_PATH_BYTES) {
            throw new IOException(socket.toAbsolutePath() + " has " + bytes + " bytes, and a socket's path "
                    + MOST_PATH_BYTES + " at most: name a shorter one");
        }
    }

    /** What nobody listens on is taken away; what is no socket stays. */
    private static void requireFree(Path socket) throws IOException {
        if (!Files.exists(socket, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Object mode = Files.getAttribute(socket, "unix:mode", LinkOption.NOFOLLOW_LINKS);
        if (!(mode instanceof Integer bits) || (bits & FILE_TYPE) != SOCKET) {
            throw new IOException(socket + " is there and is no socket: name another place");
        }
        try (SocketChannel _ = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            throw new BindException(socket + " is the socket of a program that runs; end it, or name another one");
        } catch (ConnectException nobody) {
            LOG.debug("{} was left behind", socket);
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
                    LockSupport.parkNanos(PAUSE_NANOS); // there may be no file descriptor left, for a while
                }
            }
        }
    }

    /** Others wait for the memory that a request or an answer has. */
    private void endStalled() {
        long mostNanos = stall.toNanos();
        try {
            long lastNanos = System.nanoTime();
            while (!isClosed.await(mostNanos / LOOKS, TimeUnit.NANOSECONDS)) {
                long nowNanos = System.nanoTime();
                long stoppedNanos = Progress.stoppedNanos(nowNanos - lastNanos, mostNanos / LOOKS);
                lastNanos = nowNanos;
                connections.forEach(connection -> {
                    connection.pardon(stoppedNanos);
                    connection.endIfStalled(nowNanos, mostNanos);
                });
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    Path socket() {
        return socket;
    }

    Buffers buffers() {
        return buffers;
    }

    Map<VolumeName, Volume> volumes() {
        return volumes;
    }

    /** What a client may open by that name; the only one there is also by none. */
    Optional<Export> export(String name) {
        return volume(name).map(volume -> new Export(name, volume.bytes(), volume.isReadOnly()));
    }

    Optional<Volume> volume(String name) {
        if (name.isEmpty() && volumes.size() == 1) {
            return volumes.values().stream().findFirst();
        }
        return VolumeName.parse(name).map(volumes::get);
    }

    /**
     * Waits until nothing of a connection to that volume that has ended is under way: a late write of it must not come
     * after what the next one does.
     */
    void awaitQuiet(Volume volume) throws InterruptedException {
        lock.lock();
        try {
            while (!isQuiet(volume)) {
                quiet.await();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether nothing is, of those whose end was seen. */
    boolean isQuiet(Volume volume) {
        lock.lock();
        try {
            return !finishing.containsKey(volume);
        } finally {
            lock.unlock();
        }
    }

    void finishing(Volume volume) {
        lock.lock();
        try {
            finishing.merge(volume, 1, Integer::sum);
        } finally {
            lock.unlock();
        }
    }

    void finished(Volume volume) {
        lock.lock();
        try {
            finishing.computeIfPresent(volume, (_, count) -> count == 1 ? null : count - 1);
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
        isClosed.countDown();
        try {
            for (NbdConnection connection : connections) {
                connection.close();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
