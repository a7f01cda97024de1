package dev.retier.state.region.directory;

import dev.retier.state.NodeId;
import dev.retier.state.region.Permissions;
import dev.retier.state.region.RegionFailure;
import dev.retier.state.region.RegionName;
import java.util.List;
import java.util.Optional;

/** What one node asks of another. Each may come twice, late, or never; who answers must not mind. */
public sealed interface Request {
    /** To the node that keeps the region's name ({@link Directory}). */
    sealed interface ToDirectory extends Request {}

    /** To a node with parts of a region ({@link Holder}). */
    sealed interface ToHolder extends Request {}

    /** To a node that has mapped a region ({@link Mapper}). */
    sealed interface ToMapper extends Request {}

    /** Make a region. The version does not count, and the asking node may do all. Answer: {@link Answer.Found}. */
    record Create(RegionRecord wanted) implements ToDirectory {}

    /** Which region has this name? Answer: {@link Answer.Found}. */
    record LookUp(RegionName name) implements ToDirectory {}

    /** Set what a node may do. Answer: {@link Answer.Found}. */
    record Grant(RegionName name, long id, NodeId node, Permissions permissions) implements ToDirectory {}

    /** Move the parts of one node to another. Answer: {@link Answer.Found}. */
    record Move(RegionName name, long id, NodeId from, NodeId to) implements ToDirectory {}

    /** End the region. Answer: {@link Answer.Done}. */
    record Free(RegionName name, long id) implements ToDirectory {}

    /**
     * The asking node holds parts of this region. Answer: {@link Answer.Done}.
     *
     * @param settled the newest record that was settled there
     * @param pending the record for which it is sealed or has allocated parts, if any
     */
    record Report(Optional<RegionRecord> settled, Optional<RegionRecord> pending) implements ToDirectory {}

    /** The asking node has reported all. Answer: {@link Answer.Done}. */
    record Reported() implements ToDirectory {}

    /**
     * Make memory for some parts of {@code planned}. Answer: {@link Answer.Done}.
     *
     * @param zeros whether the parts are good as they are made; else they must be fetched first
     */
    record Allocate(RegionRecord planned, List<Integer> parts, boolean zeros) implements ToHolder {
        /** Copies the list. */
        public Allocate {
            parts = List.copyOf(parts);
        }
    }

    /**
     * Take every handle of this node's parts away, let {@code to} read those that {@code planned} gives it. Answer:
     * {@link Answer.Keys}.
     */
    record Seal(RegionRecord planned, NodeId to) implements ToHolder {}

    /** Copy the parts that {@code planned} gives this node from {@code from}. Answer: {@link Answer.Done}. */
    record Fetch(RegionRecord planned, NodeId from, List<ExtentKey> keys) implements ToHolder {
        /** Copies the list. */
        public Fetch {
            keys = List.copyOf(keys);
        }
    }

    /** This is how the region is: keep what it says, end all else. Answer: {@link Answer.Done}. */
    record Settle(RegionRecord region) implements ToHolder {}

    /** Let the asking node use this node's parts. Answer: {@link Answer.Keys}. */
    record Open(long id, long handle, Permissions permissions) implements ToHolder {}

    /** The asking node needs its handle no more. Answer: {@link Answer.Done}. */
    record Close(long id, long handle) implements ToHolder {}

    /** Which region with parts here has this name? Asked when the directory is away. Answer: {@link Answer.Found}. */
    record Find(RegionName name) implements ToHolder {}

    /** Use the handle no more; when answered, nothing is under way through it. Answer: {@link Answer.Done}. */
    record Revoke(long handle, RegionFailure why) implements ToMapper {}
}
