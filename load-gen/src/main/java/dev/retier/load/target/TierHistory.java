package dev.retier.load.target;

import java.util.List;

/**
 * How many nodes a site had in each tier during a run, as an agent told.
 *
 * @param sizes one for each change, the first one at the start; empty when no agent was asked
 * @param moves nodes seen in another role than before
 */
public record TierHistory(List<Sizes> sizes, List<Move> moves) {
    /** No agent was asked. */
    public static final TierHistory NONE = new TierHistory(List.of(), List.of());

    /** Copies the lists. */
    public TierHistory {
        sizes = List.copyOf(sizes);
        moves = List.copyOf(moves);
    }

    /**
     * Nodes that serve the site from a moment on.
     *
     * @param seconds since the start of the run
     * @param proxies in its proxy tier
     * @param apps in its app tier
     */
    public record Sizes(double seconds, int proxies, int apps) {}

    /**
     * A node in a new role.
     *
     * @param seconds since the start of the run, when it was first seen in it
     * @param node its name
     * @param from role before, as {@code site/tier} or {@code spare}
     * @param to role now
     */
    public record Move(double seconds, String node, String from, String to) {}
}
