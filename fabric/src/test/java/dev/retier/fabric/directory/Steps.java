package dev.retier.fabric.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.link.NodeId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/** What tests of the three cores share: regions, a memory that notes what is done to it, and steps by hand. */
final class Steps {
    static final RegionAnswer DONE = new RegionAnswer.Done();
    static final long VERSION = RegionRecord.firstVersion(1);

    private Steps() {}

    /** A region of one part of a page for each of {@code places}, but of 100 bytes in the last. */
    static RegionRecord region(RegionName name, NodeId... places) {
        Shape shape = new Shape((places.length - 1) * Shape.GRAIN_BYTES + 100, Shape.GRAIN_BYTES);
        return new RegionRecord(
                name, 7, VERSION, shape, List.of(places), new RegionRecord.Rights(Permissions.ALL, Map.of()));
    }

    static RegionName nameKeptBy(Names names, NodeId keeper, int which) {
        return IntStream.range(0, 10_000)
                .mapToObj(i -> new RegionName("accounts/" + i))
                .filter(name -> names.keeperOf(name).equals(keeper))
                .skip(which)
                .findFirst()
                .orElseThrow();
    }

    static RegionAnswer refused(RegionFailure failure, String detail) {
        return new RegionAnswer.Refused(failure, detail);
    }

    static RegionAnswer refused(RegionFailure failure) {
        return refused(failure, "because");
    }

    static List<Action> effects(Reaction step) {
        assertThat(step).isInstanceOf(Reaction.Perform.class);
        return List.copyOf(((Reaction.Perform) step).effects());
    }

    static Action call(NodeId to, RegionRequest request) {
        return new Action.Call(to, request);
    }

    /** Goes on with these answers to the effects. */
    static Reaction answer(Reaction step, RegionAnswer... answers) {
        assertThat(effects(step)).hasSameSizeAs(answers);
        return ((Reaction.Perform) step).then().apply(List.of(answers));
    }

    /** All that is still to be done is done. */
    static RegionAnswer finish(Reaction step) {
        Reaction now = step;
        while (now instanceof Reaction.Perform) {
            now = answer(now, effects(now).stream().map(_ -> DONE).toArray(RegionAnswer[]::new));
        }
        return (RegionAnswer) now;
    }

    /** Notes what is done; nothing is connected that is {@link #away}, and {@link #room} runs out. */
    static final class NotedMemory implements PartRegistrar {
        final List<PartKey> registered = new ArrayList<>();
        final List<String> uses = new ArrayList<>();
        final List<PartId> released = new ArrayList<>();
        final Set<NodeId> away = new HashSet<>();
        int room = 100;
        private int last;

        @Override
        public Optional<PartKey> register(NodeId peer, PartId part, Permissions permissions) {
            if (away.contains(peer) || registered.size() >= room) {
                return Optional.empty();
            }
            PartKey key = new PartKey(part.index(), 0, ++last);
            registered.add(key);
            uses.add(peer.value() + "@" + part.index() + permissions);
            return Optional.of(key);
        }

        @Override
        public void deregister(NodeId peer, PartKey key) {
            assertThat(registered.remove(key)).isTrue();
        }

        @Override
        public void release(PartId part) {
            released.add(part);
        }
    }
}
