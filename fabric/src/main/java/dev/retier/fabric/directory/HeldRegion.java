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

/** What one node holds of one region. Belongs to its {@link Holder}. */
final class HeldRegion {
    private static final int COPIER = 0;

    private @Nullable RegionRecord settled;
    private @Nullable RegionRecord pending;
    private boolean sealed;
    /** Parts that the settled record puts here. */
    private final Map<Integer, Part> held = new HashMap<>();
    /** Parts that the pending record puts here in addition. */
    private final Map<Integer, Part> fresh = new HashMap<>();

    private final Map<User, Uses> users = new LinkedHashMap<>();
    private final Set<User> leaving = new HashSet<>();

    /** One handle of one node. Handle 0 is that of a node that copies the parts. */
    record User(NodeId node, long handle) {
        static User copier(NodeId node) {
            return new User(node, COPIER);
        }

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

        private Part(PartId id, boolean isFilled) {
            this.id = id;
            this.isFilled = isFilled;
        }
    }

    /** One registration. */
    record Used(PartId part, PartKey key) {}

    private record Uses(Permissions permissions, List<Used> registrations) {}

    HeldRegion(RegionRecord planned) {
        pending = planned;
    }

    long settledVersion() {
        return settled == null ? -1 : settled.version();
    }

    Optional<RegionRecord> settledRecord() {
        return Optional.ofNullable(settled);
    }

    RegionRequest.Report report() {
        return new RegionRequest.Report(Optional.ofNullable(settled), Optional.ofNullable(pending));
    }

    RegionRecord.Rights rights() {
        if (settled == null) {
            throw new IllegalStateException("nothing is settled yet");
        }
        return settled.rights();
    }

    boolean isOpen() {
        return settled != null && !sealed;
    }

    /** Whether every part that the settled record puts here is here. */
    boolean isWhole(NodeId self) {
        return settled != null && held.keySet().containsAll(settled.partsOn(self));
    }

    boolean isEmpty() {
        return held.isEmpty() && fresh.isEmpty();
    }

    boolean isPlan(RegionRecord planned) {
        return pending != null && pending.version() == planned.version();
    }

    boolean hasOtherPlan(RegionRecord planned) {
        return pending != null && pending.version() != planned.version();
    }

    boolean isSealedFor(RegionRecord planned) {
        return sealed && isPlan(planned);
    }

    boolean has(Part part) {
        int index = part.id.index();
        return part.equals(held.get(index)) || part.equals(fresh.get(index));
    }

    List<Part> settledParts() {
        return List.copyOf(held.values());
    }

    List<Part> freshParts() {
        return List.copyOf(fresh.values());
    }

    /** Those of {@code parts} that have no memory yet, to be made. */
    List<Part> plan(RegionRecord planned, List<Integer> parts, boolean zeros) {
        pending = planned;
        List<Part> missing = new ArrayList<>();
        for (int index : parts) {
            if (!held.containsKey(index) && !fresh.containsKey(index)) {
                Part part = new Part(new PartId(planned.id(), planned.version(), index), zeros);
                fresh.put(index, part);
                missing.add(part);
            }
        }
        return missing;
    }

    void dropPlan(List<Part> planned) {
        fresh.values().removeAll(planned);
        pending = null;
    }

    void seal(RegionRecord planned) {
        pending = planned;
        sealed = true;
    }

    /** Whether every part that {@code region} puts here is here. */
    boolean canSettle(RegionRecord region, NodeId self) {
        return region.partsOn(self).stream().allMatch(index -> held.containsKey(index) || isReady(index));
    }

    /** Its keeper puts a part here only after it was made and filled, whichever life of the keeper says so. */
    private boolean isReady(int index) {
        Part part = fresh.get(index);
        return part != null && part.isAllocated && part.isFilled;
    }

    /** Takes what {@code region} says as the truth; returns the parts that have no place here any more. */
    List<Part> settle(RegionRecord region, NodeId self) {
        Set<Integer> mine = new HashSet<>(region.partsOn(self));
        List<Part> gone = new ArrayList<>();
        held.values().removeIf(part -> !mine.contains(part.id.index()) && gone.add(part));
        fresh.forEach((index, part) -> {
            if (mine.contains(index) && isReady(index)) {
                held.put(index, part);
            } else {
                gone.add(part);
            }
        });
        fresh.clear();
        settled = region;
        sealed = false;
        pending = null;
        return gone;
    }

    List<User> users() {
        return users((_, _) -> true);
    }

    /** Who uses one of {@code parts}, and all copiers: what is settled is not copied any more. */
    List<User> usersOf(List<Part> parts) {
        Set<PartId> ids = parts.stream().map(part -> part.id).collect(Collectors.toSet());
        return users((user, uses) ->
                user.isCopier() || uses.registrations().stream().anyMatch(used -> ids.contains(used.part())));
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

    void use(User user, Permissions permissions, Used registration) {
        users.computeIfAbsent(user, _ -> new Uses(permissions, new ArrayList<>()))
                .registrations()
                .add(registration);
    }

    void leave(Set<User> gone) {
        leaving.addAll(gone);
    }

    boolean isLeaving(User user) {
        return leaving.contains(user);
    }

    /** Forgets the user, whose registrations are returned for the caller to end. */
    List<Used> end(User user) {
        leaving.remove(user);
        Uses uses = users.remove(user);
        return uses == null ? List.of() : uses.registrations();
    }

    void disconnected(NodeId peer) {
        users.keySet().removeIf(user -> user.node().equals(peer));
    }
}
