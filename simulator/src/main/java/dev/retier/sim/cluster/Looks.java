package dev.retier.sim.cluster;

/**
 * How agents look.
 *
 * @param sampled while nothing happens, a look reads so many slots in turn, besides those of the witnesses; 0: all, as
 * the agents that ship do
 * @param slotNanos what each slot that is read adds to the time of a look, for cells so large that it counts
 */
public record Looks(int sampled, long slotNanos) {
    /** Everybody reads everybody, in one hop there and back. */
    public static final Looks ALL = new Looks(0, 0);

    /** Refuses what is below 0 with {@link IllegalArgumentException}. */
    public Looks {
        if (sampled < 0 || slotNanos < 0) {
            throw new IllegalArgumentException("sample of " + sampled + ", " + slotNanos + " ns a slot");
        }
    }
}
