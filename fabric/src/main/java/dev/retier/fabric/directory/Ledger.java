package dev.retier.fabric.directory;

import static dev.retier.fabric.directory.RegionFailure.LOST;

import dev.retier.link.NodeId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The regions of a {@link Directory}, and the telling of holders until each has confirmed. Belongs to it. */
final class Ledger {
    /** Holders told in one step of {@link #reconcile}. */
    private static final int BATCH = 64;

    private final Map<RegionName, Entry> entries = new HashMap<>();
    /** Regions that were freed, until every holder has confirmed. */
    private final Map<Long, Entry> condemned = new HashMap<>();

    /** Whom to tell of is looked for among these alone, however many regions there are; some may be sure by now. */
    private final Set<Entry> unsure = new LinkedHashSet<>();

    /** Regions that were freed. */
    private final Set<Long> ended = Collections.newSetFromMap(new Remembered<>());

    @Nullable
    Entry named(RegionName name) {
        return entries.get(name);
    }

    Collection<Entry> all() {
        return entries.values();
    }

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
        return condemned.values().stream()
                .anyMatch(entry -> entry.region().name().equals(name));
    }

    Optional<Entry> byId(RegionRecord region) {
        Entry entry = entries.get(region.name());
        if (entry != null && entry.region().id() == region.id()) {
            return Optional.of(entry);
        }
        return Optional.ofNullable(condemned.get(region.id()));
    }

    boolean isUnsettled() {
        unsure.removeIf(Entry::isSure);
        return !unsure.isEmpty();
    }

    /**
     * Tells holders again what they have not confirmed.
     *
     * @param heard whose reports are known: nobody is told before
     */
    Reaction reconcile(Predicate<NodeId> heard) {
        List<Telling> telling = new ArrayList<>();
        for (Entry entry : List.copyOf(unsure)) {
            if (entry.isBusy() || telling.size() >= BATCH) {
                continue;
            }
            Optional<Entry.Doubt> doubt = entry.doubt();
            if (doubt.isPresent()) {
                entry.begin();
                telling.add(new Telling(entry, doubt.get().to(), doubt.get().planned()));
            } else if (entry.isKnown()) {
                entry.toTell().stream()
                        .filter(heard)
                        .forEach(node -> telling.add(new Telling(entry, node, entry.region())));
            }
        }
        return tell(telling, Reaction::done);
    }

    /** One holder to be told. */
    record Telling(Entry entry, NodeId node, RegionRecord region) {
        Action.Call call() {
            return new Action.Call(node, new RegionRequest.Settle(region));
        }
    }

    Reaction tell(List<Telling> telling, Supplier<Reaction> next) {
        return new Reaction.Perform(telling.stream().map(Telling::call).toList(), answers -> {
            for (int i = 0; i < telling.size(); i++) {
                told(telling.get(i), answers.get(i));
            }
            return next.get();
        });
    }

    private void told(Telling telling, RegionAnswer answer) {
        Entry entry = telling.entry();
        Optional<Entry.Doubt> doubt = entry.doubt()
                .filter(move -> move.planned().version() == telling.region().version());
        if (doubt.isPresent()) {
            entry.end();
            decide(entry, doubt.get(), answer);
            return;
        }
        entry.told(telling.node(), telling.region(), answer);
        if (entry.isSettled() && entry.region().isFreed()) {
            condemned.remove(entry.region().id());
        } else if (entry.isAllLost()) {
            condemn(entry);
        }
    }

    Reaction tellAll(Entry entry, Supplier<Reaction> next) {
        return tell(
                entry.toTell().stream()
                        .map(node -> new Telling(entry, node, entry.region()))
                        .toList(),
                next);
    }

    void condemn(Entry entry) {
        Set<NodeId> holders = entry.everybody();
        entries.remove(entry.region().name(), entry);
        ended.add(entry.region().id());
        entry.become(entry.region().renewed().freed(), holders);
        condemned.put(entry.region().id(), entry);
    }

    /** A region of earlier, of which nothing shall stay. */
    void condemn(RegionRecord freed, Set<NodeId> holders) {
        Entry entry = new Entry(freed, unsure);
        entry.become(freed, holders);
        condemned.put(freed.id(), entry);
    }

    /** The target has taken over, or never will, or has not answered. */
    private static void decide(Entry entry, Entry.Doubt doubt, RegionAnswer answer) {
        Set<NodeId> all = entry.region().holdersWith(doubt.planned());
        if (answer instanceof RegionAnswer.Done) {
            all.remove(doubt.to());
            entry.become(doubt.planned(), all);
            entry.keepLast(doubt.from());
        } else if (answer.isRefusal(LOST)) {
            entry.become(entry.region().renewed().renewed(), all);
        }
    }
}
