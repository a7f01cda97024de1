package dev.retier.fabric.directory;

import dev.retier.link.NodeId;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** What must be true of all regions, known without any node. */
final class RegionOracle {
    int intrusions;
    private final Map<String, Sum> sums = new HashMap<>();
    private final Set<String> mayBeLost = new HashSet<>();
    private final Map<String, Permissions> limits = new HashMap<>();

    /** Additions to one word. */
    static final class Sum {
        long done;
        long unknown;
    }

    Sum sum(long region, int index) {
        return sums.computeIfAbsent(part(region, index), _ -> new Sum());
    }

    void died(Collection<PartId> parts) {
        parts.forEach(part -> mayBeLost.add(part(part.region(), part.index())));
    }

    /** The node that keeps the name may die when some of the holders have let go already. */
    void freeing(RegionRecord region) {
        for (int i = 0; i < region.placement().size(); i++) {
            mayBeLost.add(part(region.id(), i));
        }
    }

    boolean mayBeLost(long region, int index) {
        return mayBeLost.contains(part(region, index));
    }

    void refused(RegionRecord region, int index, RegionFailure failure) {
        if (failure == RegionFailure.LOST && !mayBeLost(region.id(), index)) {
            throw new AssertionError("part " + index + " of " + region + " is said to be lost");
        }
    }

    /** A grant is about to change: until it is confirmed, anything may be allowed. */
    void granting(long region, NodeId node) {
        limits.remove(region + "@" + node);
    }

    void granted(long region, NodeId node, Permissions permissions) {
        limits.put(region + "@" + node, permissions);
    }

    void acted(long region, NodeId node, Permission permission) {
        Permissions limit = limits.get(region + "@" + node);
        if (limit != null && !limit.allow(permission)) {
            throw new AssertionError(node + " did " + permission + " on " + region + " after it was taken away");
        }
    }

    private static String part(long region, int index) {
        return region + "#" + index;
    }
}
