package dev.retier.fabric.directory;

import dev.retier.link.NodeId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** One node of a {@link RegionWorld}: the three cores, and what a driver does for them. */
final class SimNode {
    final NodeId id;
    final List<SimHandle> handles = new ArrayList<>();
    SimMemory memory;
    Mapper mapper;
    Directory directory;
    Holder holder;
    int life;
    private final RegionWorld world;
    private final Map<Long, SimHandle> byNumber = new HashMap<>();
    private long lastHandle;

    SimNode(RegionWorld world, NodeId id) {
        this.world = world;
        this.id = id;
        begin();
    }

    private void begin() {
        memory = new SimMemory(world, id);
        mapper = new Mapper(id, world.names);
        directory = new Directory(id, world.names, world.nextLife());
        holder = new Holder(id, memory);
    }

    void restart() {
        life++;
        List.copyOf(handles).forEach(handle -> handle.close(RegionFailure.CLOSED));
        handles.clear();
        byNumber.clear();
        begin();
    }

    void disconnected(NodeId peer) {
        memory.disconnected(peer);
        holder.disconnected(peer);
        directory.disconnected(peer);
        List.copyOf(handles).forEach(handle -> handle.disconnected(peer));
    }

    void handle(NodeId from, RegionRequest request, Consumer<RegionAnswer> back) {
        Reaction step = switch (request) {
            case RegionRequest.ToDirectory toDirectory -> directory.handle(from, toDirectory);
            case RegionRequest.ToHolder toHolder -> holder.handle(from, toHolder);
            case RegionRequest.Revoke(long handle, RegionFailure why) -> mapper.revoke(handle, why);
        };
        world.perform(this, step, back);
    }

    /** Tells the keeper {@code peer} what is held here of its names, one by one, and again if it did not hear. */
    void report(NodeId peer) {
        report(peer, new ArrayList<>(holder.reports(world.names, peer)), life);
    }

    private void report(NodeId peer, List<RegionRequest.Report> left, int sinceLife) {
        if (life != sinceLife || !world.isLinked(id, peer)) {
            return;
        }
        RegionRequest next = left.isEmpty() ? new RegionRequest.Reported() : left.removeLast();
        world.call(this, peer, next, answer -> {
            if (answer.isRefusal(RegionFailure.NODE_UNREACHABLE)) {
                world.later(() -> report(peer));
            } else if (!(next instanceof RegionRequest.Reported)) {
                report(peer, left, sinceLife);
            }
        });
    }

    void tick() {
        world.perform(this, directory.reconcile(), _ -> {});
        world.nodes
                .keySet()
                .forEach(keeper ->
                        holder.plans(world.names, keeper).forEach(plan -> world.call(this, keeper, plan, _ -> {})));
    }

    void effect(Action effect, Consumer<RegionAnswer> then) {
        RegionAnswer done = new RegionAnswer.Done();
        switch (effect) {
            case Action.Call(NodeId to, RegionRequest request) -> world.call(this, to, request, then);
            case Action.Allocate(PartId part, long _) ->
                inThisLife(() -> {
                    if (world.chance(0.02)) {
                        then.accept(new RegionAnswer.Refused(RegionFailure.NO_SPACE, "no memory"));
                    } else {
                        if (memory.words.put(part, 0L) != null) {
                            throw new AssertionError(part + " allocated twice");
                        }
                        then.accept(done);
                    }
                });
            case Action.Copy(NodeId from, List<Action.Piece> pieces) -> copy(from, new ArrayList<>(pieces), then);
            case Action.Drain(long handle, RegionFailure why) -> {
                SimHandle drained = byNumber.get(handle);
                if (drained == null) {
                    world.later(() -> then.accept(done));
                } else {
                    drained.drain(why, () -> world.later(() -> then.accept(done)));
                }
            }
        }
    }

    private void inThisLife(Runnable event) {
        int now = life;
        world.later(() -> {
            if (life == now) {
                event.run();
            }
        });
    }

    private void copy(NodeId from, List<Action.Piece> left, Consumer<RegionAnswer> then) {
        inThisLife(() -> {
            if (left.isEmpty()) {
                then.accept(new RegionAnswer.Done());
                return;
            }
            Action.Piece piece = left.removeLast();
            var word = world.isLinked(id, from)
                    ? world.node(from).memory.read(id, piece.source().key())
                    : java.util.OptionalLong.empty();
            if (word.isEmpty() || !memory.words.containsKey(piece.target())) {
                then.accept(new RegionAnswer.Refused(RegionFailure.NODE_UNREACHABLE, "the copy broke"));
            } else {
                memory.words.put(piece.target(), word.getAsLong());
                copy(from, left, then);
            }
        });
    }

    SimHandle newHandle() {
        SimHandle handle = new SimHandle(world, this, ++lastHandle);
        byNumber.put(handle.number, handle);
        return handle;
    }
}
