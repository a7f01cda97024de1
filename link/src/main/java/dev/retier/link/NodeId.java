package dev.retier.link;

/**
 * One node of a cell: a machine (or container, or emulated machine) with one agent and its server.
 *
 * @param value 1 to {@value #MAX_VALUE}, unique in the cell; 0 stands for "nobody" in the words on the wire
 */
public record NodeId(int value) implements Comparable<NodeId> {
    /** A cell has up to 256 nodes; the number fits the holder field of the move lock. */
    public static final int MAX_VALUE = 0xFFFF;

    /** Refuses a value out of range with {@link IllegalArgumentException}. */
    public NodeId {
        if (value < 1 || value > MAX_VALUE) {
            throw new IllegalArgumentException("node id " + value + " is not in 1.." + MAX_VALUE);
        }
    }

    @Override
    public int compareTo(NodeId other) {
        return Integer.compare(value, other.value);
    }

    @Override
    public String toString() {
        return "node-" + value;
    }
}
