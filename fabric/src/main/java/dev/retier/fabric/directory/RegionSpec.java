package dev.retier.fabric.directory;

import dev.retier.link.NodeId;
import java.util.List;

/**
 * What a new region shall be.
 *
 * @param lengthBytes bytes, 1 and more; all are zero at first
 * @param nodes where it shall be: its parts go round over these nodes, in this order
 * @param others what nodes may do with it that have no grant of their own; the creator may do all
 */
public record RegionSpec(long lengthBytes, List<NodeId> nodes, Permissions others) {
    /** Parts of one region at most; with the largest part of 1 GiB the largest region is 256 GiB. */
    public static final int MAX_PARTS = 256;

    /** Bytes of one part at most: what DiSNI can register at once is below 2 GiB. */
    public static final long MAX_PART_BYTES = 1L << 30;

    /** Refuses what cannot be with {@link IllegalArgumentException}. */
    public RegionSpec {
        nodes = List.copyOf(nodes);
        if (lengthBytes < 1 || lengthBytes > MAX_PARTS * MAX_PART_BYTES) {
            throw new IllegalArgumentException(
                    "a region of " + lengthBytes + " bytes: must have 1 to " + MAX_PARTS * MAX_PART_BYTES);
        }
        if (nodes.isEmpty() || nodes.size() > MAX_PARTS) {
            throw new IllegalArgumentException("a region on " + nodes.size() + " nodes: must be on 1 to " + MAX_PARTS);
        }
    }

    /** A region on one node. */
    public static RegionSpec on(NodeId node, long lengthBytes, Permissions others) {
        return new RegionSpec(lengthBytes, List.of(node), others);
    }
}
