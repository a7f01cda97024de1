package dev.retier.fabric.directory;

import dev.retier.link.NodeId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the keeper of a name knows about its region. Belongs to its {@link Directory}. */
final class Entry {
    private RegionRecord region;
    private boolean busy;
    /** Who has not confirmed the region as it is now. */
    private final Set<NodeId> unsettled = new HashSet<>();
    /** Of those, who must not hear of it before all others have confirmed: it has the only other copy. */
    private @Nullable NodeId last;
    /** A move whose target may or may not have taken over. */
    private @Nullable Doubt doubt;
    /** Nodes to be heard before anything is believed. */
    private final Set<NodeId> awaited = new HashSet<>();

    /** A holder that has settled something newer than this knows better; own changes are the newest there is. */
    private long base;

    private final Set<NodeId> lost = new HashSet<>();
    private final Set<Entry> unsure;

    /** A move that its target has not confirmed. */
    record Doubt(RegionRecord planned, NodeId from, NodeId to) {}

    /**
     * A region that nobody has to confirm.
     *
     * @param unsure whom it joins whenever somebody has
     */
    Entry(RegionRecord region, Set<Entry> unsure) {
        this.region = region;
        this.base = region.version();
        this.unsure = unsure;
    }

    /** Takes over what a holder has {@code reported}, and says it anew as {@code now}. */
    void adopt(RegionRecord reported, RegionRecord now, Set<NodeId> nodes) {
        become(now, nodes);
        base = reported.version();
    }

    boolean isOlderThan(RegionRecord reported) {
        return base < reported.version();
    }

    RegionRecord region() {
        return region;
    }

    Optional<Doubt> doubt() {
        return Optional.ofNullable(doubt);
    }

    /** Why nothing can be changed at present, if so. */
    Optional<RegionFailure> hindrance() {
        if (busy) {
            return Optional.of(RegionFailure.BUSY);
        }
        return doubt != null || !awaited.isEmpty() || !unsettled.isEmpty()
                ? Optional.of(RegionFailure.NOT_READY)
                : Optional.empty();
    }

    boolean isKnown() {
        return doubt == null && awaited.isEmpty();
    }

    boolean isBusy() {
        return busy;
    }

    void begin() {
        busy = true;
    }

    void end() {
        busy = false;
    }

    void await(Set<NodeId> nodes) {
        awaited.addAll(nodes);
    }

    void heard(NodeId node) {
        awaited.remove(node);
    }

    void doubt(Doubt move) {
        doubt = move;
        unsure.add(this);
    }

    /** From now on the region is so, and {@code nodes} have to confirm it. */
    void become(RegionRecord now, Set<NodeId> nodes) {
        region = now;
        base = now.version();
        doubt = null;
        last = null;
        unsettled.clear();
        unsettled.addAll(nodes);
        unsure.add(this);
        lost.retainAll(now.holders());
    }

    void keepLast(NodeId node) {
        last = node;
    }

    void unsettle(NodeId node) {
        unsettled.add(node);
        unsure.add(this);
    }

    /** Who has, or may have, something of the region. */
    Set<NodeId> everybody() {
        Set<NodeId> all = new HashSet<>(unsettled);
        all.addAll(region.placement());
        if (doubt != null) {
            all.addAll(doubt.planned().placement());
        }
        return all;
    }

    boolean isSettled() {
        return unsettled.isEmpty();
    }

    /** Whether nobody has to be told anything. */
    boolean isSure() {
        return isSettled() && doubt == null;
    }

    boolean isAllLost() {
        return !region.isFreed() && lost.containsAll(region.holders());
    }

    /** Whom to tell now how the region is. */
    List<NodeId> toTell() {
        List<NodeId> now = new ArrayList<>(unsettled);
        if (last != null && now.size() > 1) {
            now.remove(last);
        }
        return now;
    }

    /** {@code node} has answered to {@link RegionRequest.Settle} of {@code told}. */
    void told(NodeId node, RegionRecord told, RegionAnswer answer) {
        if (told.version() != region.version()) {
            return;
        }
        if (answer instanceof RegionAnswer.Done || answer.isRefusal(RegionFailure.LOST)) {
            unsettled.remove(node);
        }
        if (answer.isRefusal(RegionFailure.LOST)) {
            lost.add(node);
        }
        if (unsettled.isEmpty()) {
            base = region.version();
        }
    }
}
