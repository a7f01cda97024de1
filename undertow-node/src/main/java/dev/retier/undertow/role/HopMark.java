package dev.retier.undertow.role;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The mark that a proxy leaves in the Via header (RFC 9110 section 7.6.3). A request that carries it was forwarded
 * once and is never forwarded again, so two nodes with stale files cannot send it back and forth. Stateless.
 */
public final class HopMark {
    private static final String COMMENT = "(retier)";

    private HopMark() {}

    /** True when a retier proxy forwarded the request already; {@code via} is every Via header of it. */
    public static boolean isForwarded(List<String> via) {
        return via.stream().anyMatch(value -> value.contains(COMMENT));
    }

    /** The one Via header that {@code node} sends on, behind what it received. */
    public static String add(List<String> via, String node) {
        return Stream.concat(via.stream(), Stream.of("1.1 " + node + " " + COMMENT))
                .collect(Collectors.joining(", "));
    }
}
