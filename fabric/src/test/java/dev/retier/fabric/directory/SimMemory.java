package dev.retier.fabric.directory;

import dev.retier.link.NodeId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** One node's memory: one word per part, which stands for all of its bytes. */
final class SimMemory implements PartRegistrar {
    final Map<PartId, Long> words = new HashMap<>();
    final Map<Integer, Registration> registrations = new HashMap<>();
    private final RegionWorld world;
    private final NodeId self;
    private int lastKey;

    record Registration(NodeId peer, PartId part, Permissions permissions) {}

    SimMemory(RegionWorld world, NodeId self) {
        this.world = world;
        this.self = self;
    }

    @Override
    public Optional<PartKey> register(NodeId peer, PartId part, Permissions permissions) {
        if (!world.isLinked(self, peer)) {
            return Optional.empty();
        }
        if (!words.containsKey(part)) {
            throw new AssertionError(self + " registers " + part + ", which has no memory");
        }
        int key = ++lastKey;
        registrations.put(key, new Registration(peer, part, permissions));
        return Optional.of(new PartKey(part.index(), 0, key));
    }

    @Override
    public void deregister(NodeId peer, PartKey key) {
        registrations.remove(key.key());
    }

    @Override
    public void release(PartId part) {
        if (registrations.values().stream().anyMatch(used -> used.part().equals(part))) {
            throw new AssertionError(self + " gives " + part + " back, which is registered");
        }
        if (words.remove(part) == null) {
            throw new AssertionError(self + " gives " + part + " back twice");
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
                .mapToLong(used -> words.get(used.part()))
                .findFirst();
    }
}
