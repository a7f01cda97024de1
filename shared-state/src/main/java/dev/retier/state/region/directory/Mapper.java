package dev.retier.state.region.directory;

import dev.retier.state.NodeId;
import dev.retier.state.region.Permissions;
import dev.retier.state.region.RegionFailure;
import dev.retier.state.region.RegionName;
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
    public Step handle(Request.ToMapper request) {
        return switch (request) {
            case Request.Revoke(long handle, RegionFailure why) -> revoke(handle, why);
        };
    }

    /**
     * Maps a name.
     *
     * @param number of the handle, never used before on this node, not 0
     * @return ends with {@link Answer.Mapped}; parts on nodes that cannot be reached have no key
     */
    public Step map(RegionName name, Permissions wanted, long number) {
        return Step.perform(
                new Effect.Call(names.keeperOf(name), new Request.LookUp(name)),
                answer -> answer.isRefusal(RegionFailure.NODE_UNREACHABLE)
                        ? search(name, wanted, number)
                        : located(answer, wanted, number));
    }

    /** Opens the parts on {@code node} anew, after the connection was lost. Ends with {@link Answer.Keys}. */
    public Step reopen(long number, Permissions wanted, NodeId node) {
        Handle handle = handles.get(number);
        if (handle == null || handle.region == null) {
            return Step.refuse(RegionFailure.UNMAPPED, "the handle was given up");
        }
        RegionRecord region = handle.region;
        return Step.perform(new Effect.Call(node, new Request.Open(region.id(), number, wanted)), answer -> {
            if (handle.revoked != null) {
                return Step.refuse(handle.revoked, "the handle was taken away");
            }
            if (answer.isRefusal(RegionFailure.LOST)) {
                return whereabouts(region, answer);
            }
            return new Step.Reply(isWhole(region, node, answer) ? answer : refusal(answer));
        });
    }

    /** A holder does not have its part: has the region gone elsewhere, or has it lost the part? */
    private Step whereabouts(RegionRecord region, Answer lost) {
        RegionName name = region.name();
        return Step.perform(new Effect.Call(names.keeperOf(name), new Request.LookUp(name)), answer -> {
            if (answer instanceof Answer.Found(RegionRecord now)) {
                boolean unmoved = now.id() == region.id() && now.placement().equals(region.placement());
                return new Step.Reply(unmoved ? lost : refusal(answer));
            }
            return answer.isRefusal(RegionFailure.NO_SUCH_REGION)
                    ? Step.refuse(RegionFailure.FREED, "there is no region " + name + " any more")
                    : new Step.Reply(refusal(answer));
        });
    }

    /** Gives a handle up. Ends with {@link Answer.Done}. */
    public Step unmap(long number) {
        Handle handle = handles.remove(number);
        if (handle == null || handle.region == null) {
            return new Step.Reply(new Answer.Done());
        }
        RegionRecord region = handle.region;
        return Step.perform(
                new Effect.Drain(number, RegionFailure.UNMAPPED),
                _ -> close(region, number, () -> new Step.Reply(new Answer.Done())));
    }

    private Step revoke(long number, RegionFailure why) {
        Handle handle = handles.get(number);
        if (handle == null) {
            return new Step.Reply(new Answer.Done());
        }
        handle.revoked = why;
        return handle.region == null
                ? new Step.Reply(new Answer.Done())
                : Step.perform(new Effect.Drain(number, why), Step.Reply::new);
    }

    /** The keeper of the name is away; whoever holds parts knows the region, too. */
    private Step search(RegionName name, Permissions wanted, long number) {
        List<Effect> calls = names.nodes().stream()
                .<Effect>map(node -> new Effect.Call(node, new Request.Find(name)))
                .toList();
        return new Step.Perform(calls, answers -> {
            RegionRecord newest = null;
            for (Answer answer : answers) {
                if (answer instanceof Answer.Found(RegionRecord region)
                        && (newest == null || newest.version() < region.version())) {
                    newest = region;
                }
            }
            return newest == null
                    ? Step.refuse(RegionFailure.NODE_UNREACHABLE, names.keeperOf(name) + " keeps the name " + name)
                    : located(new Answer.Found(newest), wanted, number);
        });
    }

    private Step located(Answer answer, Permissions wanted, long number) {
        if (!(answer instanceof Answer.Found(RegionRecord region))) {
            return new Step.Reply(refusal(answer));
        }
        if (!region.rights().of(self).allow(wanted)) {
            return Step.refuse(RegionFailure.NOT_PERMITTED, self + " may not use " + region.name() + " for " + wanted);
        }
        Handle handle = new Handle();
        handles.put(number, handle);
        List<NodeId> holders = List.copyOf(region.holders());
        List<Effect> calls = holders.stream()
                .<Effect>map(node -> new Effect.Call(node, new Request.Open(region.id(), number, wanted)))
                .toList();
        return new Step.Perform(calls, answers -> opened(number, region, holders, answers));
    }

    private Step opened(long number, RegionRecord region, List<NodeId> holders, List<Answer> answers) {
        Handle handle = handles.get(number);
        if (handle == null) {
            return Step.refuse(RegionFailure.UNMAPPED, "the handle was given up");
        }
        List<ExtentKey> keys = new ArrayList<>();
        Optional<Answer> refusal = handle.revoked == null
                ? Optional.empty()
                : Optional.of(new Answer.Refused(handle.revoked, "it was taken away while it was mapped"));
        for (int i = 0; i < holders.size() && refusal.isEmpty(); i++) {
            if (isWhole(region, holders.get(i), answers.get(i))
                    && answers.get(i) instanceof Answer.Keys(List<ExtentKey> more)) {
                keys.addAll(more);
            } else if (!isAway(answers.get(i))) {
                refusal = Optional.of(refusal(answers.get(i)));
            }
        }
        if (refusal.isEmpty() && keys.isEmpty()) {
            refusal = Optional.of(answers.getFirst());
        }
        if (refusal.isPresent()) {
            Answer why = refusal.get();
            handles.remove(number);
            return close(region, number, () -> new Step.Reply(why));
        }
        handle.region = region;
        return new Step.Reply(new Answer.Mapped(region, keys));
    }

    /** A part that is lost or cannot be reached does not keep the others from being used. */
    private static boolean isAway(Answer answer) {
        return answer.isRefusal(RegionFailure.NODE_UNREACHABLE) || answer.isRefusal(RegionFailure.LOST);
    }

    private static boolean isWhole(RegionRecord region, NodeId holder, Answer answer) {
        return answer instanceof Answer.Keys(List<ExtentKey> keys)
                && keys.stream().map(ExtentKey::index).toList().containsAll(region.extentsOn(holder));
    }

    private static Answer refusal(Answer answer) {
        return answer instanceof Answer.Refused
                ? answer
                : new Answer.Refused(RegionFailure.MOVED, "a part is not where it was: map the region again");
    }

    private interface Next {
        Step step();
    }

    private static Step close(RegionRecord region, long number, Next next) {
        List<Effect> calls = region.holders().stream()
                .<Effect>map(node -> new Effect.Call(node, new Request.Close(region.id(), number)))
                .toList();
        return new Step.Perform(calls, _ -> next.step());
    }
}
