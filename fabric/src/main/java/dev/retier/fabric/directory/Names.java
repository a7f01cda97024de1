package dev.retier.fabric.directory;

import dev.retier.link.NodeId;
import java.util.Collection;
import java.util.List;

/**
 * Which node keeps which name: the one whose number mixed with the name is the highest (rendezvous hashing), so that
 * all nodes agree without asking, and names spread evenly. Immutable.
 */
public final class Names {
    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;
    private static final long MIX_1 = 0xff51afd7ed558ccdL;
    private static final long MIX_2 = 0xc4ceb9fe1a85ec53L;
    private static final int MIX_SHIFT = 33;

    private final List<NodeId> nodes;

    /**
     * Names of a cell.
     *
     * @param nodes all nodes of the cell, here or not; the same everywhere
     */
    public Names(Collection<NodeId> nodes) {
        this.nodes = nodes.stream().sorted().distinct().toList();
        if (this.nodes.isEmpty()) {
            throw new IllegalArgumentException("a cell has a node at least");
        }
    }

    /** All nodes of the cell. */
    public List<NodeId> nodes() {
        return nodes;
    }

    /** The node that keeps {@code name}. */
    public NodeId keeperOf(RegionName name) {
        long hash = FNV_OFFSET;
        for (int i = 0; i < name.value().length(); i++) {
            hash = (hash ^ name.value().charAt(i)) * FNV_PRIME;
        }
        NodeId best = nodes.getFirst();
        for (NodeId node : nodes) {
            if (Long.compareUnsigned(weight(hash, node), weight(hash, best)) > 0) {
                best = node;
            }
        }
        return best;
    }

    /** The finalizer of MurmurHash3. */
    private static long weight(long hash, NodeId node) {
        long mixed = hash + node.value() * FNV_OFFSET;
        mixed = (mixed ^ mixed >>> MIX_SHIFT) * MIX_1;
        mixed = (mixed ^ mixed >>> MIX_SHIFT) * MIX_2;
        return mixed ^ mixed >>> MIX_SHIFT;
    }
}
