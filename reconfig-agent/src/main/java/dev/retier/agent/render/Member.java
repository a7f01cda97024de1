package dev.retier.agent.render;

import dev.retier.config.HostPort;

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
}
