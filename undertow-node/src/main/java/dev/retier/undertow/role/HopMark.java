package dev.retier.undertow.role;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The mark that a proxy leaves in the Via header (RFC 9110 section 7.6.3). A request that carries it was forwarded
 * once and is never forwarded again, so two nodes with stale files cannot send it back and forth. Stateless.
 */
public final class HopMark {
    /**
     * So many marks and no role file is true: a request with them is refused, whoever sends it. One that nodes have
     * forwarded has one.
     */
    public static final int TOO_MANY = 3;

    private static final String COMMENT = "(retier)";

    private HopMark() {}

    /**
     * True when a retier proxy forwarded the request already, or a client says so; {@code via} is every Via header of
     * it.
     */
    public static boolean isForwarded(List<String> via) {
        return via.stream().anyMatch(value -> value.contains(COMMENT));
    }

    /** Whether it goes in circles, or a client pretends that. */
    public static boolean isLoop(List<String> via) {
        int marks = 0;
        for (String value : via) {
            for (int at = value.indexOf(COMMENT); at >= 0; at = value.indexOf(COMMENT, at + COMMENT.length())) {
                marks++;
            }
        }
        return marks >= TOO_MANY;
    }

    /** The one Via header that {@code node} sends on, behind what it received. */
    public static String add(List<String> via, String node) {
        return Stream.concat(via.stream(), Stream.of("1.1 " + node + " " + COMMENT))
                .collect(Collectors.joining(", "));
    }
}
