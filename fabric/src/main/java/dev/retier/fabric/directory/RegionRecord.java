package dev.retier.fabric.directory;

import dev.retier.link.NodeId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * All that is agreed about one region. Of two records of one id the one of the higher version holds.
 *
 * @param id tells it from every other region that ever had the name
 * @param version grows with each change; its upper half counts the lives of the node that keeps the name
 * @param placement which node holds each part; empty if the region was freed
 * @param rights what each node may do
 */
public record RegionRecord(RegionName name, long id, long version, Shape shape, List<NodeId> placement, Rights rights) {
    private static final int LIFE_SHIFT = 32;

    /** Refuses a placement that does not fit the shape with {@link IllegalArgumentException}. */
    public RegionRecord {
        placement = List.copyOf(placement);
        if (!placement.isEmpty() && placement.size() != shape.parts()) {
            throw new IllegalArgumentException(placement.size() + " places for " + shape.parts() + " parts");
        }
    }

    /**
     * What each node may do.
     *
     * @param others nodes without a grant of their own
     */
    public record Rights(Permissions others, Map<NodeId, Permissions> grants) {
        /** Grants in one region at most: one for each node of a cell. */
        public static final int MAX_GRANTS = 256;

        /** Refuses more grants than can be with {@link IllegalArgumentException}. */
        public Rights {
            grants = Map.copyOf(grants);
            if (grants.size() > MAX_GRANTS) {
                throw new IllegalArgumentException(grants.size() + " grants");
            }
        }

        /** What {@code node} may do. */
        public Permissions of(NodeId node) {
            return grants.getOrDefault(node, others);
        }

        Rights with(NodeId node, Permissions permissions) {
            Map<NodeId, Permissions> changed = new TreeMap<>(grants);
            changed.put(node, permissions);
            return new Rights(others, changed);
        }
    }

    /** Whether the region was freed. */
    public boolean isFreed() {
        return placement.isEmpty();
    }

    /** The nodes that hold parts. */
    public Set<NodeId> holders() {
        return new TreeSet<>(placement);
    }

    /** The parts on {@code node}. */
    public List<Integer> partsOn(NodeId node) {
        List<Integer> found = new ArrayList<>();
        for (int i = 0; i < placement.size(); i++) {
            if (placement.get(i).equals(node)) {
                found.add(i);
            }
        }
        return found;
    }

    RegionRecord freed() {
        return new RegionRecord(name, id, version + 1, shape, List.of(), rights);
    }

    RegionRecord moved(NodeId from, NodeId to) {
        List<NodeId> changed =
                placement.stream().map(node -> node.equals(from) ? to : node).toList();
        return new RegionRecord(name, id, version + 1, shape, changed, rights);
    }

    RegionRecord granted(NodeId node, Permissions permissions) {
        return new RegionRecord(name, id, version + 1, shape, placement, rights.with(node, permissions));
    }

    /** The same, said anew. */
    RegionRecord renewed() {
        return withVersion(version + 1);
    }

    RegionRecord withVersion(long other) {
        return new RegionRecord(name, id, other, shape, placement, rights);
    }

    static long firstVersion(int life) {
        return (long) life << LIFE_SHIFT;
    }

    /** The same, as its keeper says it anew in this life: above all that was said in earlier ones. */
    RegionRecord inLife(int life) {
        return withVersion(Math.max(firstVersion(life), version) + 1);
    }

    /** Nodes that hold parts of this or of {@code other}. */
    Set<NodeId> holdersWith(RegionRecord other) {
        Set<NodeId> all = new HashSet<>(placement);
        all.addAll(other.placement);
        return all;
    }
}
