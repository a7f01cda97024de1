package dev.retier.state.region.directory;

import dev.retier.state.NodeId;
import dev.retier.state.region.Permission;
import dev.retier.state.region.Permissions;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** One node's memory: one word per part, which stands for all of its bytes. */
final class SimMemory implements ExtentMemory {
    final Map<ExtentId, Long> words = new HashMap<>();
    final Map<Integer, Registration> registrations = new HashMap<>();
    private final RegionWorld world;
    private final NodeId self;
    private int lastKey;

    record Registration(NodeId peer, ExtentId extent, Permissions permissions) {}

    SimMemory(RegionWorld world, NodeId self) {
        this.world = world;
        this.self = self;
    }

    @Override
    public Optional<ExtentKey> register(NodeId peer, ExtentId extent, Permissions permissions) {
        if (!world.isLinked(self, peer)) {
            return Optional.empty();
        }
        if (!words.containsKey(extent)) {
            throw new AssertionError(self + " registers " + extent + ", which has no memory");
        }
        int key = ++lastKey;
        registrations.put(key, new Registration(peer, extent, permissions));
        return Optional.of(new ExtentKey(extent.index(), 0, key));
    }

    @Override
    public void deregister(NodeId peer, ExtentId extent, ExtentKey key) {
        registrations.remove(key.key());
    }

    @Override
    public void release(ExtentId extent) {
        if (registrations.values().stream().anyMatch(used -> used.extent().equals(extent))) {
            throw new AssertionError(self + " gives " + extent + " back, which is registered");
        }
        if (words.remove(extent) == null) {
            throw new AssertionError(self + " gives " + extent + " back twice");
        }
    }

    void disconnected(NodeId peer) {
        registrations.values().removeIf(used -> used.peer().equals(peer));
    }

    Optional<Registration> allows(NodeId peer, int key, Permission permission) {
        return Optional.ofNullable(registrations.get(key))
                .filter(used -> used.peer().equals(peer) && used.permissions().allow(permission));
    }

    OptionalLong read(NodeId peer, int key) {
        return allows(peer, key, Permission.READ).stream()
                .mapToLong(used -> words.get(used.extent()))
                .findFirst();
    }
}
