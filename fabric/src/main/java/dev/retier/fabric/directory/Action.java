package dev.retier.fabric.directory;

import dev.retier.link.NodeId;
import java.util.List;

/** Something to be done that takes time. */
public sealed interface Action {
    /** Ask {@code to}, which may be this node itself. The answer is its answer. */
    record Call(NodeId to, RegionRequest request) implements Action {}

    /** Make zeroed memory for a part. The answer is {@link RegionAnswer.Done} or a refusal. */
    record Allocate(PartId part, long lengthBytes) implements Action {}

    /** Copy parts from another node into this one's memory. The answer is {@link RegionAnswer.Done} or a refusal. */
    record Copy(NodeId from, List<Piece> pieces) implements Action {}

    /**
     * Let nobody begin an operation on the handle any more, and wait until none is under way. The answer is {@link
     * RegionAnswer.Done} or a refusal.
     */
    record Drain(long handle, RegionFailure why) implements Action {}

    /** One part to be copied. */
    record Piece(PartKey source, PartId target, long lengthBytes) {}
}
