package dev.retier.fabric.directory;

import dev.retier.fabric.directory.RegionAnswer.Done;
import dev.retier.link.NodeId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** The regions of a {@link Directory}, and the telling of holders until each has confirmed. Belongs to it. */
final class Ledger {
    /** Holders told in one step of {@link #reconcile}. */
    private static final int BATCH = 64;

    final Map<RegionName, Entry> entries = new HashMap<>();
    /** Regions that were freed, until every holder has confirmed. */
    private final Map<Long, Entry> condemned = new HashMap<>();

    /** Whom to tell of is looked for among these alone, however many regions there are; some may be sure by now. */
    private final Set<Entry> unsure = new LinkedHashSet<>();

    /** Regions that were freed. */
    private final Set<Long> ended = Collections.newSetFromMap(new Remembered<>());

    /** A region that nobody has to confirm yet. */
    Entry add(RegionRecord region) {
        Entry entry = new Entry(region, unsure);
        entries.put(region.name(), entry);
        return entry;
    }

    boolean isEnded(long id) {
        return ended.contains(id) || condemned.containsKey(id);
    }

    /** Whether a region of this name was freed, and a holder has not confirmed. */
    boolean isLeaving(RegionName name) {
        return condemned.values().stream().anyMatch(entry -> entry.region.name().equals(name));
    }

    Optional<Entry> byId(RegionRecord region) {
        return Optional.ofNullable(entries.get(region.name()))
                .filter(entry -> entry.region.id() == region.id())
                .or(() -> Optional.ofNullable(condemned.get(region.id())));
    }

    boolean isUnsettled() {
        unsure.removeIf(Entry::isSure);
        return !unsure.isEmpty();
    }

    /**
     * Tells holders again what they have not confirmed.
     *
     * @param unheard whose reports are not known: nobody of them is told
     */
    Reaction reconcile(Set<NodeId> unheard) {
        List<Telling> telling = new ArrayList<>();
        for (Entry entry : List.copyOf(unsure)) {
            if (entry.busy || telling.size() >= BATCH) {
                continue;
            }
            Entry.Doubt doubt = entry.doubt();
            if (doubt != null) {
                entry.busy = true;
                telling.add(new Telling(entry, doubt.to(), doubt.planned()));
            } else if (entry.isKnown()) {
                List<NodeId> nodes = entry.toTell();
                nodes.removeAll(unheard);
                nodes.forEach(node -> telling.add(new Telling(entry, node, entry.region)));
            }
        }
        return tell(telling, Done::new);
    }

    /** One holder to be told. */
    record Telling(Entry entry, NodeId node, RegionRecord region) {}

    Reaction tell(List<Telling> telling, Supplier<Reaction> next) {
        List<Action.Call> calls = telling.stream()
                .map(one -> new Action.Call(one.node(), new RegionRequest.Settle(one.region())))
                .toList();
        return new Reaction.Perform(calls, answers -> {
            for (int i = 0; i < telling.size(); i++) {
                Telling one = telling.get(i);
                one.entry().told(one.node(), one.region(), answers.get(i));
                settled(one.entry());
            }
            return next.get();
        });
    }

    private void settled(Entry entry) {
        if (entry.isSettled() && entry.region.isFreed()) {
            condemned.remove(entry.region.id());
        } else if (entry.isAllLost()) {
            condemn(entry);
        }
    }

    Reaction tellAll(Entry entry, Supplier<Reaction> next) {
        return tell(
                entry.toTell().stream()
                        .map(node -> new Telling(entry, node, entry.region))
                        .toList(),
                next);
    }

    void condemn(Entry entry) {
        entries.remove(entry.region.name(), entry);
        ended.add(entry.region.id());
        condemn(entry, entry.region.renewed().freed(), entry.everybody());
    }

    /** A region of earlier, of which nothing shall stay. */
    void condemn(RegionRecord freed, Set<NodeId> holders) {
        condemn(new Entry(freed, unsure), freed, holders);
    }

    private void condemn(Entry entry, RegionRecord freed, Set<NodeId> holders) {
        entry.become(freed, holders);
        condemned.put(freed.id(), entry);
    }
}
