package dev.retier.fabric.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.link.NodeId;
import dev.retier.testsupport.Seeded;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;

/** Random lives of a cell: first with faults, then without, when all must become well again. */
class RegionSimulationTest {
    private static final int NODES = 4;
    private static final int ACTIONS = 1500;
    private static final int SETTLING_ROUNDS = 50;
    private static final Permissions WORK = Permissions.of(Permission.READ, Permission.ATOMIC);
    private static final List<RegionName> NAMES =
            List.of(new RegionName("a"), new RegionName("b"), new RegionName("c"), new RegionName("d"));

    private final Map<String, Integer> grantsUnderWay = new HashMap<>();
    private long lastId;

    @Seeded(tries = 300)
    void shouldKeepEveryRegionWhole_whateverHappens(SplittableRandom random) {
        // Given
        RegionWorld world = new RegionWorld(random, NODES);
        boolean restarts = random.nextBoolean();

        // When
        for (int i = 0; i < ACTIONS; i++) {
            act(world, restarts);
            for (int events = random.nextInt(12); events > 0; events--) {
                world.step();
            }
        }
        settle(world);

        // Then
        NAMES.forEach(name -> shouldBeWhole(world, name));
        shouldHoldNothingElse(world);
        if (!restarts) {
            assertThat(world.nodes.values())
                    .allSatisfy(node -> assertThat(node.directory.orphans()).isZero());
        }
    }

    private void act(RegionWorld world, boolean restarts) {
        SimNode node = world.any();
        switch (world.random.nextInt(restarts ? 31 : 30)) {
            case 0, 1 -> create(world, node);
            case 2, 3, 4, 5, 6 -> node.newHandle().map(anyName(world), WORK, _ -> {});
            case 7 -> anyHandle(world, node).ifPresent(SimHandle::unmap);
            case 8 -> anyHandle(world, node).ifPresent(handle -> free(world, node, handle));
            case 9, 10, 11 -> anyHandle(world, node).ifPresent(handle -> move(world, node, handle));
            case 12, 13 -> anyHandle(world, node).ifPresent(handle -> grant(world, node, handle));
            case 14 -> world.breakLink(node.id, world.any().id);
            case 15, 16, 17 -> world.mendLink(node.id, world.any().id);
            case 18, 19 -> node.tick();
            case 30 -> world.restart(node.id);
            default ->
                anyHandle(world, node)
                        .ifPresent(handle -> handle.add(
                                world.random.nextInt(handle.region().placement().size())));
        }
    }

    private void create(RegionWorld world, SimNode node) {
        Set<NodeId> holders = new HashSet<>();
        for (int i = world.random.nextInt(1, NODES); i > 0; i--) {
            holders.add(world.any().id);
        }
        List<NodeId> places = List.copyOf(holders);
        Shape shape = new Shape(places.size() * Shape.GRAIN_BYTES, Shape.GRAIN_BYTES);
        RegionRecord wanted = new RegionRecord(
                anyName(world), ++lastId, 0, shape, places, new RegionRecord.Rights(Permissions.ALL, Map.of()));
        world.call(node, world.names.keeperOf(wanted.name()), new RegionRequest.Create(wanted), _ -> {});
    }

    private void free(RegionWorld world, SimNode node, SimHandle handle) {
        RegionRecord region = handle.region();
        world.oracle.freeing(region);
        world.call(
                node, world.names.keeperOf(region.name()), new RegionRequest.Free(region.name(), region.id()), _ -> {});
    }

    private void move(RegionWorld world, SimNode node, SimHandle handle) {
        RegionRecord region = handle.region();
        NodeId from =
                region.placement().get(world.random.nextInt(region.placement().size()));
        world.call(
                node,
                world.names.keeperOf(region.name()),
                new RegionRequest.Move(region.name(), region.id(), from, world.any().id),
                _ -> {});
    }

    private void grant(RegionWorld world, SimNode node, SimHandle handle) {
        RegionRecord region = handle.region();
        NodeId whom = world.any().id;
        Permissions permissions = world.random.nextBoolean() ? Permissions.ALL : Permissions.of(Permission.READ);
        String key = region.id() + "@" + whom;
        int mine = grantsUnderWay.merge(key, 1, Integer::sum);
        world.oracle.granting(region.id(), whom);
        world.call(
                node,
                world.names.keeperOf(region.name()),
                new RegionRequest.Grant(region.name(), region.id(), whom, permissions),
                answer -> {
                    if (answer instanceof RegionAnswer.Found
                            && mine == 1
                            && grantsUnderWay.merge(key, 0, Integer::sum) == 1) {
                        world.oracle.granted(region.id(), whom, permissions);
                    }
                });
    }

    private static RegionName anyName(RegionWorld world) {
        return NAMES.get(world.random.nextInt(NAMES.size()));
    }

    private static Optional<SimHandle> anyHandle(RegionWorld world, SimNode node) {
        List<SimHandle> open = node.handles.stream().filter(SimHandle::isOpen).toList();
        return open.isEmpty() ? Optional.empty() : Optional.of(open.get(world.random.nextInt(open.size())));
    }

    private static void settle(RegionWorld world) {
        world.heal();
        for (int round = 0; round < SETTLING_ROUNDS; round++) {
            world.drain();
            world.nodes.values().forEach(SimNode::tick);
        }
        world.drain();
        world.nodes
                .values()
                .forEach(node -> assertThat(node.directory.isUnsettled())
                        .as("%s has something that was not confirmed", node.id)
                        .isFalse());
    }

    private static void shouldBeWhole(RegionWorld world, RegionName name) {
        for (SimNode node : world.nodes.values()) {
            SimHandle handle = node.newHandle();
            RegionAnswer[] answer = new RegionAnswer[1];
            handle.map(name, Permissions.of(Permission.READ), found -> answer[0] = found);
            world.drain();
            assertThat(answer[0])
                    .as("%s at %s", name, node.id)
                    .matches(found -> found instanceof RegionAnswer.Mapped
                            || found.isRefusal(RegionFailure.NO_SUCH_REGION)
                            || found.isRefusal(RegionFailure.LOST));
            if (answer[0] instanceof RegionAnswer.Mapped(RegionRecord region, List<PartKey> _)) {
                for (int i = 0; i < region.placement().size(); i++) {
                    shouldHoldTheSum(world, handle, i);
                }
            }
        }
    }

    private static void shouldHoldTheSum(RegionWorld world, SimHandle handle, int index) {
        OptionalLong word = handle.read(index);
        world.drain();
        if (world.oracle.mayBeLost(handle.region().id(), index)) {
            return;
        }
        RegionOracle.Sum sum = world.oracle.sum(handle.region().id(), index);
        assertThat(word).as("part %d of %s", index, handle.region()).hasValue(sum.done);
    }

    private static void shouldHoldNothingElse(RegionWorld world) {
        List<String> wanted = new ArrayList<>();
        for (RegionName name : NAMES) {
            RegionAnswer[] answer = new RegionAnswer[1];
            SimNode keeper = world.node(world.names.keeperOf(name));
            world.call(keeper, keeper.id, new RegionRequest.LookUp(name), found -> answer[0] = found);
            world.drain();
            if (answer[0] instanceof RegionAnswer.Found(RegionRecord region)) {
                for (int i = 0; i < region.placement().size(); i++) {
                    if (!world.oracle.mayBeLost(region.id(), i)) {
                        wanted.add(
                                region.id() + "#" + i + "@" + region.placement().get(i));
                    }
                }
            }
        }
        List<String> held = new ArrayList<>();
        world.nodes
                .values()
                .forEach(node -> node.memory.words.keySet().forEach(part -> {
                    if (!world.oracle.mayBeLost(part.region(), part.index())) {
                        held.add(part.region() + "#" + part.index() + "@" + node.id);
                    }
                }));
        assertThat(held).containsExactlyInAnyOrderElementsOf(wanted);
    }
}
