package dev.retier.iwarp.rdmap;

import dev.retier.iwarp.memory.AccessResult;
import dev.retier.iwarp.wire.TerminateReason;

/** What the peer is told when the access check refuses. */
final class AccessReasons {
    private AccessReasons() {}

    /** For tagged placement (RFC 5041 section 8.2), which has no code for rights; siw uses this one, too. */
    static TerminateReason tagged(AccessResult result) {
        return switch (result) {
            case INVALID_STAG, RIGHTS -> TerminateReason.DDP_INVALID_STAG;
            case NOT_ASSOCIATED -> TerminateReason.DDP_NOT_ASSOCIATED;
            case BOUNDS -> TerminateReason.DDP_BOUNDS;
            case WRAP -> TerminateReason.DDP_WRAP;
            case GRANTED -> throw new IllegalArgumentException("nothing to report");
        };
    }

    /** For reads and atomics, checked by RDMAP (RFC 5040 section 7.2). */
    static TerminateReason remote(AccessResult result) {
        return switch (result) {
            case INVALID_STAG -> TerminateReason.RDMAP_INVALID_STAG;
            case NOT_ASSOCIATED -> TerminateReason.RDMAP_NOT_ASSOCIATED;
            case RIGHTS -> TerminateReason.RDMAP_ACCESS;
            case BOUNDS -> TerminateReason.RDMAP_BOUNDS;
            case WRAP -> TerminateReason.RDMAP_WRAP;
            case GRANTED -> throw new IllegalArgumentException("nothing to report");
        };
    }
}
