package dev.retier.fabric.regions;

import dev.retier.fabric.Caller;
import dev.retier.fabric.MemoryAccess;
import dev.retier.fabric.OneSided;
import dev.retier.fabric.OpOutcome;
import dev.retier.fabric.PeerLink;
import dev.retier.fabric.Registration;
import dev.retier.fabric.RemotePlace;
import dev.retier.fabric.directory.Action;
import dev.retier.fabric.directory.PartId;
import dev.retier.fabric.directory.PartKey;
import dev.retier.fabric.directory.PartRegistrar;
import dev.retier.fabric.directory.Permission;
import dev.retier.fabric.directory.Permissions;
import dev.retier.fabric.directory.RegionAnswer;
import dev.retier.fabric.directory.RegionFailure;
import dev.retier.link.NodeId;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The memory of the parts that this node holds, each in a shared arena of its own, and its registrations: one per
 * handle and part, on the connection of the handle's node alone. Thread-safe.
 */
final class PartMemory implements PartRegistrar {
    private static final Logger LOG = LoggerFactory.getLogger(PartMemory.class);
    private static final long ALIGNMENT_BYTES = 64;
    /** Bytes of one read of a copy. */
    private static final int READ_BYTES = 256 * 1024;
    /** Reads of a copy under way at once. */
    private static final int READS = 8;

    private static final Map<Permission, MemoryAccess> ACCESS = Map.of(
            Permission.READ, MemoryAccess.REMOTE_READ,
            Permission.WRITE, MemoryAccess.REMOTE_WRITE,
            Permission.ATOMIC, MemoryAccess.REMOTE_ATOMIC);

    private final NodeId self;
    private final boolean isShared;
    private final Optional<Path> backing;
    private final Map<PartId, Part> parts = new ConcurrentHashMap<>();
    private final Map<Long, MemorySegment> byAddress = new ConcurrentHashMap<>();
    private final Map<NodeId, Peer> peers = new ConcurrentHashMap<>();

    private record Part(Arena arena, MemorySegment memory) {}

    /** A peer's connection, and what is registered on it. */
    private record Peer(Caller caller, Map<RemotePlace, Registration> registrations) {}

    /** {@code isShared} says whether the atomics of the device exclude those of this node's processors. */
    PartMemory(NodeId self, boolean isShared, Optional<Path> backing) {
        this.self = self;
        this.isShared = isShared;
        this.backing = backing;
    }

    /** Zeroed memory for a part. */
    RegionAnswer allocate(PartId part, long lengthBytes) {
        Arena arena = Arena.ofShared();
        try {
            MemorySegment memory = backing.isPresent()
                    ? mapped(backing.get(), arena, lengthBytes)
                    : arena.allocate(lengthBytes, ALIGNMENT_BYTES);
            parts.put(part, new Part(arena, memory));
            byAddress.put(memory.address(), memory);
            return new RegionAnswer.Done();
        } catch (IOException | OutOfMemoryError full) {
            arena.close();
            LOG.warn("{} has no memory for a part of {} bytes: {}", self, lengthBytes, full.toString());
            return new RegionAnswer.Refused(
                    RegionFailure.NO_SPACE, self + " has no memory for " + lengthBytes + " bytes");
        }
    }

    /** A file without a name: it is gone when it is unmapped, whatever happens to the process. */
    private static MemorySegment mapped(Path directory, Arena arena, long lengthBytes) throws IOException {
        Path file = Files.createTempFile(directory, "region", ".part");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, lengthBytes, arena);
        } finally {
            Files.delete(file);
        }
    }

    /**
     * Copies parts of another node into this one's memory, by reads that land where the bytes belong. Blocks until all
     * is copied, or the connection is done with every read.
     */
    RegionAnswer copy(Optional<PeerLink> link, NodeId from, List<Action.Piece> pieces) {
        if (link.isEmpty()) {
            return new RegionAnswer.Refused(RegionFailure.NODE_UNREACHABLE, from + " is not connected");
        }
        for (Action.Piece piece : pieces) {
            Part target = parts.get(piece.target());
            if (target == null || target.memory().byteSize() < piece.lengthBytes()) {
                return new RegionAnswer.Refused(RegionFailure.MALFORMED, "no memory for " + piece);
            }
            try {
                copy(link.get(), piece, target.memory());
            } catch (IOException failed) {
                return new RegionAnswer.Refused(RegionFailure.NODE_UNREACHABLE, from + ": " + failed.getMessage());
            }
        }
        return new RegionAnswer.Done();
    }

    private static void copy(PeerLink link, Action.Piece piece, MemorySegment target) throws IOException {
        RemotePlace source =
                new RemotePlace(piece.source().address(), piece.source().key());
        Queue<CompletableFuture<OpOutcome>> reads = new ArrayDeque<>();
        try (Registration sink = link.register(target, Set.of(MemoryAccess.LOCAL_WRITE))) {
            try {
                for (long at = 0; at < piece.lengthBytes(); at += READ_BYTES) {
                    int bytes = (int) Math.min(READ_BYTES, piece.lengthBytes() - at);
                    List<OneSided.Piece> into = List.of(new OneSided.Piece(sink, at, bytes));
                    reads.add(link.post(new OneSided.Read(source.plus(at), into)));
                    if (reads.size() >= READS) {
                        await(reads.remove());
                    }
                }
                while (!reads.isEmpty()) {
                    await(reads.remove());
                }
            } finally {
                reads.forEach(CompletableFuture::join);
            }
        }
    }

    private static void await(CompletableFuture<OpOutcome> read) throws IOException {
        OpOutcome outcome = read.join();
        if (!(outcome instanceof OpOutcome.Done)) {
            throw new IOException(outcome.toString());
        }
    }

    /** The memory at the address that {@link #register} gave to this node itself; none if it is gone. */
    Optional<MemorySegment> ownMemory(long address) {
        return Optional.ofNullable(byAddress.get(address));
    }

    /**
     * Whether this node's processors use the parts of {@code holder}: its own, unless the atomics of its device do not
     * exclude theirs ({@code IBV_ATOMIC_HCA}). Then it registers for itself, too, and reaches them as every other node
     * does, over its connection to itself.
     */
    boolean isDirect(NodeId holder) {
        return isShared && holder.equals(self);
    }

    /** Forgets all registrations of the peer, and registers on {@code caller} from now on. */
    void replace(Caller caller) {
        disconnected(caller.node());
        peers.put(caller.node(), new Peer(caller, new ConcurrentHashMap<>()));
    }

    /** Whether the peer's registrations are on {@code caller}. */
    boolean isConnected(Caller caller) {
        Peer known = peers.get(caller.node());
        return known != null && known.caller().equals(caller);
    }

    /** Ends all registrations of the peer. */
    void disconnected(NodeId peer) {
        Peer gone = peers.remove(peer);
        if (gone != null) {
            gone.registrations().values().forEach(Registration::close);
        }
    }

    @Override
    public Optional<PartKey> register(NodeId peer, PartId id, Permissions permissions) {
        Part part = parts.get(id);
        if (part == null) {
            throw new IllegalStateException(id + " has no memory");
        }
        if (isDirect(peer)) {
            return Optional.of(new PartKey(id.index(), part.memory().address(), 0));
        }
        Peer connected = peers.get(peer);
        if (connected == null) {
            return Optional.empty();
        }
        try {
            Registration registration = connected.caller().register(part.memory(), access(permissions));
            RemotePlace place = registration.place();
            connected.registrations().put(place, registration);
            return Optional.of(new PartKey(id.index(), place.address(), place.key()));
        } catch (IOException full) {
            LOG.debug("{} cannot register a part for {}: {}", self, peer, full.toString());
            return Optional.empty();
        }
    }

    @Override
    public void deregister(NodeId peer, PartKey key) {
        Peer connected = peers.get(peer);
        if (connected != null) {
            Registration registration = connected.registrations().remove(new RemotePlace(key.address(), key.key()));
            if (registration != null) {
                registration.close();
            }
        }
    }

    @Override
    public void release(PartId id) {
        Part part = parts.remove(id);
        if (part != null) {
            byAddress.remove(part.memory().address());
            part.arena().close();
        }
    }

    /** Ends everything. Nothing is connected any more. */
    void close() {
        Set.copyOf(peers.keySet()).forEach(this::disconnected);
        Set.copyOf(parts.keySet()).forEach(this::release);
    }

    private static Set<MemoryAccess> access(Permissions permissions) {
        Set<MemoryAccess> access = EnumSet.of(MemoryAccess.LOCAL_WRITE);
        ACCESS.forEach((permission, one) -> {
            if (permissions.allow(permission)) {
                access.add(one);
            }
        });
        return access;
    }
}
