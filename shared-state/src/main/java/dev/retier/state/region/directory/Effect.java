package dev.retier.state.region.directory;

import dev.retier.state.NodeId;
import dev.retier.state.region.RegionFailure;
import java.util.List;

/** Something to be done that takes time. */
public sealed interface Effect {
    /** Ask {@code to}, which may be this node itself. The answer is its answer. */
    record Call(NodeId to, Request request) implements Effect {}

    /** Make zeroed memory for a part. The answer is {@link Answer.Done} or a refusal. */
    record Allocate(ExtentId extent, long lengthBytes) implements Effect {}

    /** Copy parts from another node into this one's memory. The answer is {@link Answer.Done} or a refusal. */
    record Copy(NodeId from, List<Piece> pieces) implements Effect {}

    /**
     * Let nobody begin an operation on the handle any more, and wait until none is under way. The answer is {@link
     * Answer.Done} or a refusal.
     */
    record Drain(long handle, RegionFailure why) implements Effect {}

    /** One part to be copied. */
    record Piece(ExtentKey source, ExtentId target, long lengthBytes) {}
}
