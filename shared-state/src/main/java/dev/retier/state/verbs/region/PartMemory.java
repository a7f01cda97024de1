package dev.retier.state.verbs.region;

import dev.retier.state.NodeId;
import dev.retier.state.region.Permission;
import dev.retier.state.region.Permissions;
import dev.retier.state.region.RegionFailure;
import dev.retier.state.region.directory.Answer;
import dev.retier.state.region.directory.ExtentId;
import dev.retier.state.region.directory.ExtentKey;
import dev.retier.state.region.directory.ExtentMemory;
import dev.retier.state.verbs.rpc.Access;
import dev.retier.state.verbs.rpc.Caller;
import dev.retier.state.verbs.rpc.Registration;
import dev.retier.state.verbs.rpc.RemotePlace;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The memory of the parts that this node holds, each in a shared arena of its own, and its registrations: one per
 * handle and part, on the connection of the handle's node alone. Thread-safe.
 */
final class PartMemory implements ExtentMemory {
    private static final Logger LOG = LoggerFactory.getLogger(PartMemory.class);
    private static final long ALIGNMENT_BYTES = 64;

    private final NodeId self;
    private final Optional<Path> backing;
    private final Map<ExtentId, Part> parts = new ConcurrentHashMap<>();
    private final Map<Long, MemorySegment> byAddress = new ConcurrentHashMap<>();
    private final Map<NodeId, Peer> peers = new ConcurrentHashMap<>();

    private record Part(Arena arena, MemorySegment memory) {}

    /** A peer's connection, and what is registered on it. */
    private record Peer(Caller caller, Map<RemotePlace, Registration> registrations) {}

    PartMemory(NodeId self, Optional<Path> backing) {
        this.self = self;
        this.backing = backing;
    }

    /** Zeroed memory for a part. */
    Answer allocate(ExtentId extent, long lengthBytes) {
        Arena arena = Arena.ofShared();
        try {
            MemorySegment memory = backing.isPresent()
                    ? mapped(backing.get(), arena, lengthBytes)
                    : arena.allocate(lengthBytes, ALIGNMENT_BYTES);
            parts.put(extent, new Part(arena, memory));
            byAddress.put(memory.address(), memory);
            return new Answer.Done();
        } catch (IOException | OutOfMemoryError full) {
            arena.close();
            LOG.warn("{} has no memory for a part of {} bytes: {}", self, lengthBytes, full.toString());
            return new Answer.Refused(RegionFailure.NO_SPACE, self + " has no memory for " + lengthBytes + " bytes");
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

    /** The memory of a part that is held here. */
    Optional<MemorySegment> memory(ExtentId extent) {
        return Optional.ofNullable(parts.get(extent)).map(Part::memory);
    }

    /** The memory at the address that {@link #register} gave to this node itself; none if it is gone. */
    Optional<MemorySegment> ownMemory(long address) {
        return Optional.ofNullable(byAddress.get(address));
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
    public Optional<ExtentKey> register(NodeId peer, ExtentId extent, Permissions permissions) {
        Part part = parts.get(extent);
        if (part == null) {
            throw new IllegalStateException(extent + " has no memory");
        }
        if (peer.equals(self)) {
            return Optional.of(new ExtentKey(extent.index(), part.memory().address(), 0));
        }
        Peer connected = peers.get(peer);
        if (connected == null) {
            return Optional.empty();
        }
        try {
            Registration registration = connected.caller().register(part.memory(), access(permissions));
            RemotePlace place = registration.place();
            connected.registrations().put(place, registration);
            return Optional.of(new ExtentKey(extent.index(), place.address(), place.key()));
        } catch (IOException full) {
            LOG.debug("{} cannot register a part for {}: {}", self, peer, full.toString());
            return Optional.empty();
        }
    }

    @Override
    public void deregister(NodeId peer, ExtentId extent, ExtentKey key) {
        Peer connected = peers.get(peer);
        if (connected != null) {
            Registration registration = connected.registrations().remove(new RemotePlace(key.address(), key.key()));
            if (registration != null) {
                registration.close();
            }
        }
    }

    @Override
    public void release(ExtentId extent) {
        Part part = parts.remove(extent);
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

    private static Set<Access> access(Permissions permissions) {
        Set<Access> access = EnumSet.of(Access.LOCAL_WRITE);
        if (permissions.allow(Permission.READ)) {
            access.add(Access.REMOTE_READ);
        }
        if (permissions.allow(Permission.WRITE)) {
            access.add(Access.REMOTE_WRITE);
        }
        if (permissions.allow(Permission.ATOMIC)) {
            access.add(Access.REMOTE_ATOMIC);
        }
        return access;
    }
}
