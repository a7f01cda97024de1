package dev.retier.fabric.directory;

import dev.retier.link.NodeId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The regions that this node has mapped.
 *
 * <p>Not thread-safe: the caller lets one thread at a time in, here and into the functions of its steps.
 */
public final class Mapper {
    private final NodeId self;
    private final Names names;
    private final Map<Long, Handle> handles = new HashMap<>();

    /** A handle that is being mapped or is mapped. */
    private static final class Handle {
        @Nullable
        RegionRecord region;

        @Nullable
        RegionFailure revoked;
    }

    /** Nothing is mapped. */
    public Mapper(NodeId self, Names names) {
        this.self = self;
        this.names = names;
    }

    /** Answers {@code from}. */
    public Reaction handle(RegionRequest.ToMapper request) {
        return switch (request) {
            case RegionRequest.Revoke(long handle, RegionFailure why) -> revoke(handle, why);
        };
    }

    /**
     * Maps a name.
     *
     * @param number of the handle, never used before on this node, not 0
     * @return ends with {@link RegionAnswer.Mapped}; parts on nodes that cannot be reached have no key
     */
    public Reaction map(RegionName name, Permissions wanted, long number) {
        return Reaction.perform(
                new Action.Call(names.keeperOf(name), new RegionRequest.LookUp(name)),
                answer -> answer.isRefusal(RegionFailure.NODE_UNREACHABLE)
                        ? search(name, wanted, number)
                        : located(answer, wanted, number));
    }

    /** Opens the parts on {@code node} anew, after the connection was lost. Ends with {@link RegionAnswer.Keys}. */
    public Reaction reopen(long number, Permissions wanted, NodeId node) {
        Handle handle = handles.get(number);
        if (handle == null || handle.region == null) {
            return Reaction.refuse(RegionFailure.UNMAPPED, "the handle was given up");
        }
        RegionRecord region = handle.region;
        return Reaction.perform(new Action.Call(node, new RegionRequest.Open(region.id(), number, wanted)), answer -> {
            if (handle.revoked != null) {
                return Reaction.refuse(handle.revoked, "the handle was taken away");
            }
            if (answer.isRefusal(RegionFailure.LOST)) {
                return whereabouts(region, answer);
            }
            return new Reaction.Reply(isWhole(region, node, answer) ? answer : refusal(answer));
        });
    }

    /** A holder does not have its part: has the region gone elsewhere, or has it lost the part? */
    private Reaction whereabouts(RegionRecord region, RegionAnswer lost) {
        RegionName name = region.name();
        return Reaction.perform(new Action.Call(names.keeperOf(name), new RegionRequest.LookUp(name)), answer -> {
            if (answer instanceof RegionAnswer.Found(RegionRecord now)) {
                boolean unmoved = now.id() == region.id() && now.placement().equals(region.placement());
                return new Reaction.Reply(unmoved ? lost : refusal(answer));
            }
            return answer.isRefusal(RegionFailure.NO_SUCH_REGION)
                    ? Reaction.refuse(RegionFailure.FREED, "there is no region " + name + " any more")
                    : new Reaction.Reply(refusal(answer));
        });
    }

    /** Gives a handle up. Ends with {@link RegionAnswer.Done}. */
    public Reaction unmap(long number) {
        Handle handle = handles.remove(number);
        if (handle == null || handle.region == null) {
            return new Reaction.Reply(new RegionAnswer.Done());
        }
        RegionRecord region = handle.region;
        return Reaction.perform(
                new Action.Drain(number, RegionFailure.UNMAPPED),
                _ -> close(region, number, () -> new Reaction.Reply(new RegionAnswer.Done())));
    }

    private Reaction revoke(long number, RegionFailure why) {
        Handle handle = handles.get(number);
        if (handle == null) {
            return new Reaction.Reply(new RegionAnswer.Done());
        }
        handle.revoked = why;
        return handle.region == null
                ? new Reaction.Reply(new RegionAnswer.Done())
                : Reaction.perform(new Action.Drain(number, why), Reaction.Reply::new);
    }

    /** The keeper of the name is away; whoever holds parts knows the region, too. */
    private Reaction search(RegionName name, Permissions wanted, long number) {
        List<Action> calls = names.nodes().stream()
                .<Action>map(node -> new Action.Call(node, new RegionRequest.Find(name)))
                .toList();
        return new Reaction.Perform(calls, answers -> {
            RegionRecord newest = null;
            for (RegionAnswer answer : answers) {
                if (answer instanceof RegionAnswer.Found(RegionRecord region)
                        && (newest == null || newest.version() < region.version())) {
                    newest = region;
                }
            }
            return newest == null
                    ? Reaction.refuse(RegionFailure.NODE_UNREACHABLE, names.keeperOf(name) + " keeps the name " + name)
                    : located(new RegionAnswer.Found(newest), wanted, number);
        });
    }

    private Reaction located(RegionAnswer answer, Permissions wanted, long number) {
        if (!(answer instanceof RegionAnswer.Found(RegionRecord region))) {
            return new Reaction.Reply(refusal(answer));
        }
        if (!region.rights().of(self).allow(wanted)) {
            return Reaction.refuse(
                    RegionFailure.NOT_PERMITTED, self + " may not use " + region.name() + " for " + wanted);
        }
        Handle handle = new Handle();
        handles.put(number, handle);
        List<NodeId> holders = List.copyOf(region.holders());
        List<Action> calls = holders.stream()
                .<Action>map(node -> new Action.Call(node, new RegionRequest.Open(region.id(), number, wanted)))
                .toList();
        return new Reaction.Perform(calls, answers -> opened(number, region, holders, answers));
    }

    private Reaction opened(long number, RegionRecord region, List<NodeId> holders, List<RegionAnswer> answers) {
        Handle handle = handles.get(number);
        if (handle == null) {
            return Reaction.refuse(RegionFailure.UNMAPPED, "the handle was given up");
        }
        List<PartKey> keys = new ArrayList<>();
        Optional<RegionAnswer> refusal = handle.revoked == null
                ? Optional.empty()
                : Optional.of(new RegionAnswer.Refused(handle.revoked, "it was taken away while it was mapped"));
        for (int i = 0; i < holders.size() && refusal.isEmpty(); i++) {
            if (isWhole(region, holders.get(i), answers.get(i))
                    && answers.get(i) instanceof RegionAnswer.Keys(List<PartKey> more)) {
                keys.addAll(more);
            } else if (!isAway(answers.get(i))) {
                refusal = Optional.of(refusal(answers.get(i)));
            }
        }
        if (refusal.isEmpty() && keys.isEmpty()) {
            refusal = Optional.of(answers.getFirst());
        }
        if (refusal.isPresent()) {
            RegionAnswer why = refusal.get();
            handles.remove(number);
            return close(region, number, () -> new Reaction.Reply(why));
        }
        handle.region = region;
        return new Reaction.Reply(new RegionAnswer.Mapped(region, keys));
    }

    /** A part that is lost or cannot be reached does not keep the others from being used. */
    private static boolean isAway(RegionAnswer answer) {
        return answer.isRefusal(RegionFailure.NODE_UNREACHABLE) || answer.isRefusal(RegionFailure.LOST);
    }

    private static boolean isWhole(RegionRecord region, NodeId holder, RegionAnswer answer) {
        return answer instanceof RegionAnswer.Keys(List<PartKey> keys)
                && keys.stream().map(PartKey::index).toList().containsAll(region.partsOn(holder));
    }

    private static RegionAnswer refusal(RegionAnswer answer) {
        return answer instanceof RegionAnswer.Refused
                ? answer
                : new RegionAnswer.Refused(RegionFailure.MOVED, "a part is not where it was: map the region again");
    }

    private interface Next {
        Reaction step();
    }

    private static Reaction close(RegionRecord region, long number, Next next) {
        List<Action> calls = region.holders().stream()
                .<Action>map(node -> new Action.Call(node, new RegionRequest.Close(region.id(), number)))
                .toList();
        return new Reaction.Perform(calls, _ -> next.step());
    }
}
