package dev.retier.state.region.directory;

import static dev.retier.state.region.Permission.READ;

import dev.retier.state.NodeId;
import dev.retier.state.region.Permissions;
import dev.retier.state.region.RegionFailure;
import dev.retier.state.region.RegionName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The parts of regions that are in this node's memory, and who may reach them.
 *
 * <p>A handle is taken away in two moves: its node is asked to let go, and answers when nothing is under way; then,
 * answer or not, the registration ends. Only after that is memory copied or given back.
 *
 * <p>Not thread-safe: the caller lets one thread at a time in, here and into the functions of its steps.
 */
public final class Holder {
    /** Ids of freed regions that are remembered, so that what comes late does not bring them back. */
    private static final int MAX_REMEMBERED = 4096;

    private final NodeId self;
    private final ExtentMemory memory;
    private final Map<Long, HeldRegion> regions = new HashMap<>();
    private final Map<Long, Long> ended = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Long> eldest) {
            return size() > MAX_REMEMBERED;
        }
    };
    /** Plans are looked for among these regions alone, however many there are; some may have none any more. */
    private final Set<Long> withPlans = new LinkedHashSet<>();

    /** How many steps that take handles away are under way for each region. */
    private final Map<Long, Integer> takingAway = new HashMap<>();

    private long forced;
    private long forbidden;

    /** Holds nothing yet. */
    public Holder(NodeId self, ExtentMemory memory) {
        this.self = self;
        this.memory = memory;
    }

    /** Answers {@code from}. */
    public Step handle(NodeId from, Request.ToHolder request) {
        return switch (request) {
            case Request.Allocate allocate -> allocate(allocate);
            case Request.Seal(RegionRecord planned, NodeId to) -> seal(planned, to);
            case Request.Fetch(RegionRecord planned, NodeId source, List<ExtentKey> keys) ->
                fetch(planned, source, keys);
            case Request.Settle(RegionRecord region) -> settle(region);
            case Request.Open(long id, long handle, Permissions permissions) ->
                open(new HeldRegion.User(from, handle), id, permissions);
            case Request.Close(long id, long handle) -> close(new HeldRegion.User(from, handle), id);
            case Request.Find(RegionName name) -> find(name);
        };
    }

    /** The connection with {@code peer} is gone, and with it all that was registered on it. */
    public void disconnected(NodeId peer) {
        regions.values().forEach(region -> region.disconnected(peer));
    }

    /** What this node holds of regions whose names {@code directory} keeps. */
    public List<Request.Report> reports(Names names, NodeId directory) {
        return reports(regions.values(), names, directory);
    }

    /**
     * Of {@link #reports}, those of plans that have not come to an end: whoever planned may be dead. To be sent now and
     * then.
     */
    public List<Request.Report> plans(Names names, NodeId directory) {
        withPlans.removeIf(id -> !hasPlan(id));
        return reports(
                withPlans.stream().map(regions::get).filter(Objects::nonNull).toList(), names, directory);
    }

    private boolean hasPlan(long id) {
        HeldRegion held = regions.get(id);
        return held != null && held.report().pending().isPresent();
    }

    private static List<Request.Report> reports(Collection<HeldRegion> held, Names names, NodeId directory) {
        return held.stream()
                .map(HeldRegion::report)
                .filter(report -> names.keeperOf(nameOf(report)).equals(directory))
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

    private static RegionName nameOf(Request.Report report) {
        return report.settled().or(report::pending).orElseThrow().name();
    }

    private boolean isLate(RegionRecord region) {
        HeldRegion held = regions.get(region.id());
        long newest = held == null ? ended.getOrDefault(region.id(), -1L) : held.settledVersion();
        return region.version() <= newest;
    }

    private Step allocate(Request.Allocate request) {
        RegionRecord planned = request.planned();
        HeldRegion held = regions.get(planned.id());
        if (isLate(planned) || (held != null && held.hasOtherPlan(planned))) {
            return Step.refuse(RegionFailure.BUSY, "another plan of " + planned.name() + " is known here");
        }
        if (held == null) {
            held = new HeldRegion(planned);
            regions.put(planned.id(), held);
        }
        withPlans.add(planned.id());
        List<HeldExtent> fresh = held.plan(planned, request.parts(), request.zeros());
        if (!held.freshExtents().stream().allMatch(extent -> extent.isAllocated() || fresh.contains(extent))) {
            return Step.refuse(RegionFailure.BUSY, "memory for " + planned.name() + " is being made already");
        }
        List<Effect> effects = new ArrayList<>();
        fresh.forEach(extent -> effects.add(new Effect.Allocate(
                extent.id(), planned.shape().lengthOf(extent.id().index()))));
        return new Step.Perform(effects, answers -> allocated(planned, fresh, answers));
    }

    private Step allocated(RegionRecord planned, List<HeldExtent> fresh, List<Answer> answers) {
        Optional<Answer> refusal = firstRefusal(answers);
        for (int i = 0; i < fresh.size(); i++) {
            if (answers.get(i) instanceof Answer.Done) {
                fresh.get(i).allocated();
            }
        }
        HeldRegion held = regions.get(planned.id());
        if (held == null || !held.isPlan(planned)) {
            fresh.forEach(this::release);
            return Step.refuse(RegionFailure.BUSY, "another plan of " + planned.name() + " came in between");
        }
        if (refusal.isPresent()) {
            fresh.forEach(this::release);
            held.dropPlan(fresh);
            forgetIfEmpty(held, planned.id());
            return new Step.Reply(refusal.get());
        }
        return new Step.Reply(new Answer.Done());
    }

    private Step seal(RegionRecord planned, NodeId to) {
        HeldRegion held = regions.get(planned.id());
        if (held == null || isLate(planned) || held.hasOtherPlan(planned)) {
            return Step.refuse(RegionFailure.BUSY, "another plan of " + planned.name() + " is known here");
        }
        held.seal(planned);
        withPlans.add(planned.id());
        return takeAway(planned.id(), held, all(held.allUsers(), RegionFailure.MOVED), () -> sealed(planned, to));
    }

    private Step sealed(RegionRecord planned, NodeId to) {
        HeldRegion held = regions.get(planned.id());
        if (held == null || !held.isSealedFor(planned)) {
            return Step.refuse(RegionFailure.BUSY, "another plan of " + planned.name() + " came in between");
        }
        List<ExtentKey> keys = new ArrayList<>();
        HeldRegion.User copier = HeldRegion.User.copier(to);
        for (HeldExtent extent : held.settledExtents()) {
            if (planned.placement().get(extent.id().index()).equals(self)) {
                continue;
            }
            Optional<ExtentKey> key = memory.register(to, extent.id(), Permissions.of(READ));
            if (key.isEmpty()) {
                end(held, copier);
                return Step.refuse(RegionFailure.NODE_UNREACHABLE, to + " is not connected to " + self);
            }
            held.use(copier, Permissions.of(READ), new HeldRegion.Used(extent.id(), key.get()));
            keys.add(key.get());
        }
        return new Step.Reply(new Answer.Keys(keys));
    }

    private Step fetch(RegionRecord planned, NodeId source, List<ExtentKey> keys) {
        HeldRegion held = regions.get(planned.id());
        if (held == null || !held.isPlan(planned)) {
            return Step.refuse(RegionFailure.BUSY, "this plan of " + planned.name() + " is not known here");
        }
        List<HeldExtent> fresh = held.freshExtents();
        if (fresh.stream().anyMatch(HeldExtent::isCopying)) {
            return Step.refuse(RegionFailure.BUSY, "the parts are being copied already");
        }
        if (!fresh.isEmpty() && fresh.stream().allMatch(HeldExtent::isFilled)) {
            return done();
        }
        List<Effect.Piece> pieces = new ArrayList<>();
        for (HeldExtent extent : fresh) {
            int index = extent.id().index();
            Optional<ExtentKey> key =
                    keys.stream().filter(each -> each.index() == index).findFirst();
            if (key.isEmpty() || !extent.isAllocated()) {
                return Step.refuse(RegionFailure.MALFORMED, "part " + index + " cannot be copied");
            }
            pieces.add(new Effect.Piece(key.get(), extent.id(), planned.shape().lengthOf(index)));
        }
        fresh.forEach(HeldExtent::copying);
        return Step.perform(new Effect.Copy(source, pieces), answer -> fetched(planned, fresh, answer));
    }

    /** Memory that was given up during the copy is given back only now. */
    private Step fetched(RegionRecord planned, List<HeldExtent> fresh, Answer answer) {
        fresh.forEach(extent -> extent.copied(answer instanceof Answer.Done));
        HeldRegion held = regions.get(planned.id());
        if (held == null || !held.isPlan(planned)) {
            fresh.stream().filter(extent -> !isHeld(extent)).forEach(this::release);
            return Step.refuse(RegionFailure.BUSY, "another plan of " + planned.name() + " came in between");
        }
        return new Step.Reply(answer);
    }

    private boolean isHeld(HeldExtent extent) {
        HeldRegion held = regions.get(extent.id().region());
        return held != null && held.has(extent);
    }

    private Step settle(RegionRecord region) {
        if (isLate(region)) {
            return takingAway.containsKey(region.id())
                    ? Step.refuse(RegionFailure.BUSY, "handles are being taken away still")
                    : done();
        }
        HeldRegion held = regions.get(region.id());
        boolean mustHold = !region.extentsOn(self).isEmpty();
        if (held == null) {
            if (mustHold) {
                ended.remove(region.id());
                return lost(region);
            }
            ended.put(region.id(), region.version());
            return done();
        }
        boolean whole = held.canSettle(region, self);
        List<HeldExtent> leaving = held.settle(region, self);
        boolean allLeave = held.isEmpty();
        if (allLeave) {
            regions.remove(region.id());
            if (!mustHold) {
                ended.put(region.id(), region.version());
            }
        }
        RegionFailure why = region.isFreed() ? RegionFailure.FREED : RegionFailure.MOVED;
        Map<HeldRegion.User, RegionFailure> going = new LinkedHashMap<>();
        if (!allLeave) {
            held.usersBeyond(region.rights()).forEach(user -> going.put(user, RegionFailure.REVOKED));
        }
        (allLeave ? held.allUsers() : held.usersOf(leaving)).forEach(user -> going.put(user, why));
        return takeAway(region.id(), held, going, () -> left(leaving, whole ? done() : lost(region)));
    }

    private Step left(List<HeldExtent> leaving, Step answer) {
        leaving.forEach(this::release);
        return answer;
    }

    private Step lost(RegionRecord region) {
        return Step.refuse(RegionFailure.LOST, self + " does not hold its part of " + region.name());
    }

    private Step done() {
        return new Step.Reply(new Answer.Done());
    }

    private interface Next {
        Step step();
    }

    private Step takeAway(long id, HeldRegion held, Map<HeldRegion.User, RegionFailure> going, Next next) {
        takingAway.merge(id, 1, Integer::sum);
        held.leave(going.keySet());
        List<Effect> calls = new ArrayList<>();
        going.forEach((user, why) -> {
            if (!user.isCopier()) {
                calls.add(new Effect.Call(user.node(), new Request.Revoke(user.handle(), why)));
            }
        });
        return new Step.Perform(calls, answers -> {
            takingAway.computeIfPresent(id, (_, count) -> count == 1 ? null : count - 1);
            forced += answers.stream()
                    .filter(answer -> !(answer instanceof Answer.Done))
                    .count();
            going.keySet().forEach(user -> end(held, user));
            return next.step();
        });
    }

    private void end(HeldRegion held, HeldRegion.User user) {
        held.end(user).forEach(used -> memory.deregister(user.node(), used.extent(), used.key()));
    }

    private static Map<HeldRegion.User, RegionFailure> all(List<HeldRegion.User> users, RegionFailure why) {
        Map<HeldRegion.User, RegionFailure> going = new LinkedHashMap<>();
        users.forEach(user -> going.put(user, why));
        return going;
    }

    private void release(HeldExtent extent) {
        if (extent.giveBack()) {
            memory.release(extent.id());
        }
    }

    private void forgetIfEmpty(HeldRegion held, long id) {
        if (held.isEmpty()) {
            regions.remove(id);
        }
    }

    private Step open(HeldRegion.User user, long id, Permissions permissions) {
        HeldRegion held = regions.get(id);
        if (held == null) {
            return ended.containsKey(id)
                    ? Step.refuse(RegionFailure.MOVED, "the part is not on " + self + " any more")
                    : Step.refuse(RegionFailure.LOST, self + " does not hold the part; it may have restarted");
        }
        if (!held.isOpen()) {
            return Step.refuse(RegionFailure.NOT_READY, "the part on " + self + " is being made or copied");
        }
        if (!held.rights().of(user.node()).allow(permissions)) {
            forbidden++;
            return Step.refuse(RegionFailure.NOT_PERMITTED, user.node() + " may not use it for " + permissions);
        }
        if (!held.isWhole(self)) {
            return Step.refuse(RegionFailure.LOST, self + " does not hold all of its parts; it has restarted");
        }
        if (held.isLeaving(user)) {
            return Step.refuse(RegionFailure.REVOKED, "the handle is being taken away");
        }
        end(held, user);
        List<ExtentKey> keys = new ArrayList<>();
        for (HeldExtent extent : held.settledExtents()) {
            Optional<ExtentKey> key = memory.register(user.node(), extent.id(), permissions);
            if (key.isEmpty()) {
                end(held, user);
                return Step.refuse(RegionFailure.NO_SPACE, self + " cannot register one more part for " + user.node());
            }
            held.use(user, permissions, new HeldRegion.Used(extent.id(), key.get()));
            keys.add(key.get());
        }
        return new Step.Reply(new Answer.Keys(keys));
    }

    private Step close(HeldRegion.User user, long id) {
        HeldRegion held = regions.get(id);
        if (held != null && !held.isLeaving(user)) {
            end(held, user);
        }
        return done();
    }

    private Step find(RegionName name) {
        Optional<RegionRecord> found = regions.values().stream()
                .flatMap(held -> held.settledRecord().stream())
                .filter(record -> record.name().equals(name))
                .findFirst();
        return found.<Step>map(record -> new Step.Reply(new Answer.Found(record)))
                .orElseGet(() -> Step.refuse(RegionFailure.NO_SUCH_REGION, self + " holds nothing of " + name));
    }

    private static Optional<Answer> firstRefusal(List<Answer> answers) {
        return answers.stream()
                .filter(answer -> !(answer instanceof Answer.Done))
                .findFirst();
    }
}
