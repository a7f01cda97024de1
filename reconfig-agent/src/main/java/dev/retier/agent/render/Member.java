package dev.retier.agent.render;

import dev.retier.config.HostPort;
import java.util.List;

/**
 * A node to which a proxy or an edge may send requests.
 *
 * @param name of the node
 * @param address where its server is reached
 * @param isIn whether it gets requests now
 * @param weight what its machine can do, in hundredths of what the smallest of them can, 100 to 10,000; 0 where that is
 *     not known
 */
public record Member(String name, HostPort address, boolean isIn, int weight) {
    /** Of a machine of which nobody knows what it can do. */
    public static final int UNKNOWN = 0;

    /** Of the smallest, and of all where they are equal. */
    public static final int LEAST = 100;

    /** Of the largest. */
    public static final int MOST = 10_000;

    /** HAProxy's weight of a machine as long as nobody knows what any of them can do. */
    private static final int USUAL_OF_256 = 100;

    private static final int WHOLE = 256;

    /**
     * Its weight as HAProxy counts it, 1 to 256: the largest of {@code all} has 256, and one of which nobody knows what
     * it can do counts as the smallest.
     *
     * @param all members of the same pool
     */
    public int of256(List<Member> all) {
        int largest = all.stream().mapToInt(Member::weight).max().orElse(UNKNOWN);
        return largest == UNKNOWN
                ? USUAL_OF_256
                : Math.clamp(Math.round((double) WHOLE * Math.max(LEAST, weight) / largest), 1, WHOLE);
    }
}
