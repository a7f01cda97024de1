package dev.retier.fabric.directory;

import dev.retier.link.NodeId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What one node holds of one region. Belongs to its {@link Holder}, and so do its fields. */
final class HeldRegion {
    /** The handle of a node that copies. */
    static final int COPIER = 0;

    @Nullable
    RegionRecord settled;

    @Nullable
    RegionRecord pending;

    boolean sealed;
    /** By their places in the region: those that the settled record puts here, and fresh ones for the pending one. */
    final Map<Integer, Part> parts = new HashMap<>();

    private final Map<User, Uses> users = new LinkedHashMap<>();
    final Set<User> leaving = new HashSet<>();

    /** One handle of one node. Handle {@link #COPIER} is that of a node that copies the parts. */
    record User(NodeId node, long handle) {
        boolean isCopier() {
            return handle == COPIER;
        }
    }

    /** The life of one part in this node's memory. */
    static final class Part {
        final PartId id;
        boolean isAllocated;
        /** A copy is running; what it brings late must not fall on what others have written since. */
        boolean isCopying;
        /** Whether it holds what it should as soon as it has memory, so that nothing must be copied into it. */
        boolean isFilled;
        /** The settled record puts it here. */
        boolean isSettled;

        private Part(PartId id, boolean isFilled) {
            this.id = id;
            this.isFilled = isFilled;
        }

        /** Its keeper puts a part here only after it was made and filled, whichever life of the keeper says so. */
        boolean isReady() {
            return isSettled || (isAllocated && isFilled);
        }
    }

    private record Uses(Permissions permissions, List<PartKey> registrations) {}

    HeldRegion(RegionRecord planned) {
        pending = planned;
    }

    RegionRequest.Report report() {
        return new RegionRequest.Report(Optional.ofNullable(settled), Optional.ofNullable(pending));
    }

    boolean isPlan(RegionRecord planned) {
        return pending != null && pending.version() == planned.version();
    }

    boolean hasOtherPlan(RegionRecord planned) {
        return pending != null && pending.version() != planned.version();
    }

    List<Part> settledParts() {
        return parts.values().stream().filter(part -> part.isSettled).toList();
    }

    List<Part> freshParts() {
        return parts.values().stream().filter(part -> !part.isSettled).toList();
    }

    /** Those of {@code places} that have no memory yet, to be made. */
    List<Part> plan(RegionRecord planned, List<Integer> places, boolean zeros) {
        pending = planned;
        List<Part> missing = new ArrayList<>();
        for (int index : places) {
            parts.computeIfAbsent(index, _ -> {
                Part part = new Part(new PartId(planned.id(), planned.version(), index), zeros);
                missing.add(part);
                return part;
            });
        }
        return missing;
    }

    /** Takes what {@code region} says as the truth; returns the parts that have no place here any more. */
    List<Part> settle(RegionRecord region, List<Integer> mine) {
        List<Part> gone = parts.values().stream()
                .filter(part -> !mine.contains(part.id.index()) || !part.isReady())
                .toList();
        parts.values().removeAll(gone);
        parts.values().forEach(part -> part.isSettled = true);
        settled = region;
        sealed = false;
        pending = null;
        return gone;
    }

    List<User> users() {
        return List.copyOf(users.keySet());
    }

    /** Who uses one of the parts that have {@code gone}, and all copiers: what is settled is not copied any more. */
    List<User> usersOf(List<Part> gone) {
        Set<Integer> places = gone.stream().map(part -> part.id.index()).collect(Collectors.toSet());
        return users((user, uses) ->
                user.isCopier() || uses.registrations().stream().anyMatch(key -> places.contains(key.index())));
    }

    /** Whose handles can do more than {@code rights} allow. */
    List<User> usersBeyond(RegionRecord.Rights rights) {
        return users((user, uses) -> !rights.of(user.node()).allow(uses.permissions()));
    }

    private List<User> users(BiPredicate<User, Uses> which) {
        return users.entrySet().stream()
                .filter(entry -> which.test(entry.getKey(), entry.getValue()))
                .map(Map.Entry::getKey)
                .toList();
    }

    void use(User user, Permissions permissions, PartKey registration) {
        users.computeIfAbsent(user, _ -> new Uses(permissions, new ArrayList<>()))
                .registrations()
                .add(registration);
    }

    /** Forgets the user, whose registrations are returned for the caller to end. */
    List<PartKey> end(User user) {
        leaving.remove(user);
        Uses uses = users.remove(user);
        return uses == null ? List.of() : uses.registrations();
    }

    void disconnected(NodeId peer) {
        users.keySet().removeIf(user -> user.node().equals(peer));
    }
}
