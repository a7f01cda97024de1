package dev.retier.fabric.directory;

import static dev.retier.fabric.directory.Permission.ADMIN;
import static dev.retier.fabric.directory.Reaction.ask;
import static dev.retier.fabric.directory.Reaction.askAll;
import static dev.retier.fabric.directory.Reaction.done;
import static dev.retier.fabric.directory.Reaction.found;
import static dev.retier.fabric.directory.Reaction.refuse;
import static dev.retier.fabric.directory.RegionFailure.BUSY;
import static dev.retier.fabric.directory.RegionFailure.FREED;
import static dev.retier.fabric.directory.RegionFailure.MALFORMED;
import static dev.retier.fabric.directory.RegionFailure.NAME_TAKEN;
import static dev.retier.fabric.directory.RegionFailure.NODE_UNREACHABLE;
import static dev.retier.fabric.directory.RegionFailure.NOT_PERMITTED;
import static dev.retier.fabric.directory.RegionFailure.NOT_READY;
import static dev.retier.fabric.directory.RegionFailure.NO_SUCH_REGION;

import dev.retier.link.NodeId;
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
 * <p>All that is here is also with the holders: a node that starts asks them before it answers for a name ({@link
 * StartupReports}). A change is made known by {@link RegionRequest.Settle}, repeated until every holder has confirmed
 * it, and no other change begins before. A move is decided by its target's confirmation; until then the source keeps
 * its copy.
 *
 * <p>Not thread-safe: the caller lets one thread at a time in, here and into the functions of its steps.
 */
public final class Directory {
    private final NodeId self;
    private final Names names;
    private final int life;
    private final Ledger ledger = new Ledger();
    private final StartupReports gathering;
    private final Map<NodeId, Set<Long>> reporting = new HashMap<>();
    private long forbidden;
    private long orphans;

    /**
     * A node that has just started and asks around.
     *
     * @param life larger at each start of this node, 1 to 2^31 - 1
     */
    public Directory(NodeId self, Names names, int life) {
        this.self = self;
        this.life = life;
        this.names = names;
        this.gathering = new StartupReports(names.nodes());
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
        if (!gathering.isOver()) {
            gathering.end().stream().filter(this::isClear).forEach(this::adopt);
        }
    }

    /** Whether there is something that a holder has not confirmed, so that {@link #reconcile} has work. */
    public boolean isUnsettled() {
        return ledger.isUnsettled();
    }

    /** Tells holders again what they have not confirmed. Call now and then, and when a peer has come back. */
    public Reaction reconcile() {
        return ledger.reconcile(gathering::isHeard);
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
        Entry known = ledger.named(wanted.name());
        if (known != null && known.region().id() == wanted.id()) {
            return known.isBusy() ? refuseBusy(BUSY, wanted.name()) : found(known.region());
        }
        if (known != null) {
            return refuse(NAME_TAKEN, "there is a region " + wanted.name());
        }
        if (!gathering.isOver()) {
            return refuseBusy(NOT_READY, wanted.name());
        }
        if (ledger.isEnded(wanted.id())) {
            return refuse(FREED, wanted.name() + " was freed, or could not be made");
        }
        if (ledger.isLeaving(wanted.name())) {
            return refuse(NODE_UNREACHABLE, "a holder has not confirmed the end of the last " + wanted.name());
        }
        if (!names.nodes().containsAll(wanted.placement())
                || !names.keeperOf(wanted.name()).equals(self)) {
            return refuse(MALFORMED, "nodes that are not in the cell, or a wrong keeper");
        }
        RegionRecord.Rights rights = wanted.rights().with(from, Permissions.ALL);
        RegionRecord region = new RegionRecord(
                wanted.name(),
                wanted.id(),
                RegionRecord.firstVersion(life),
                wanted.shape(),
                wanted.placement(),
                rights);
        Entry entry = ledger.add(region);
        entry.begin();
        return askAll(
                region.holders(),
                node -> new RegionRequest.Allocate(region, true, region.partsOn(node)),
                answers -> allocated(entry, answers));
    }

    private Reaction allocated(Entry entry, List<RegionAnswer> answers) {
        entry.end();
        RegionRecord region = entry.region();
        Optional<RegionAnswer> refusal = RegionAnswer.firstUndone(answers);
        if (refusal.isPresent()) {
            ledger.condemn(entry);
            return ledger.tellAll(entry, () -> new Reaction.Reply(refusal.get()));
        }
        entry.become(region, region.holders());
        return ledger.tellAll(entry, () -> found(entry.region()));
    }

    private Reaction lookUp(RegionName name) {
        Entry entry = ledger.named(name);
        if (entry == null) {
            return gathering.isOver()
                    ? refuse(NO_SUCH_REGION, "there is no region " + name)
                    : refuseBusy(NOT_READY, name);
        }
        return entry.isKnown() && !entry.isBusy() ? found(entry.region()) : refuseBusy(NOT_READY, name);
    }

    private Reaction change(NodeId from, RegionName name, long id, Function<Entry, Reaction> change) {
        Entry entry = ledger.named(name);
        if (entry == null || entry.region().id() != id) {
            return gathering.isOver()
                    ? refuse(NO_SUCH_REGION, "there is no region " + name + " of this handle")
                    : refuseBusy(NOT_READY, name);
        }
        if (!entry.region().rights().of(from).allow(ADMIN)) {
            forbidden++;
            return refuse(NOT_PERMITTED, from + " may not change " + name);
        }
        return entry.hindrance().map(why -> refuseBusy(why, name)).orElseGet(() -> change.apply(entry));
    }

    private Reaction grant(Entry entry, NodeId node, Permissions permissions) {
        RegionRecord region = entry.region();
        if (!names.nodes().contains(node)) {
            return refuse(MALFORMED, node + " is not in the cell");
        }
        if (region.rights().grants().containsKey(node)
                && region.rights().of(node).equals(permissions)) {
            return found(entry.region());
        }
        entry.become(region.granted(node, permissions), region.holders());
        return ledger.tellAll(entry, () -> entry.isSettled() ? found(entry.region()) : unconfirmed(entry));
    }

    private static Reaction unconfirmed(Entry entry) {
        return refuse(NODE_UNREACHABLE, "not every holder has confirmed: " + entry.toTell());
    }

    private Reaction move(Entry entry, NodeId from, NodeId to) {
        RegionRecord region = entry.region();
        if (!names.nodes().contains(to)) {
            return refuse(MALFORMED, to + " is not in the cell");
        }
        if (from.equals(to) || region.partsOn(from).isEmpty()) {
            return found(entry.region());
        }
        RegionRecord planned = region.moved(from, to);
        entry.begin();
        Entry.Doubt doubt = new Entry.Doubt(planned, from, to);
        return ask(
                to,
                new RegionRequest.Allocate(planned, false, region.partsOn(from)),
                made -> made instanceof RegionAnswer.Done ? seal(entry, doubt) : undo(entry, doubt, made));
    }

    private Reaction seal(Entry entry, Entry.Doubt doubt) {
        return ask(
                doubt.from(),
                new RegionRequest.Seal(doubt.planned(), doubt.to()),
                keys -> keys instanceof RegionAnswer.Keys(List<PartKey> found)
                        ? fetch(entry, doubt, found)
                        : undo(entry, doubt, keys));
    }

    private Reaction fetch(Entry entry, Entry.Doubt doubt, List<PartKey> keys) {
        return ask(
                doubt.to(),
                new RegionRequest.Fetch(doubt.planned(), doubt.from(), keys),
                copied -> copied instanceof RegionAnswer.Done ? confirm(entry, doubt) : undo(entry, doubt, copied));
    }

    private Reaction confirm(Entry entry, Entry.Doubt doubt) {
        entry.doubt(doubt);
        return ledger.tell(List.of(new Ledger.Telling(entry, doubt.to(), doubt.planned())), () -> {
            if (entry.region().version() == doubt.planned().version()) {
                return ledger.tellAll(entry, () -> ledger.tellAll(entry, () -> found(entry.region())));
            }
            return refuse(NODE_UNREACHABLE, doubt.to() + " has the copy, and has not said that it took over");
        });
    }

    private Reaction undo(Entry entry, Entry.Doubt doubt, RegionAnswer why) {
        entry.end();
        entry.become(entry.region().renewed(), entry.region().holdersWith(doubt.planned()));
        return ledger.tellAll(
                entry, () -> new Reaction.Reply(why instanceof RegionAnswer.Refused ? why : unexpected(why)));
    }

    private static RegionAnswer unexpected(RegionAnswer answer) {
        return new RegionAnswer.Refused(MALFORMED, "an answer that does not fit: " + answer);
    }

    private Reaction free(NodeId from, RegionName name, long id) {
        if (ledger.isEnded(id)) {
            return done();
        }
        Entry entry = ledger.named(name);
        if (entry != null && mayFree(entry, from, id)) {
            ledger.condemn(entry);
            return ledger.tellAll(entry, Reaction::done);
        }
        return change(from, name, id, busy -> refuseBusy(BUSY, name));
    }

    private static boolean mayFree(Entry entry, NodeId from, long id) {
        RegionRecord region = entry.region();
        return region.id() == id && !entry.isBusy() && region.rights().of(from).allow(ADMIN);
    }

    private Reaction report(NodeId from, RegionRequest.Report report) {
        Optional<RegionRecord> any = report.settled().or(report::pending);
        if (any.isEmpty() || !names.keeperOf(any.get().name()).equals(self)) {
            return refuse(MALFORMED, "a report of nothing, or to the wrong keeper");
        }
        reporting.computeIfAbsent(from, _ -> new HashSet<>()).add(any.get().id());
        if (!gathering.isOver()) {
            gathering.report(from, report);
            return done();
        }
        Optional<Entry> known = ledger.byId(any.get());
        if (known.isPresent()) {
            compare(known.get(), from, report);
        } else {
            StartupReports.Found late = new StartupReports.Found();
            late.add(from, report);
            if (isClear(late)) {
                adopt(late);
            }
        }
        return done();
    }

    private void compare(Entry entry, NodeId from, RegionRequest.Report report) {
        if (entry.isBusy() || entry.doubt().isPresent()) {
            return;
        }
        Optional<RegionRecord> settled = report.settled();
        if (settled.isPresent() && entry.isOlderThan(settled.get())) {
            RegionRecord newer = settled.get();
            RegionRecord now = newer.renewedAfter(Math.max(entry.region().version(), newer.version()));
            entry.adopt(newer, now, entry.region().holdersWith(newer));
        } else if (settled.isEmpty() || settled.get().version() < entry.region().version()) {
            entry.unsettle(from);
        }
        report.pending().ifPresent(plan -> {
            entry.unsettle(from);
            awaitHolders(entry, plan.holders(), from);
        });
    }

    /** Whether a plan was carried out, only those can say whom it gave parts. */
    private void awaitHolders(Entry entry, Set<NodeId> planned, NodeId here) {
        Set<NodeId> missing = gathering.unheardOf(planned);
        missing.remove(here);
        entry.await(missing);
    }

    private Reaction reported(NodeId from) {
        Set<Long> seen = Optional.ofNullable(reporting.remove(from)).orElse(Set.of());
        if (gathering.heard(from)) {
            endGathering();
        } else if (gathering.isOver()) {
            for (Entry entry : ledger.all()) {
                entry.heard(from);
                RegionRecord region = entry.region();
                if (!entry.isBusy() && region.holders().contains(from) && !seen.contains(region.id())) {
                    entry.unsettle(from);
                }
            }
        }
        return done();
    }

    /** What was only planned may have been settled by those that have not been heard; it is reported again. */
    private boolean isClear(StartupReports.Found found) {
        Set<NodeId> missing = gathering.unheardOf(found.plannedHolders);
        missing.removeAll(found.reporters);
        return !found.isHalfMade() || missing.isEmpty();
    }

    private void adopt(StartupReports.Found found) {
        RegionRecord newest = found.newest();
        Entry same = ledger.named(newest.name());
        if (ledger.isEnded(newest.id()) || found.isHalfMade()) {
            ledger.condemn(newest.freed().inLife(life), found.reporters);
        } else if (same != null) {
            orphans++;
        } else {
            Set<NodeId> all = new HashSet<>(found.reporters);
            all.addAll(newest.holders());
            Entry entry = ledger.add(newest);
            entry.adopt(newest, newest.inLife(life), all);
            entry.await(gathering.unheardOf(found.plannedHolders));
        }
    }

    private static Reaction refuseBusy(RegionFailure why, RegionName name) {
        return refuse(why, name + " is being made, changed or looked for");
    }
}
