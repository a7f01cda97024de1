package dev.retier.webnode.core;

import org.jspecify.annotations.Nullable;

/**
 * The mark that a proxy leaves in the Via header (RFC 9110 section 7.6.3). A request that carries it was forwarded
 * once and is never forwarded again, so two nodes with stale files cannot send it back and forth. Stateless.
 */
public final class HopMark {
    private static final String COMMENT = "(retier)";

    private HopMark() {}

    /** True when a retier proxy forwarded the request already. */
    public static boolean isForwarded(@Nullable String via) {
        return via != null && via.contains(COMMENT);
    }

    /** The Via header that {@code node} sends on, behind what it received. */
    public static String add(@Nullable String via, String node) {
        String own = "1.1 " + node + " " + COMMENT;
        return via == null ? own : via + ", " + own;
    }
}
