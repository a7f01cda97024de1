package dev.retier.fabric.directory;

import dev.retier.link.NodeId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A mapped region of a {@link SimNode}, with its operations in flight. */
final class SimHandle {
    final long number;

    @Nullable
    RegionRecord region;

    Permissions permissions = Permissions.NONE;
    private final RegionWorld world;
    private final SimNode node;
    private final Map<Integer, PartKey> keys = new HashMap<>();
    private final List<Runnable> drained = new ArrayList<>();
    private @Nullable RegionFailure closed;
    private int inFlight;

    SimHandle(RegionWorld world, SimNode node, long number) {
        this.world = world;
        this.node = node;
        this.number = number;
    }

    boolean isOpen() {
        return region != null && closed == null;
    }

    RegionRecord region() {
        return Objects.requireNonNull(region);
    }

    void map(RegionName name, Permissions wanted, Consumer<RegionAnswer> end) {
        permissions = wanted;
        world.perform(node, node.mapper.map(name, wanted, number), answer -> {
            if (answer instanceof RegionAnswer.Mapped(RegionRecord found, List<PartKey> all) && closed == null) {
                region = found;
                all.forEach(key -> keys.put(key.index(), key));
                node.handles.add(this);
            }
            end.accept(answer);
        });
    }

    void unmap() {
        world.perform(node, node.mapper.unmap(number), _ -> {});
    }

    void close(RegionFailure why) {
        closed = closed == null ? why : closed;
        node.handles.remove(this);
    }

    void drain(RegionFailure why, Runnable then) {
        closed = closed == null ? why : closed;
        node.handles.remove(this);
        if (inFlight == 0) {
            then.run();
        } else {
            drained.add(then);
        }
    }

    void disconnected(NodeId peer) {
        keys.keySet().removeIf(index -> region().placement().get(index).equals(peer));
    }

    private @Nullable PartKey keyOf(int index) {
        PartKey key = keys.get(index);
        if (key == null && closed == null) {
            NodeId holder = region().placement().get(index);
            world.perform(node, node.mapper.reopen(number, permissions, holder), answer -> {
                if (answer instanceof RegionAnswer.Keys(List<PartKey> all) && world.isLinked(node.id, holder)) {
                    all.forEach(each -> keys.put(each.index(), each));
                } else if (answer instanceof RegionAnswer.Refused refused
                        && !refused.failure().isPassing()) {
                    world.oracle.refused(region(), index, refused.failure());
                }
            });
        }
        return key;
    }

    /** Adds 1 to the word of a part; if there is no key, asks for one instead. */
    void add(int index) {
        PartKey key = keyOf(index);
        if (key == null || !permissions.allow(Permission.ATOMIC)) {
            return;
        }
        NodeId holder = region().placement().get(index);
        RegionOracle.Sum sum = world.oracle.sum(region().id(), index);
        sum.unknown++;
        begin(holder, () -> {
            var used = world.node(holder).memory.allows(node.id, key.key(), Permission.ATOMIC);
            used.ifPresent(registration -> {
                world.oracle.acted(region().id(), node.id, Permission.ATOMIC);
                world.node(holder).memory.words.merge(registration.part(), 1L, Long::sum);
                sum.done++;
                sum.unknown--;
            });
            return used.isPresent();
        });
    }

    /** Reads the word of a part; nothing if it cannot be reached now. */
    OptionalLong read(int index) {
        PartKey key = keyOf(index);
        return key == null
                ? OptionalLong.empty()
                : world.node(region().placement().get(index)).memory.read(node.id, key.key());
    }

    private interface Operation {
        boolean run();
    }

    private void begin(NodeId holder, Operation operation) {
        inFlight++;
        int life = node.life;
        int holderLife = world.node(holder).life;
        world.later(() -> {
            boolean there = node.life == life && world.node(holder).life == holderLife;
            boolean done = there && world.isLinked(node.id, holder) && operation.run();
            if (there && !done && world.isLinked(node.id, holder)) {
                world.oracle.intrusions++;
                world.breakLink(node.id, holder);
                world.later(() -> world.mendLink(node.id, holder));
            }
            world.later(this::ended);
        });
    }

    private void ended() {
        inFlight--;
        if (inFlight == 0) {
            drained.forEach(Runnable::run);
            drained.clear();
        }
    }
}
