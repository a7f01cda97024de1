package dev.retier.fabric.directory;

import static dev.retier.fabric.directory.Reaction.ask;
import static dev.retier.fabric.directory.Reaction.askAll;
import static dev.retier.fabric.directory.Reaction.perform;
import static dev.retier.fabric.directory.RegionFailure.FREED;
import static dev.retier.fabric.directory.RegionFailure.LOST;
import static dev.retier.fabric.directory.RegionFailure.MOVED;
import static dev.retier.fabric.directory.RegionFailure.NODE_UNREACHABLE;
import static dev.retier.fabric.directory.RegionFailure.NOT_PERMITTED;
import static dev.retier.fabric.directory.RegionFailure.NO_SUCH_REGION;
import static dev.retier.fabric.directory.RegionFailure.UNMAPPED;

import dev.retier.fabric.directory.RegionAnswer.Done;
import dev.retier.fabric.directory.RegionAnswer.Found;
import dev.retier.fabric.directory.RegionAnswer.Keys;
import dev.retier.fabric.directory.RegionAnswer.Refused;
import dev.retier.link.NodeId;
import java.util.ArrayList;
import java.util.Comparator;
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

    /**
     * Maps a name.
     *
     * @param number of the handle, never used before on this node, not 0
     * @return ends with {@link RegionAnswer.Mapped}; parts on nodes that cannot be reached have no key
     */
    public Reaction map(RegionName name, Permissions wanted, long number) {
        return ask(
                names.keeperOf(name),
                new RegionRequest.LookUp(name),
                answer -> answer.isRefusal(NODE_UNREACHABLE)
                        ? search(name, wanted, number)
                        : located(answer, wanted, number));
    }

    /** Opens the parts on {@code node} anew, after the connection was lost. Ends with {@link Keys}. */
    public Reaction reopen(long number, Permissions wanted, NodeId node) {
        Handle handle = handles.get(number);
        if (handle == null || handle.region == null) {
            return new Refused(UNMAPPED, "the handle was given up");
        }
        RegionRecord region = handle.region;
        return ask(node, new RegionRequest.Open(region.id(), number, wanted), answer -> {
            if (handle.revoked != null) {
                return new Refused(handle.revoked, "the handle was taken away");
            }
            if (answer.isRefusal(LOST)) {
                return whereabouts(region, answer);
            }
            return isWhole(region, node, answer) ? answer : refusal(answer);
        });
    }

    /** A holder does not have its part: has the region gone elsewhere, or has it lost the part? */
    private Reaction whereabouts(RegionRecord region, RegionAnswer lost) {
        RegionName name = region.name();
        return ask(names.keeperOf(name), new RegionRequest.LookUp(name), answer -> {
            if (answer instanceof Found(RegionRecord now)) {
                boolean unmoved = now.id() == region.id() && now.placement().equals(region.placement());
                return unmoved ? lost : refusal(answer);
            }
            return answer.isRefusal(NO_SUCH_REGION)
                    ? new Refused(FREED, "there is no region " + name + " any more")
                    : refusal(answer);
        });
    }

    /** Gives a handle up. Ends with {@link Done}. */
    public Reaction unmap(long number) {
        Handle handle = handles.remove(number);
        if (handle == null || handle.region == null) {
            return new Done();
        }
        RegionRecord region = handle.region;
        return perform(new Action.Drain(number, UNMAPPED), _ -> close(region, number, new Done()));
    }

    /** Answers a holder. */
    public Reaction revoke(long number, RegionFailure why) {
        Handle handle = handles.get(number);
        if (handle == null) {
            return new Done();
        }
        handle.revoked = why;
        return handle.region == null ? new Done() : perform(new Action.Drain(number, why), answer -> answer);
    }

    /** The keeper of the name is away; whoever holds parts knows the region, too. */
    private Reaction search(RegionName name, Permissions wanted, long number) {
        return askAll(
                names.nodes(),
                _ -> new RegionRequest.Find(name),
                answers -> answers.stream()
                        .filter(Found.class::isInstance)
                        .map(Found.class::cast)
                        .max(Comparator.comparingLong(found -> found.region().version()))
                        .map(newest -> located(newest, wanted, number))
                        .orElseGet(
                                () -> new Refused(NODE_UNREACHABLE, names.keeperOf(name) + " keeps the name " + name)));
    }

    private Reaction located(RegionAnswer answer, Permissions wanted, long number) {
        if (!(answer instanceof Found(RegionRecord region))) {
            return refusal(answer);
        }
        if (!region.rights().of(self).allow(wanted)) {
            return new Refused(NOT_PERMITTED, self + " may not use " + region.name() + " for " + wanted);
        }
        Handle handle = new Handle();
        handles.put(number, handle);
        List<NodeId> holders = List.copyOf(region.holders());
        return askAll(
                holders,
                _ -> new RegionRequest.Open(region.id(), number, wanted),
                answers -> opened(number, region, holders, answers));
    }

    private Reaction opened(long number, RegionRecord region, List<NodeId> holders, List<RegionAnswer> answers) {
        Handle handle = handles.get(number);
        if (handle == null) {
            return new Refused(UNMAPPED, "the handle was given up");
        }
        List<PartKey> keys = new ArrayList<>();
        Optional<RegionAnswer> refusal = handle.revoked == null
                ? Optional.empty()
                : Optional.of(new Refused(handle.revoked, "it was taken away while it was mapped"));
        for (int i = 0; i < holders.size() && refusal.isEmpty(); i++) {
            if (isWhole(region, holders.get(i), answers.get(i)) && answers.get(i) instanceof Keys(List<PartKey> more)) {
                keys.addAll(more);
            } else if (!answers.get(i).isRefusal(NODE_UNREACHABLE)
                    && !answers.get(i).isRefusal(LOST)) {
                // A part that is lost or cannot be reached does not keep the others from being used.
                refusal = Optional.of(refusal(answers.get(i)));
            }
        }
        if (refusal.isEmpty() && keys.isEmpty()) {
            refusal = Optional.of(answers.getFirst());
        }
        if (refusal.isPresent()) {
            handles.remove(number);
            return close(region, number, refusal.get());
        }
        handle.region = region;
        return new RegionAnswer.Mapped(region, keys);
    }

    private static boolean isWhole(RegionRecord region, NodeId holder, RegionAnswer answer) {
        return answer instanceof Keys(List<PartKey> keys)
                && keys.stream().map(PartKey::index).toList().containsAll(region.partsOn(holder));
    }

    private static RegionAnswer refusal(RegionAnswer answer) {
        return answer instanceof Refused
                ? answer
                : new Refused(MOVED, "a part is not where it was: map the region again");
    }

    private static Reaction close(RegionRecord region, long number, RegionAnswer then) {
        return askAll(region.holders(), _ -> new RegionRequest.Close(region.id(), number), _ -> then);
    }
}
