package dev.retier.fabric.directory;

import java.util.Arrays;
import java.util.Optional;

/** Why an operation on a region did not happen. */
public enum RegionFailure {
    /** There is a region of this name already. */
    NAME_TAKEN(1),
    /** There is no region of this name. */
    NO_SUCH_REGION(2),
    /** The region's grants, or what the handle was mapped for, do not allow it. */
    NOT_PERMITTED(3),
    /** The bytes are not all within the region, or a word is not at a multiple of 8. */
    OUT_OF_BOUNDS(4),
    /** The region, or a part of it, is on another node now: map it again. */
    MOVED(5),
    /** The region was freed. */
    FREED(6),
    /** The node's permissions were reduced: map the region again with what is left. */
    REVOKED(7),
    /** The handle was unmapped. */
    UNMAPPED(8),
    /** A node has no memory, or no room for one more registration. */
    NO_SPACE(9),
    /** A node that is needed is not connected. */
    NODE_UNREACHABLE(10),
    /** A node that held a part of the region has restarted, and the part is lost. */
    LOST(11),
    /** The deadline passed. */
    TIMED_OUT(12),
    /** Another change of the same region, or too many operations, are under way. */
    BUSY(13),
    /** A part of the region is being copied to another node, or a node that has just started asks around. */
    NOT_READY(14),
    /** The message was not understood. */
    MALFORMED(15),
    /** This node's regions were closed. */
    CLOSED(16);

    private final int code;

    RegionFailure(int code) {
        this.code = code;
    }

    /** Whether it may well be over a moment later, so that trying again makes sense. */
    public boolean isPassing() {
        return this == NODE_UNREACHABLE || this == BUSY || this == NOT_READY;
    }

    /** What stands for it in messages: 1 and more, never used for something else. */
    public int code() {
        return code;
    }

    /** The failure of this code, if there is one. */
    public static Optional<RegionFailure> ofCode(int code) {
        return Arrays.stream(values()).filter(each -> each.code == code).findFirst();
    }
}
