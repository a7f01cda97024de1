package dev.retier.fabric.directory;

import dev.retier.link.NodeId;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** What one node asks of another. Each may come twice, late, or never; who answers must not mind. */
public sealed interface RegionRequest {
    /** To the node that keeps the region's name ({@link Directory}). */
    sealed interface ToDirectory extends RegionRequest {}

    /** To a node with parts of a region ({@link Holder}). */
    sealed interface ToHolder extends RegionRequest {}

    /**
     * Make a region. The version does not count, and the asking node may do all. Answer: {@link
     * RegionAnswer.Found}.
     */
    record Create(RegionRecord wanted) implements ToDirectory {}

    /** Which region has this name? Answer: {@link RegionAnswer.Found}. */
    record LookUp(RegionName name) implements ToDirectory {}

    /** Set what a node may do. Answer: {@link RegionAnswer.Found}. */
    record Grant(RegionName name, long id, NodeId node, Permissions permissions) implements ToDirectory {}

    /** Move the parts of one node to another. Answer: {@link RegionAnswer.Found}. */
    record Move(RegionName name, long id, NodeId from, NodeId to) implements ToDirectory {}

    /** End the region. Answer: {@link RegionAnswer.Done}. */
    record Free(RegionName name, long id) implements ToDirectory {}

    /**
     * The asking node holds parts of this region. Answer: {@link RegionAnswer.Done}.
     *
     * @param settled the newest record that was settled there
     * @param pending the record for which it is sealed or has allocated parts, if any
     */
    record Report(Optional<RegionRecord> settled, Optional<RegionRecord> pending) implements ToDirectory {
        /** What names the region, unless nothing is reported. */
        Optional<RegionRecord> any() {
            return settled.or(() -> pending);
        }
    }

    /** The asking node has reported all. Answer: {@link RegionAnswer.Done}. */
    record Reported() implements ToDirectory {}

    /**
     * Make memory for some parts of {@code planned}. Answer: {@link RegionAnswer.Done}.
     *
     * @param zeros whether the parts are good as they are made; else they must be fetched first
     */
    record Allocate(RegionRecord planned, boolean zeros, List<Integer> parts) implements ToHolder {
        /** Copies the list; refuses parts that the plan does not have with {@link IndexOutOfBoundsException}. */
        public Allocate {
            parts = List.copyOf(parts);
            for (int part : parts) {
                Objects.checkIndex(part, planned.placement().size());
            }
        }
    }

    /**
     * Take every handle of this node's parts away, let {@code to} read those that {@code planned} gives it.
     * Answer: {@link RegionAnswer.Keys}.
     */
    record Seal(RegionRecord planned, NodeId to) implements ToHolder {}

    /**
     * Copy the parts that {@code planned} gives this node from {@code from}. Answer: {@link RegionAnswer.Done}.
     */
    record Fetch(RegionRecord planned, NodeId from, List<PartKey> keys) implements ToHolder {
        /** Copies the list. */
        public Fetch {
            keys = List.copyOf(keys);
        }
    }

    /** This is how the region is: keep what it says, end all else. Answer: {@link RegionAnswer.Done}. */
    record Settle(RegionRecord region) implements ToHolder {}

    /** Let the asking node use this node's parts. Answer: {@link RegionAnswer.Keys}. */
    record Open(long id, long handle, Permissions permissions) implements ToHolder {}

    /** The asking node needs its handle no more. Answer: {@link RegionAnswer.Done}. */
    record Close(long id, long handle) implements ToHolder {}

    /**
     * Which region with parts here has this name? Asked when the directory is away. Answer: {@link
     * RegionAnswer.Found}.
     */
    record Find(RegionName name) implements ToHolder {}

    /**
     * Use the handle no more; when answered, nothing is under way through it. Answer: {@link RegionAnswer.Done}.
     */
    record Revoke(long handle, RegionFailure why) implements RegionRequest {}
}
