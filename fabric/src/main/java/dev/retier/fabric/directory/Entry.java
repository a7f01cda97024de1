package dev.retier.fabric.directory;

import dev.retier.fabric.directory.RegionAnswer.Done;
import dev.retier.link.NodeId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the keeper of a name knows about its region. Belongs to its {@link Directory}, and so do its fields. */
final class Entry {
    RegionRecord region;
    /** A change is under way. */
    boolean busy;
    /** Nodes to be heard before anything is believed. */
    final Set<NodeId> awaited = new HashSet<>();
    /** A holder that has settled something newer than this knows better; own changes are the newest there is. */
    long base;
    /** Who has not confirmed the region as it is now. */
    private final Set<NodeId> unsettled = new HashSet<>();
    /** Of those, who must not hear of it before all others have confirmed: it has the only other copy. */
    private @Nullable NodeId last;
    /** A move whose target may or may not have taken over. */
    private @Nullable Doubt doubt;

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

    @Nullable
    Doubt doubt() {
        return doubt;
    }

    /** Why nothing can be changed at present, if so. */
    Optional<RegionFailure> hindrance() {
        if (busy) {
            return Optional.of(RegionFailure.BUSY);
        }
        return isKnown() && isSettled() ? Optional.empty() : Optional.of(RegionFailure.NOT_READY);
    }

    boolean isKnown() {
        return doubt == null && awaited.isEmpty();
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

    /** Whether the target of {@code move} has taken over is asked until it says so. */
    void doubt(Doubt move) {
        doubt = move;
        unsure.add(this);
    }

    /** From now on the region is so; {@code nodes} have to confirm it, and who has not confirmed what was before. */
    void become(RegionRecord now, Set<NodeId> nodes) {
        region = now;
        base = now.version();
        doubt = null;
        last = null;
        unsettled.addAll(nodes);
        unsure.add(this);
        lost.retainAll(now.holders());
    }

    void unsettle(NodeId node) {
        unsettled.add(node);
        unsure.add(this);
    }

    /** Who has, or may have, something of the region. */
    Set<NodeId> everybody() {
        Set<NodeId> all = region.holdersWith(doubt == null ? region : doubt.planned());
        all.addAll(unsettled);
        return all;
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
        boolean hasLost = answer.isRefusal(RegionFailure.LOST);
        Doubt move = doubt;
        if (move != null && move.planned().version() == told.version()) {
            busy = false;
            decide(move, answer, hasLost);
        } else if (told.version() == region.version()) {
            if (hasLost) {
                lost.add(node);
            }
            if (hasLost || answer instanceof Done) {
                unsettled.remove(node);
            }
            base = unsettled.isEmpty() ? told.version() : base;
        }
    }

    /** The target has taken over, or never will, or has not answered. */
    private void decide(Doubt move, RegionAnswer answer, boolean hasLost) {
        Set<NodeId> all = region.holdersWith(move.planned());
        if (answer instanceof Done) {
            all.remove(move.to());
            become(move.planned(), all);
            last = move.from();
        } else if (hasLost) {
            become(region.renewed().renewed(), all);
        }
    }
}
