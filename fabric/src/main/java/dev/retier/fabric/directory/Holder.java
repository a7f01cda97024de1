package dev.retier.fabric.directory;

import static dev.retier.fabric.directory.Permission.READ;
import static dev.retier.fabric.directory.Reaction.perform;
import static dev.retier.fabric.directory.RegionFailure.BUSY;
import static dev.retier.fabric.directory.RegionFailure.FREED;
import static dev.retier.fabric.directory.RegionFailure.LOST;
import static dev.retier.fabric.directory.RegionFailure.MALFORMED;
import static dev.retier.fabric.directory.RegionFailure.MOVED;
import static dev.retier.fabric.directory.RegionFailure.NODE_UNREACHABLE;
import static dev.retier.fabric.directory.RegionFailure.NOT_PERMITTED;
import static dev.retier.fabric.directory.RegionFailure.NOT_READY;
import static dev.retier.fabric.directory.RegionFailure.NO_SPACE;
import static dev.retier.fabric.directory.RegionFailure.NO_SUCH_REGION;
import static dev.retier.fabric.directory.RegionFailure.REVOKED;

import dev.retier.fabric.directory.HeldRegion.Part;
import dev.retier.fabric.directory.HeldRegion.User;
import dev.retier.fabric.directory.RegionAnswer.Done;
import dev.retier.fabric.directory.RegionAnswer.Found;
import dev.retier.fabric.directory.RegionAnswer.Keys;
import dev.retier.fabric.directory.RegionAnswer.Refused;
import dev.retier.link.NodeId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The parts of regions that are in this node's memory, and who may reach them.
 *
 * <p>A handle is taken away in two moves: its node is asked to let go, and answers when nothing is under way; then,
 * answer or not, the registration ends. Only after that is memory copied or given back.
 *
 * <p>Not thread-safe: the caller lets one thread at a time in, here and into the functions of its steps.
 */
public final class Holder {
    private final NodeId self;
    private final PartRegistrar memory;
    private final Map<Long, HeldRegion> regions = new HashMap<>();
    /** Regions without a part here. */
    private final Map<Long, RegionRecord> ended = new Remembered<>();
    /** Plans are looked for among these regions alone, however many there are; some may have none any more. */
    private final Set<Long> withPlans = new LinkedHashSet<>();

    /** How many steps that take handles away are under way for each region. */
    private final Map<Long, Integer> takingAway = new HashMap<>();

    private long forced;
    private long forbidden;

    /** Holds nothing yet. */
    public Holder(NodeId self, PartRegistrar memory) {
        this.self = self;
        this.memory = memory;
    }

    /** Answers {@code from}. */
    public Reaction handle(NodeId from, RegionRequest.ToHolder request) {
        return switch (request) {
            case RegionRequest.Allocate allocate -> allocate(allocate);
            case RegionRequest.Seal(RegionRecord planned, NodeId to) -> seal(planned, to);
            case RegionRequest.Fetch(RegionRecord planned, NodeId source, List<PartKey> keys) ->
                fetch(planned, source, keys);
            case RegionRequest.Settle(RegionRecord region) -> settle(region);
            case RegionRequest.Open(long id, long handle, Permissions permissions) ->
                open(new User(from, handle), id, permissions);
            case RegionRequest.Close(long id, long handle) -> close(new User(from, handle), id);
            case RegionRequest.Find(RegionName name) -> find(name);
        };
    }

    /** The connection with {@code peer} is gone, and with it all that was registered on it. */
    public void disconnected(NodeId peer) {
        regions.values().forEach(region -> region.disconnected(peer));
    }

    /** What this node holds of regions whose names {@code directory} keeps. */
    public List<RegionRequest.Report> reports(Names names, NodeId directory) {
        return reports(regions.values(), names, directory);
    }

    /**
     * Of {@link #reports}, those of plans that have not come to an end: whoever planned may be dead. To be sent now and
     * then.
     */
    public List<RegionRequest.Report> plans(Names names, NodeId directory) {
        withPlans.removeIf(id -> !hasPlan(id));
        return reports(withPlans.stream().map(regions::get).toList(), names, directory);
    }

    private boolean hasPlan(long id) {
        HeldRegion held = regions.get(id);
        return held != null && held.pending != null;
    }

    private static List<RegionRequest.Report> reports(Collection<HeldRegion> held, Names names, NodeId directory) {
        return held.stream()
                .map(HeldRegion::report)
                .filter(report ->
                        names.keeperOf(report.any().orElseThrow().name()).equals(directory))
                .toList();
    }

    /** Handles that were taken away without an answer. */
    public long forced() {
        return forced;
    }

    /** Requests that the grants did not allow. */
    public long forbidden() {
        return forbidden;
    }

    private boolean isLate(RegionRecord region) {
        HeldRegion held = regions.get(region.id());
        if (held != null) {
            return held.settled != null && region.version() <= held.settled.version();
        }
        RegionRecord last = ended.get(region.id());
        return last != null && region.version() <= last.version();
    }

    private Reaction allocate(RegionRequest.Allocate request) {
        RegionRecord planned = request.planned();
        HeldRegion held = regions.get(planned.id());
        if (isLate(planned) || (held != null && held.hasOtherPlan(planned))) {
            return new Refused(BUSY, "another plan of " + planned.name() + " is known here");
        }
        if (held == null) {
            held = new HeldRegion(planned);
            regions.put(planned.id(), held);
        }
        withPlans.add(planned.id());
        List<Part> fresh = held.plan(planned, request.parts(), request.zeros());
        if (!held.freshParts().stream().allMatch(part -> part.isAllocated || fresh.contains(part))) {
            return new Refused(BUSY, "memory for " + planned.name() + " is being made already");
        }
        List<Action> effects = new ArrayList<>();
        fresh.forEach(
                part -> effects.add(new Action.Allocate(part.id, planned.shape().lengthOf(part.id.index()))));
        return new Reaction.Perform(effects, answers -> allocated(planned, fresh, answers));
    }

    private Reaction allocated(RegionRecord planned, List<Part> fresh, List<RegionAnswer> answers) {
        Optional<RegionAnswer> refusal = RegionAnswer.firstUndone(answers);
        for (int i = 0; i < fresh.size(); i++) {
            if (answers.get(i) instanceof Done) {
                fresh.get(i).isAllocated = true;
            }
        }
        HeldRegion held = regions.get(planned.id());
        if (held == null || !held.isPlan(planned)) {
            fresh.forEach(this::release);
            return new Refused(BUSY, "another plan of " + planned.name() + " came in between");
        }
        if (refusal.isPresent()) {
            fresh.forEach(this::release);
            held.parts.values().removeAll(fresh);
            held.pending = null;
            if (held.parts.isEmpty()) {
                regions.remove(planned.id());
            }
            return refusal.get();
        }
        return new Done();
    }

    private Reaction seal(RegionRecord planned, NodeId to) {
        HeldRegion held = regions.get(planned.id());
        if (held == null || isLate(planned) || held.hasOtherPlan(planned)) {
            return new Refused(BUSY, "another plan of " + planned.name() + " is known here");
        }
        held.pending = planned;
        held.sealed = true;
        withPlans.add(planned.id());
        Map<User, RegionFailure> going = new LinkedHashMap<>();
        held.users().forEach(user -> going.put(user, MOVED));
        return takeAway(planned.id(), held, going, () -> sealed(planned, to));
    }

    private Reaction sealed(RegionRecord planned, NodeId to) {
        HeldRegion held = regions.get(planned.id());
        if (held == null || !held.sealed || !held.isPlan(planned)) {
            return new Refused(BUSY, "another plan of " + planned.name() + " came in between");
        }
        List<Part> going = held.settledParts().stream()
                .filter(part -> !planned.placement().get(part.id.index()).equals(self))
                .toList();
        Reaction none = new Refused(NODE_UNREACHABLE, to + " is not connected to " + self);
        return share(held, going, new User(to, HeldRegion.COPIER), Permissions.of(READ), none);
    }

    /** Lets {@code user} reach all of {@code parts}, or says {@code none}. */
    private Reaction share(HeldRegion held, List<Part> parts, User user, Permissions permissions, Reaction none) {
        List<PartKey> keys = new ArrayList<>();
        for (Part part : parts) {
            Optional<PartKey> key = memory.register(user.node(), part.id, permissions);
            if (key.isEmpty()) {
                end(held, user);
                return none;
            }
            held.use(user, permissions, key.get());
            keys.add(key.get());
        }
        return new Keys(keys);
    }

    private Reaction fetch(RegionRecord planned, NodeId source, List<PartKey> keys) {
        HeldRegion held = regions.get(planned.id());
        if (held == null || !held.isPlan(planned)) {
            return new Refused(BUSY, "this plan of " + planned.name() + " is not known here");
        }
        List<Part> fresh = held.freshParts();
        if (fresh.stream().anyMatch(part -> part.isCopying)) {
            return new Refused(BUSY, "the parts are being copied already");
        }
        if (!fresh.isEmpty() && fresh.stream().allMatch(part -> part.isFilled)) {
            return new Done();
        }
        List<Action.Piece> pieces = new ArrayList<>();
        for (Part part : fresh) {
            int index = part.id.index();
            Optional<PartKey> key =
                    keys.stream().filter(each -> each.index() == index).findFirst();
            if (key.isEmpty() || !part.isAllocated) {
                return new Refused(MALFORMED, "part " + index + " cannot be copied");
            }
            pieces.add(new Action.Piece(key.get(), part.id, planned.shape().lengthOf(index)));
        }
        fresh.forEach(part -> part.isCopying = true);
        return perform(new Action.Copy(source, pieces), answer -> fetched(planned, fresh, answer));
    }

    /** Memory that was given up during the copy is given back only now. */
    private Reaction fetched(RegionRecord planned, List<Part> fresh, RegionAnswer answer) {
        fresh.forEach(part -> {
            part.isCopying = false;
            part.isFilled = answer instanceof Done;
        });
        HeldRegion held = regions.get(planned.id());
        if (held == null || !held.isPlan(planned)) {
            fresh.stream()
                    .filter(part -> held == null || !held.parts.containsValue(part))
                    .forEach(this::release);
            return new Refused(BUSY, "another plan of " + planned.name() + " came in between");
        }
        return answer;
    }

    private Reaction settle(RegionRecord region) {
        if (isLate(region)) {
            return takingAway.containsKey(region.id())
                    ? new Refused(BUSY, "handles are being taken away still")
                    : new Done();
        }
        HeldRegion held = regions.get(region.id());
        List<Integer> mine = region.partsOn(self);
        if (held == null) {
            if (!mine.isEmpty()) {
                ended.remove(region.id());
                return lost(region);
            }
            ended.put(region.id(), region);
            return new Done();
        }
        List<Part> leaving = held.settle(region, mine);
        boolean whole = held.parts.keySet().containsAll(mine);
        boolean allLeave = held.parts.isEmpty();
        if (allLeave) {
            regions.remove(region.id());
            if (mine.isEmpty()) {
                ended.put(region.id(), region);
            }
        }
        RegionFailure why = region.isFreed() ? FREED : MOVED;
        Map<User, RegionFailure> going = new LinkedHashMap<>();
        if (!allLeave) {
            held.usersBeyond(region.rights()).forEach(user -> going.put(user, REVOKED));
        }
        (allLeave ? held.users() : held.usersOf(leaving)).forEach(user -> going.put(user, why));
        return takeAway(region.id(), held, going, () -> {
            leaving.forEach(this::release);
            return whole ? new Done() : lost(region);
        });
    }

    private Reaction lost(RegionRecord region) {
        return new Refused(LOST, self + " does not hold its part of " + region.name());
    }

    private Reaction takeAway(long id, HeldRegion held, Map<User, RegionFailure> going, Supplier<Reaction> next) {
        takingAway.merge(id, 1, Integer::sum);
        held.leaving.addAll(going.keySet());
        List<Action> calls = new ArrayList<>();
        going.forEach((user, why) -> {
            if (!user.isCopier()) {
                calls.add(new Action.Call(user.node(), new RegionRequest.Revoke(user.handle(), why)));
            }
        });
        return new Reaction.Perform(calls, answers -> {
            takingAway.computeIfPresent(id, (_, count) -> count == 1 ? null : count - 1);
            forced +=
                    answers.stream().filter(answer -> !(answer instanceof Done)).count();
            going.keySet().forEach(user -> end(held, user));
            return next.get();
        });
    }

    private void end(HeldRegion held, User user) {
        held.end(user).forEach(key -> memory.deregister(user.node(), key));
    }

    private void release(Part part) {
        if (part.isAllocated && !part.isCopying) {
            part.isAllocated = false;
            memory.release(part.id);
        }
    }

    private Reaction open(User user, long id, Permissions permissions) {
        HeldRegion held = regions.get(id);
        if (held == null) {
            RegionRecord last = ended.get(id);
            if (last == null) {
                return new Refused(LOST, self + " does not hold the part; it may have restarted");
            }
            return last.isFreed()
                    ? new Refused(FREED, last.name() + " was freed, or all of it was lost")
                    : new Refused(MOVED, "the part is not on " + self + " any more");
        }
        RegionRecord settled = held.settled;
        if (settled == null || held.sealed) {
            return new Refused(NOT_READY, "the part on " + self + " is being made or copied");
        }
        if (!settled.rights().of(user.node()).allow(permissions)) {
            forbidden++;
            return new Refused(NOT_PERMITTED, user.node() + " may not use it for " + permissions);
        }
        List<Part> parts = held.settledParts();
        if (parts.size() < settled.partsOn(self).size()) {
            return new Refused(LOST, self + " does not hold all of its parts; it has restarted");
        }
        if (held.leaving.contains(user)) {
            return new Refused(REVOKED, "the handle is being taken away");
        }
        end(held, user);
        Reaction none = new Refused(NO_SPACE, self + " cannot register one more part for " + user.node());
        return share(held, parts, user, permissions, none);
    }

    private Reaction close(User user, long id) {
        HeldRegion held = regions.get(id);
        if (held != null && !held.leaving.contains(user)) {
            end(held, user);
        }
        return new Done();
    }

    private Reaction find(RegionName name) {
        return regions.values().stream()
                .flatMap(held -> Stream.ofNullable(held.settled))
                .filter(record -> record.name().equals(name))
                .findFirst()
                .<Reaction>map(Found::new)
                .orElseGet(() -> new Refused(NO_SUCH_REGION, self + " holds nothing of " + name));
    }
}
