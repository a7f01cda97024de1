package dev.retier.fabric.directory;

import static dev.retier.fabric.directory.Permission.ADMIN;
import static dev.retier.fabric.directory.Reaction.ask;
import static dev.retier.fabric.directory.Reaction.askAll;
import static dev.retier.fabric.directory.RegionFailure.BUSY;
import static dev.retier.fabric.directory.RegionFailure.FREED;
import static dev.retier.fabric.directory.RegionFailure.MALFORMED;
import static dev.retier.fabric.directory.RegionFailure.NAME_TAKEN;
import static dev.retier.fabric.directory.RegionFailure.NODE_UNREACHABLE;
import static dev.retier.fabric.directory.RegionFailure.NOT_PERMITTED;
import static dev.retier.fabric.directory.RegionFailure.NOT_READY;
import static dev.retier.fabric.directory.RegionFailure.NO_SUCH_REGION;

import dev.retier.fabric.directory.RegionAnswer.Done;
import dev.retier.fabric.directory.RegionAnswer.Found;
import dev.retier.fabric.directory.RegionAnswer.Keys;
import dev.retier.fabric.directory.RegionAnswer.Refused;
import dev.retier.link.NodeId;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The names that this node keeps, and the changes of their regions, one at a time for each.
 *
 * <p>All that is here is also with the holders: a node that starts asks them before it answers for a name. A change is
 * made known by {@link RegionRequest.Settle}, repeated until every holder has confirmed it, and no other change begins
 * before. A move is decided by its target's confirmation; until then the source keeps its copy.
 *
 * <p>Not thread-safe: the caller lets one thread at a time in, here and into the functions of its steps.
 */
public final class Directory {
    private final NodeId self;
    private final Names names;
    private final int life;
    private final Ledger ledger = new Ledger();
    /** Who has not reported all since the start. */
    private final Set<NodeId> unheard;
    /** What was reported of each region, until nobody is waited for any more. */
    private final Map<Long, Reports> reports = new HashMap<>();

    private boolean gathering = true;
    /** What each node has reported since its connection began, until it has said that this was all. */
    private final Map<NodeId, Set<Long>> reporting = new HashMap<>();

    private long forbidden;
    private long orphans;

    /** One region, as its holders report it. */
    private static final class Reports {
        final Set<NodeId> reporters = new HashSet<>();
        final Set<RegionRecord> settled = new HashSet<>();
        final Set<RegionRecord> planned = new HashSet<>();

        void add(NodeId from, RegionRequest.Report report) {
            reporters.add(from);
            report.settled().ifPresent(settled::add);
            report.pending().ifPresent(planned::add);
        }

        /** Whether it was allocated but never settled. */
        boolean isHalfMade() {
            return settled.isEmpty();
        }

        RegionRecord newest() {
            return Collections.max(isHalfMade() ? planned : settled, Comparator.comparingLong(RegionRecord::version));
        }
    }

    /**
     * A node that has just started and asks around.
     *
     * @param life larger at each start of this node, 1 to 2^31 - 1
     */
    public Directory(NodeId self, Names names, int life) {
        this.self = self;
        this.life = life;
        this.names = names;
        this.unheard = new HashSet<>(names.nodes());
    }

    /** Answers {@code from}. */
    public Reaction handle(NodeId from, RegionRequest.ToDirectory request) {
        return switch (request) {
            case RegionRequest.Create(RegionRecord wanted) -> create(from, wanted);
            case RegionRequest.LookUp(RegionName name) -> lookUp(name);
            case RegionRequest.Grant(RegionName name, long id, NodeId node, Permissions permissions) ->
                change(from, name, id, entry -> grant(entry, node, permissions));
            case RegionRequest.Move(RegionName name, long id, NodeId source, NodeId to) ->
                change(from, name, id, entry -> move(entry, source, to));
            case RegionRequest.Free(RegionName name, long id) -> free(from, name, id);
            case RegionRequest.Report report -> report(from, report);
            case RegionRequest.Reported _ -> reported(from);
        };
    }

    /** Nobody else is waited for: who has not been heard by now may come back later with what it holds. */
    public void endGathering() {
        if (gathering) {
            gathering = false;
            reports.values().stream().filter(this::isClear).forEach(this::adopt);
            reports.clear();
        }
    }

    /** Whether there is something that a holder has not confirmed, so that {@link #reconcile} has work. */
    public boolean isUnsettled() {
        return ledger.isUnsettled();
    }

    /** Tells holders again what they have not confirmed. Call now and then, and when a peer has come back. */
    public Reaction reconcile() {
        return ledger.reconcile(unheard);
    }

    /** The connection with {@code peer} broke: it reports all again on the next one. */
    public void disconnected(NodeId peer) {
        reporting.remove(peer);
    }

    /** Requests that the grants did not allow. */
    public long forbidden() {
        return forbidden;
    }

    /** Regions of one name that were found twice; the later one is kept by its holders, but has no name. */
    public long orphans() {
        return orphans;
    }

    private Reaction create(NodeId from, RegionRecord wanted) {
        Entry known = ledger.entries.get(wanted.name());
        if (known != null && known.region.id() == wanted.id()) {
            return known.busy ? refuseBusy(BUSY, wanted.name()) : new Found(known.region);
        }
        if (known != null) {
            return new Refused(NAME_TAKEN, "there is a region " + wanted.name());
        }
        if (gathering) {
            return refuseBusy(NOT_READY, wanted.name());
        }
        if (ledger.isEnded(wanted.id())) {
            return new Refused(FREED, wanted.name() + " was freed, or could not be made");
        }
        if (ledger.isLeaving(wanted.name())) {
            return new Refused(NODE_UNREACHABLE, "a holder has not confirmed the end of the last " + wanted.name());
        }
        if (!names.nodes().containsAll(wanted.placement())
                || !names.keeperOf(wanted.name()).equals(self)) {
            return new Refused(MALFORMED, "nodes that are not in the cell, or a wrong keeper");
        }
        RegionRecord region = wanted.granted(from, Permissions.ALL).withVersion(RegionRecord.firstVersion(life));
        Entry entry = ledger.add(region);
        entry.busy = true;
        return askAll(
                region.holders(),
                node -> new RegionRequest.Allocate(region, true, region.partsOn(node)),
                answers -> allocated(entry, answers));
    }

    private Reaction allocated(Entry entry, List<RegionAnswer> answers) {
        entry.busy = false;
        RegionRecord region = entry.region;
        Optional<RegionAnswer> refusal = RegionAnswer.firstUndone(answers);
        if (refusal.isPresent()) {
            ledger.condemn(entry);
            return ledger.tellAll(entry, () -> refusal.get());
        }
        entry.become(region, region.holders());
        return ledger.tellAll(entry, () -> new Found(entry.region));
    }

    private Reaction lookUp(RegionName name) {
        Entry entry = ledger.entries.get(name);
        if (entry == null) {
            return !gathering ? new Refused(NO_SUCH_REGION, "there is no region " + name) : refuseBusy(NOT_READY, name);
        }
        return entry.isKnown() && !entry.busy ? new Found(entry.region) : refuseBusy(NOT_READY, name);
    }

    private Reaction change(NodeId from, RegionName name, long id, Function<Entry, Reaction> change) {
        Entry entry = ledger.entries.get(name);
        if (entry == null || entry.region.id() != id) {
            return !gathering
                    ? new Refused(NO_SUCH_REGION, "there is no region " + name + " of this handle")
                    : refuseBusy(NOT_READY, name);
        }
        if (!mayChange(from, entry)) {
            forbidden++;
            return new Refused(NOT_PERMITTED, from + " may not change " + name);
        }
        return entry.hindrance().map(why -> refuseBusy(why, name)).orElseGet(() -> change.apply(entry));
    }

    private Reaction grant(Entry entry, NodeId node, Permissions permissions) {
        RegionRecord region = entry.region;
        if (!names.nodes().contains(node)) {
            return new Refused(MALFORMED, node + " is not in the cell");
        }
        if (region.rights().grants().containsKey(node)
                && region.rights().of(node).equals(permissions)) {
            return new Found(entry.region);
        }
        entry.become(region.granted(node, permissions), region.holders());
        return ledger.tellAll(
                entry,
                () -> entry.isSettled()
                        ? new Found(entry.region)
                        : new Refused(NODE_UNREACHABLE, "not every holder has confirmed: " + entry.toTell()));
    }

    private Reaction move(Entry entry, NodeId from, NodeId to) {
        RegionRecord region = entry.region;
        if (!names.nodes().contains(to)) {
            return new Refused(MALFORMED, to + " is not in the cell");
        }
        if (from.equals(to) || region.partsOn(from).isEmpty()) {
            return new Found(entry.region);
        }
        RegionRecord planned = region.moved(from, to);
        entry.busy = true;
        return ask(
                to,
                new RegionRequest.Allocate(planned, false, region.partsOn(from)),
                made -> made instanceof Done
                        ? copy(entry, new Entry.Doubt(planned, from, to))
                        : undo(entry, planned, made));
    }

    private Reaction copy(Entry entry, Entry.Doubt move) {
        RegionRecord planned = move.planned();
        return ask(move.from(), new RegionRequest.Seal(planned, move.to()), answer -> {
            if (!(answer instanceof Keys(List<PartKey> keys))) {
                return undo(entry, planned, answer);
            }
            return ask(
                    move.to(),
                    new RegionRequest.Fetch(planned, move.from(), keys),
                    copied -> copied instanceof Done ? confirm(entry, move) : undo(entry, planned, copied));
        });
    }

    private Reaction confirm(Entry entry, Entry.Doubt doubt) {
        entry.doubt(doubt);
        return ledger.tell(List.of(new Ledger.Telling(entry, doubt.to(), doubt.planned())), () -> {
            if (entry.region.version() == doubt.planned().version()) {
                return ledger.tellAll(entry, () -> ledger.tellAll(entry, () -> new Found(entry.region)));
            }
            return new Refused(NODE_UNREACHABLE, doubt.to() + " has the copy, and has not said that it took over");
        });
    }

    private Reaction undo(Entry entry, RegionRecord planned, RegionAnswer why) {
        entry.busy = false;
        entry.become(entry.region.renewed(), entry.region.holdersWith(planned));
        return ledger.tellAll(
                entry,
                () -> why instanceof Refused ? why : new Refused(MALFORMED, "an answer that does not fit: " + why));
    }

    private Reaction free(NodeId from, RegionName name, long id) {
        if (ledger.isEnded(id)) {
            return new Done();
        }
        Entry entry = ledger.entries.get(name);
        if (entry != null && entry.region.id() == id && !entry.busy && mayChange(from, entry)) {
            ledger.condemn(entry);
            return ledger.tellAll(entry, Done::new);
        }
        return change(from, name, id, busy -> refuseBusy(BUSY, name));
    }

    private static boolean mayChange(NodeId node, Entry entry) {
        return entry.region.rights().of(node).allow(ADMIN);
    }

    private Reaction report(NodeId from, RegionRequest.Report report) {
        Optional<RegionRecord> any = report.any();
        if (any.isEmpty() || !names.keeperOf(any.get().name()).equals(self)) {
            return new Refused(MALFORMED, "a report of nothing, or to the wrong keeper");
        }
        reporting.computeIfAbsent(from, _ -> new HashSet<>()).add(any.get().id());
        if (gathering) {
            reports.computeIfAbsent(any.get().id(), _ -> new Reports()).add(from, report);
            return new Done();
        }
        Optional<Entry> known = ledger.byId(any.get());
        if (known.isPresent()) {
            compare(known.get(), from, report);
        } else {
            Reports late = new Reports();
            late.add(from, report);
            if (isClear(late)) {
                adopt(late);
            }
        }
        return new Done();
    }

    private void compare(Entry entry, NodeId from, RegionRequest.Report report) {
        if (entry.busy || entry.doubt() != null) {
            return;
        }
        Optional<RegionRecord> settled = report.settled();
        if (settled.isPresent() && entry.base < settled.get().version()) {
            RegionRecord newer = settled.get();
            RegionRecord now = newer.withVersion(Math.max(entry.region.version(), newer.version()) + 1);
            entry.become(now, entry.region.holdersWith(newer));
            entry.base = newer.version();
        } else if (settled.isEmpty() || settled.get().version() < entry.region.version()) {
            entry.unsettle(from);
        }
        report.pending().ifPresent(plan -> {
            entry.unsettle(from);
            entry.awaited.addAll(unheardOf(Set.of(plan), Set.of(from)));
        });
    }

    /** Whether plans were carried out, only those can say whom they gave parts; of {@code heard} it is known. */
    private Set<NodeId> unheardOf(Set<RegionRecord> plans, Set<NodeId> heard) {
        Set<NodeId> missing = new HashSet<>();
        plans.forEach(plan -> missing.addAll(plan.placement()));
        missing.retainAll(unheard);
        missing.removeAll(heard);
        return missing;
    }

    private Reaction reported(NodeId from) {
        Set<Long> seen = Optional.ofNullable(reporting.remove(from)).orElse(Set.of());
        unheard.remove(from);
        if (gathering && unheard.isEmpty()) {
            endGathering();
        } else if (!gathering) {
            for (Entry entry : ledger.entries.values()) {
                entry.awaited.remove(from);
                RegionRecord region = entry.region;
                if (!entry.busy && region.holders().contains(from) && !seen.contains(region.id())) {
                    entry.unsettle(from);
                }
            }
        }
        return new Done();
    }

    /** What was only planned may have been settled by those that have not been heard; it is reported again. */
    private boolean isClear(Reports given) {
        return !given.isHalfMade() || unheardOf(given.planned, given.reporters).isEmpty();
    }

    private void adopt(Reports given) {
        RegionRecord newest = given.newest();
        if (ledger.isEnded(newest.id()) || given.isHalfMade()) {
            ledger.condemn(newest.freed().inLife(life), given.reporters);
        } else if (ledger.entries.containsKey(newest.name())) {
            orphans++;
        } else {
            Set<NodeId> all = new HashSet<>(given.reporters);
            all.addAll(newest.holders());
            Entry entry = ledger.add(newest);
            entry.become(newest.inLife(life), all);
            entry.base = newest.version();
            entry.awaited.addAll(unheardOf(given.planned, Set.of()));
        }
    }

    private static Reaction refuseBusy(RegionFailure why, RegionName name) {
        return new Refused(why, name + " is being made, changed or looked for");
    }
}
