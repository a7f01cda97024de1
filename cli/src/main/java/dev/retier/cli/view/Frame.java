package dev.retier.cli.view;

import java.util.List;

/**
 * All that a live view shows at one moment.
 *
 * @param pass name of the run, such as {@code rigid}
 * @param elapsedSeconds since the run began
 * @param progress share of the trace that has been sent, in [0,1]
 * @param burst what is being sent, such as {@code static}
 * @param staticPerSecond static requests answered per second in the last interval
 * @param dynamicPerSecond dynamic requests answered per second in the last interval
 * @param failed requests that failed since the run began
 * @param nodes every node, by id
 */
public record Frame(
        String pass,
        double elapsedSeconds,
        double progress,
        String burst,
        double staticPerSecond,
        double dynamicPerSecond,
        long failed,
        List<NodeCell> nodes) {
    /** Copies the nodes. */
    public Frame {
        nodes = List.copyOf(nodes);
    }

    /** Where a node stands. */
    public enum Place {
        /** Serves as proxy. */
        PROXY,
        /** Serves as app. */
        APP,
        /** Is being moved from one tier to the other. */
        MOVING,
        /** Serves nothing. */
        SPARE,
        /** Its server or its agent does not answer. */
        DOWN
    }

    /**
     * One node.
     *
     * @param name its name
     * @param place where it stands
     * @param utilisation of its capacity, in [0,1]
     */
    public record NodeCell(String name, Place place, double utilisation) {}

    /** How many nodes stand at {@code place}. */
    public long count(Place place) {
        return nodes.stream().filter(node -> node.place() == place).count();
    }
}
